//! Numbers of the configuration by name: `conceptual.stem_terms`, `symbol.vector_share`, `test_penalty`, `candidates`.

use search::{Blend, SearchConfig, Signal};

use crate::Failure;

/// Changes a configuration as told: `name=value`, with commas between.
pub(crate) fn set(config: &mut SearchConfig, changes: &str) -> Result<(), Failure> {
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let (name, value) = change.split_once('=').ok_or("--set wants name=value")?;
        let value: f32 = value.parse()?;
        match name.split_once('.') {
            Some(("symbol", name)) => *blended(&mut config.symbol, name)? = value,
            Some(("conceptual", name)) => *blended(&mut config.conceptual, name)? = value,
            _ if name == "candidates" => config.candidates = value as usize,
            _ => *penalty(config, name)? = value,
        }
    }
    Ok(())
}

fn blended<'a>(blend: &'a mut Blend, name: &str) -> Result<&'a mut f32, Failure> {
    if name == "vector_share" {
        return Ok(&mut blend.vector_share);
    }
    let signal = Signal::ALL.into_iter().find(|signal| signal.name() == name);
    Ok(&mut blend.signals[signal.ok_or_else(|| format!("no signal {name:?}"))?])
}

fn penalty<'a>(config: &'a mut SearchConfig, name: &str) -> Result<&'a mut f32, Failure> {
    let found = config
        .penalties
        .iter_mut()
        .find(|penalty| penalty.name == name);
    Ok(&mut found.ok_or_else(|| format!("no penalty {name:?}"))?.factor)
}
