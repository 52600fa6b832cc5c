//! Uses and bindings of names: words of the text, predicted by the words that usually are uses.

use graph::FORMS;
use syntax::facts::{
    Binding, BindingKind, Bound, ChainId, Receiver, Reference, ReferenceForm, Span,
};

use super::super::columns::Fault;
use super::flow::Column as C;
use super::flow::{Flow, word_at};
use super::habits::Descent;
use super::walk::Walk;

impl<F: Flow> Walk<'_, F> {
    pub fn references(&mut self, references: &[Reference]) -> Result<Vec<Reference>, Fault> {
        let blank = blank_reference();
        let n = self.count(references)?;
        let mut last = None;
        let mut descent = Descent::default();
        let mut all = Vec::new();
        for idx in 0..n as usize {
            let reference = references.get(idx).unwrap_or(&blank);
            let reference = self.reference(reference, last, &mut descent)?;
            last = Some(reference.span.start);
            all.push(reference);
        }
        Ok(all)
    }

    fn reference(
        &mut self,
        reference: &Reference,
        last: Option<u32>,
        descent: &mut Descent,
    ) -> Result<Reference, Fault> {
        let text = self.text;
        let columns = [C::ReferenceStart, C::ReferenceAhead];
        let start = reference.span.start;
        let start = self
            .flow
            .place(columns, |habits| &mut habits.references, start, text, last)?;
        let mut at = start as usize;
        let columns = [C::ReferenceName, C::ReferenceNameLength];
        let name = self.flow.near(columns, &reference.name, text, &mut at)?;
        // Written, the name is `reference.name`; read, it is `name`.
        let length = name.len().max(reference.name.len()) as u32;
        let expected = start.wrapping_add(length);
        let end = self
            .flow
            .number(C::ReferenceEnd, reference.span.end, expected)?;
        let span = self.lines_of(start, end, &reference.span)?;
        let expected = u32::from(*self.flow.habits().form(text, [start, end]));
        let form = self
            .flow
            .number(C::ReferenceForm, reference.form as u32, expected)?;
        let form = *FORMS.get(form as usize).ok_or("a use has no form")?;
        *self.flow.habits().form(text, [start, end]) = form as u8;
        let columns = [C::Receiver, C::ReceiverEnd, C::ReceiverLength];
        let place = reference
            .receiver
            .map(|receiver| [receiver.start, receiver.end]);
        let place = self.flow.before(columns, place, text, start)?;
        let receiver = place.map(|[start, end]| Receiver {
            start,
            end,
            chain: ChainId::default(),
        });
        let enclosing = self.around(C::ReferenceEnclosing, reference.enclosing, descent, start)?;
        let expected = self.flow.habits().arguments(form as u8, text, end);
        let expected = expected.map_or(0, |n| n + 1);
        let n_arguments = reference.n_arguments.map(u32::from);
        let n_arguments = self.option(C::Arguments, n_arguments, expected)?;
        let habits = self.flow.habits();
        habits.learn_arguments(form as u8, text, end, n_arguments.is_some());
        let in_macro = u32::from(reference.in_macro);
        Ok(Reference {
            name,
            form,
            receiver,
            span,
            enclosing,
            n_arguments: n_arguments.map(|n| n as u8),
            in_macro: self.flow.number(C::InMacro, in_macro, 0)? != 0,
        })
    }

    pub fn bindings(&mut self, bindings: &[Binding]) -> Result<Vec<Binding>, Fault> {
        let blank = Binding {
            name: String::new(),
            kind: BindingKind::Annotated,
            value: String::new(),
            bound: Bound::Nothing,
            enclosing: None,
            span: Span::default(),
        };
        let n = self.count(bindings)?;
        let mut last = None;
        let mut descent = Descent::default();
        let mut all = Vec::new();
        for idx in 0..n as usize {
            let binding = bindings.get(idx).unwrap_or(&blank);
            let kind = self.flow.number(C::BindingNumber, binding.kind as u32, 0)?;
            let columns = [C::BindingStart, C::BindingAhead];
            let start = binding.span.start;
            let start = self.flow.place(
                columns,
                |habits| &mut habits.bindings,
                start,
                self.text,
                last,
            )?;
            last = Some(start);
            let expected = start.wrapping_add(word_at(self.text, start as usize));
            let end = self
                .flow
                .number(C::BindingEnd, binding.span.end, expected)?;
            let span = self.lines_of(start, end, &binding.span)?;
            let mut at = span.start as usize;
            let columns = [C::BindingText, C::BindingLength];
            let name = self.flow.near(columns, &binding.name, self.text, &mut at)?;
            let kind = *BINDINGS
                .get(kind as usize)
                .ok_or("a binding is of no kind")?;
            let value = match kind {
                BindingKind::Argument => self.argument(&binding.value)?,
                _ => self
                    .flow
                    .near(columns, &binding.value, self.text, &mut at)?,
            };
            let around =
                self.around(C::BindingEnclosing, binding.enclosing, &mut descent, start)?;
            all.push(Binding {
                name,
                kind,
                value,
                bound: Bound::Nothing,
                enclosing: around,
                span,
            });
        }
        Ok(all)
    }

    /// The parameter of an argument, and its function: there are few of the first, and the second is called anyway.
    fn argument(&mut self, value: &str) -> Result<String, Fault> {
        let parts = value.split_once(' ').filter(|parts| !parts.1.is_empty());
        let (place, callee) = parts.unwrap_or((value, ""));
        let place = self.flow.word(C::ArgumentPlace, place)?;
        let callee = self.flow.word(C::ArgumentCallee, callee)?;
        Ok(if callee.is_empty() {
            place
        } else {
            format!("{place} {callee}")
        })
    }

    /// The definition that a place counts for.
    fn around(
        &mut self,
        column: C,
        value: Option<u32>,
        descent: &mut Descent,
        offset: u32,
    ) -> Result<Option<u32>, Fault> {
        let inner = descent.to(&self.outline, offset);
        let expected = self.flow.habits().around(&self.outline, inner);
        let expected = expected.map_or(0, |symbol| symbol + 1);
        let around = self.option(column, value, expected)?;
        let habits = self.flow.habits();
        habits.learn_around(&self.outline, inner, around);
        Ok(around)
    }
}

fn blank_reference() -> Reference {
    Reference {
        name: String::new(),
        form: ReferenceForm::Call,
        receiver: None,
        span: Span::default(),
        enclosing: None,
        n_arguments: None,
        in_macro: false,
    }
}

const BINDINGS: [BindingKind; 6] = [
    BindingKind::Annotated,
    BindingKind::Constructed,
    BindingKind::Call,
    BindingKind::Alias,
    BindingKind::Element,
    BindingKind::Argument,
];
