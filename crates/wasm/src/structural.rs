//! Structural search in a parsing worker: a form is read once, then looked for in one text after another.

use api::{StructuralFound, StructuralPlan, StructuralRequest, answer};
use syntax::Language;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::ParseWorker;
use crate::errors::{JsResult, bad_request, error, thrown};
use crate::index::check_fields;

#[wasm_bindgen]
impl ParseWorker {
    /// Reads a form in these languages, whose grammars were added before; it takes the place of the one before it. Throws
    /// `pattern.…` where none of them can read it.
    #[wasm_bindgen(js_name = readForm)]
    pub fn read_form(
        &mut self,
        request: Ts<StructuralRequest>,
        languages: Vec<String>,
    ) -> JsResult<Ts<StructuralPlan>> {
        check_fields::<StructuralRequest>(&request.js_value()).map_err(thrown)?;
        let request = request.to_rust().map_err(bad_request)?;
        let languages: Vec<Language> = languages
            .iter()
            .filter_map(|name| self.language(name))
            .collect();
        let (plan, forms) =
            answer::structural_plan(&mut self.parsers, &request, &languages).map_err(thrown)?;
        self.forms = forms;
        plan.into_ts().map_err(bad_request)
    }

    /// Finds the matches of a pattern in a text, at most `limit`, within `max_millis`.
    #[wasm_bindgen(js_name = findForm)]
    pub fn find_form(
        &mut self,
        path: &str,
        language: &str,
        text: &str,
        limit: u32,
        max_millis: f64,
    ) -> JsResult<Ts<StructuralFound>> {
        let language = self.language(language);
        let form = self
            .forms
            .iter()
            .find(|form| Some(form.language()) == language);
        let form = form.ok_or_else(|| error("internal", "no form was read in this language"))?;
        let parsers = &mut self.parsers;
        answer::structural_found(parsers, form, path, text, limit as usize, max_millis)
            .into_ts()
            .map_err(bad_request)
    }
}

impl ParseWorker {
    fn language(&self, name: &str) -> Option<Language> {
        let users = self.parsers.user_languages();
        Language::from_name(name).or_else(|| users.find(name))
    }
}
