//! The parameters of a URL: parsed once, each taken by name, so that unknown ones are detected and reported.

use api::ErrorBody;

/// The pairs of a query string that are not read yet.
#[derive(Debug)]
pub struct Params {
    left: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl Params {
    /// `query` is the part behind the `?`, form-encoded. Never fails: bytes that cannot be decoded are replaced by
    /// U+FFFD.
    pub fn parse(query: &str) -> Self {
        let left = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        Self {
            left,
            known: Vec::new(),
        }
    }

    /// Every value of `name`, in the order given.
    pub fn all(&mut self, name: &'static str) -> Vec<String> {
        self.known.push(name);
        self.left
            .extract_if(.., |(key, _)| key == name)
            .map(|(_, value)| value)
            .collect()
    }

    /// Like [`Params::all`], and a value may contain several, separated by commas.
    pub fn list(&mut self, name: &'static str) -> Vec<String> {
        let values = self.all(name);
        let parts = values
            .iter()
            .flat_map(|value| value.split(','))
            .map(str::trim);
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// Returns the value of `name`, which may occur once.
    pub fn one(&mut self, name: &'static str) -> Result<Option<String>, ErrorBody> {
        let mut values = self.all(name);
        if values.len() > 1 {
            return Err(wrong(name, "give it once"));
        }
        Ok(values.pop())
    }

    /// A value that must be there.
    pub fn required(&mut self, name: &'static str, what: &str) -> Result<String, ErrorBody> {
        match self.one(name)? {
            Some(value) if !value.trim().is_empty() => Ok(value),
            _ => Err(wrong(name, &format!("it is missing; give {what}"))),
        }
    }

    /// A whole number from `least` to `most`.
    pub fn number(
        &mut self,
        name: &'static str,
        least: u32,
        most: u32,
    ) -> Result<Option<u32>, ErrorBody> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => Err(wrong(
                name,
                &format!(
                    "expected a whole number from {least} to {most}, got `{}`",
                    shown(&text)
                ),
            )),
        }
    }

    /// A share from 0 to 1.
    pub fn share(&mut self, name: &'static str) -> Result<Option<f32>, ErrorBody> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        match text.parse() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Some(share)),
            _ => Err(wrong(
                name,
                &format!("expected a number from 0 to 1, got `{}`", shown(&text)),
            )),
        }
    }

    /// `1`, `true` or nothing behind the name; `0` or `false`; false where the name is absent.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, ErrorBody> {
        match self.one(name)?.as_deref() {
            None | Some("0" | "false") => Ok(false),
            Some("" | "1" | "true") => Ok(true),
            Some(other) => Err(wrong(
                name,
                &format!("expected true or false, got `{}`", shown(other)),
            )),
        }
    }

    /// One of `choices`, given by name.
    pub fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, ErrorBody> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        match choices.iter().find(|(choice, _)| *choice == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let names: Vec<_> = choices.iter().map(|(choice, _)| *choice).collect();
                Err(wrong(
                    name,
                    &format!(
                        "expected one of {}, got `{}`",
                        names.join(", "),
                        shown(&text)
                    ),
                ))
            }
        }
    }

    /// Fails if a parameter was not taken: it is probably a typo, which must not be ignored.
    pub fn finish(self) -> Result<(), ErrorBody> {
        let Some((name, _)) = self.left.first() else {
            return Ok(());
        };
        let known = if self.known.is_empty() {
            "no parameters".to_owned()
        } else {
            self.known.join(", ")
        };
        Err(ErrorBody {
            code: "request.parameter".to_owned(),
            message: format!("unknown parameter `{}`", shown(name)),
            help: format!("this route knows {known}"),
        })
    }
}

fn wrong(name: &str, message: &str) -> ErrorBody {
    ErrorBody {
        code: "request.parameter".to_owned(),
        message: format!("{name}: {message}"),
        help: String::new(),
    }
}

/// Shortens a client's text before it is sent back.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
