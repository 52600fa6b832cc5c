//! A software bill of materials in CycloneDX 1.6: what is in the package, by version, licence and package URL. It holds no time and no
//! random number, so the same sources give the same file.

use crate::notices::inventory::Component;
use serde_json::{Value, json};

/// The bill for a version of the package.
pub fn bill(version: &str, components: &[Component]) -> Value {
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": format!("pkg:npm/portolan@{version}"),
                "name": "portolan",
                "version": version,
                "purl": format!("pkg:npm/portolan@{version}"),
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components.iter().map(component).collect::<Vec<_>>(),
        "dependencies": [{
            "ref": format!("pkg:npm/portolan@{version}"),
            "dependsOn": components.iter().map(|component| component.purl.clone()).collect::<Vec<_>>(),
        }],
    })
}

fn component(component: &Component) -> Value {
    json!({
        "type": "library",
        "bom-ref": component.purl,
        "name": component.name,
        "version": component.version,
        "purl": component.purl,
        "licenses": [{ "expression": component.licence }],
    })
}
