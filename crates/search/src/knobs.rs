//! The numbers of a [`SearchConfig`] by name, for those who set them from outside: `conceptual.stem_terms`, `test_penalty`, `candidates`.

use crate::config::{Blend, SearchConfig, Signal};

/// A name that is none of [`knob_names`], or a number that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum KnobError {
    /// There is no such number.
    #[error("there is no weight {0:?}")]
    Unknown(String),
    /// It is no number, or below 0, or above its maximum.
    #[error("{0} cannot be {1}; it can be 0 to {2}")]
    OutOfRange(String, f32, f32),
}

/// Weights above this drown everything else.
const MOST: f32 = 100.0;
/// More candidates than this cost more than they find.
const MOST_CANDIDATES: f32 = 10_000.0;

impl SearchConfig {
    /// Sets one number. A name of a [`Blend`] without `symbol.` or `conceptual.` sets it for both kinds of queries.
    ///
    /// # Errors
    /// See [`KnobError`]; nothing is changed then.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), KnobError> {
        let is_known = knob_names(self).iter().any(|known| known == name);
        if !is_known {
            return Err(KnobError::Unknown(name.to_owned()));
        }
        let most = match name.rsplit('.').next() {
            Some("candidates") => MOST_CANDIDATES,
            Some("rrf_k") => MOST_CANDIDATES,
            Some("vector_share" | "folded_definition" | "project_name") => 1.0,
            _ => MOST,
        };
        if !(0.0..=most).contains(&value) {
            return Err(KnobError::OutOfRange(name.to_owned(), value, most));
        }
        match name.split_once('.') {
            Some(("symbol", name)) => set_blend(&mut self.symbol, name, value),
            Some((_, name)) => set_blend(&mut self.conceptual, name, value),
            None => match name {
                "candidates" => self.candidates = value as usize,
                "joined_words" => self.joined_words = value,
                "near_names" => self.near_names = value,
                "project_name" => self.project_name = value,
                "rrf_k" => self.rrf_k = value,
                _ => {
                    set_blend(&mut self.symbol, name, value);
                    set_blend(&mut self.conceptual, name, value);
                    let own = self.penalties.iter_mut().find(|own| own.name == name);
                    own.into_iter().for_each(|own| own.factor = value);
                }
            },
        }
        Ok(())
    }
}

fn set_blend(blend: &mut Blend, name: &str, value: f32) {
    match name {
        "vector_share" => blend.vector_share = value,
        "folded_definition" => blend.folded_definition = value,
        _ => {
            let signal = Signal::ALL.into_iter().find(|signal| signal.name() == name);
            signal
                .into_iter()
                .for_each(|signal| blend.signals[signal] = value);
        }
    }
}

/// All names that [`SearchConfig::set`] knows.
#[must_use]
pub fn knob_names(config: &SearchConfig) -> Vec<String> {
    let of_blend: Vec<&str> = ["vector_share", "folded_definition"]
        .into_iter()
        .chain(Signal::ALL.into_iter().map(Signal::name))
        .collect();
    let whole = [
        "candidates",
        "joined_words",
        "near_names",
        "project_name",
        "rrf_k",
    ];
    let mut names: Vec<String> = whole.map(str::to_owned).to_vec();
    names.extend(
        config
            .penalties
            .iter()
            .map(|penalty| penalty.name.to_owned()),
    );
    for name in of_blend {
        names.extend([
            name.to_owned(),
            format!("symbol.{name}"),
            format!("conceptual.{name}"),
        ]);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_sets_a_number() {
        let default = SearchConfig::default();
        for name in knob_names(&default) {
            let set = |value| {
                let mut config = default.clone();
                config.set(&name, value).unwrap();
                config
            };
            let (one, other) = if name == "candidates" {
                (9.0, 7.0)
            } else {
                (0.9, 0.7)
            };
            assert_ne!(set(one), set(other), "{name}");
        }
    }

    #[test]
    fn what_is_no_weight_is_refused() {
        let mut config = SearchConfig::default();
        assert_eq!(
            config.set("stem", 1.0),
            Err(KnobError::Unknown("stem".to_owned()))
        );
        assert!(config.set("stem_terms", f32::NAN).is_err());
        assert!(config.set("symbol.vector_share", 1.5).is_err());
        assert_eq!(config, SearchConfig::default());
    }
}
