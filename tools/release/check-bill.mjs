// Checks a bill of materials against CycloneDX's own schema, which its library brings.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const home = join(process.env.PORTOLAN_CHECKERS, "node_modules");
const require = createRequire(join(home, "x.js"));
const Ajv = require("ajv").default;
const addFormats = require("ajv-formats").default;

const schemas = join(home, "@cyclonedx/cyclonedx-library/res/schema");
const schema = (name) => JSON.parse(readFileSync(join(schemas, name), "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
// A format of later drafts that ajv-formats does not have.
ajv.addFormat("iri-reference", true);
ajv.addFormat("idn-email", true);
// The library renames the files that the schema refers to.
ajv.addSchema(schema("spdx.SNAPSHOT.schema.json"), "http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json");
ajv.addSchema(schema("jsf-0.82.SNAPSHOT.schema.json"), "http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json");
const validate = ajv.compile(schema("bom-1.6.SNAPSHOT.schema.json"));

const bill = JSON.parse(readFileSync(process.argv[2], "utf8"));
if (!validate(bill)) {
  console.error(ajv.errorsText(validate.errors, { separator: "\n" }));
  process.exit(1);
}
const unsure = bill.components.filter(({ licenses }) => licenses[0].expression === "NOASSERTION" || !licenses[0].expression);
if (unsure.length > 0) {
  console.error(`no licence is known of ${unsure.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
console.log(`${bill.components.length} components`);
