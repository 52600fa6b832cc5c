//! Facts that few symbols have, in a box that the others do without: as Gecko and Blink keep the rare data of elements.

use std::fmt;
use std::ops::Deref;

use thin_vec::ThinVec;

use super::{Base, Parameter, TypeId};

/// Facts that few symbols have. In an interface, which has no documentation, most symbols have none of them: of C and of
/// constants, fields and plain functions of any language.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RareFacts {
    /// The type or object it belongs to where that is written before its name rather than around it, as written:
    /// `Router` of `func (r *Router) Add`, `a::Foo` of `void a::Foo::bar()`, `app` of `app.handle = function () {}`.
    pub owner: String,
    /// The same as a type.
    pub owner_type: Option<TypeId>,
    /// The doc comment without its markers, at most 2,000 bytes.
    pub doc: String,
    /// Written type parameters with their bounds (`T: Handler<S>`), as `T` → `Handler<S>`.
    pub type_parameters: ThinVec<Parameter>,
    /// Supertypes, interfaces and traits as written, and how they are related.
    pub bases: ThinVec<Base>,
    /// Decorators, attributes and annotations as written, without `@` and `#[]`.
    pub decorators: ThinVec<String>,
}

impl RareFacts {
    const NONE: Self = RareFacts {
        owner: String::new(),
        owner_type: None,
        doc: String::new(),
        type_parameters: ThinVec::new(),
        bases: ThinVec::new(),
        decorators: ThinVec::new(),
    };
}

/// [`RareFacts`] in a box, which is there once one of them was written: a pointer in each symbol (4 bytes in WebAssembly)
/// rather than their 40. Reads never allocate.
#[derive(Clone, Default)]
pub struct Rare(Option<Box<RareFacts>>);

impl Rare {
    /// Returns the facts to change them; makes the box if there is none.
    pub fn get_mut(&mut self) -> &mut RareFacts {
        self.0.get_or_insert_default()
    }

    /// Returns the facts to change them if there are any.
    pub fn as_mut(&mut self) -> Option<&mut RareFacts> {
        self.0.as_deref_mut()
    }

    /// Sets one fact. An empty value makes no box.
    pub fn set<T: Default + PartialEq>(&mut self, fact: fn(&mut RareFacts) -> &mut T, value: T) {
        if self.0.is_some() || value != T::default() {
            *fact(self.get_mut()) = value;
        }
    }
}

impl Deref for Rare {
    type Target = RareFacts;

    fn deref(&self) -> &RareFacts {
        static NONE: RareFacts = RareFacts::NONE;
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl From<RareFacts> for Rare {
    fn from(facts: RareFacts) -> Self {
        Rare((facts != RareFacts::NONE).then(|| Box::new(facts)))
    }
}

/// A box of empty facts says the same as none.
impl PartialEq for Rare {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Rare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rare, RareFacts};

    #[test]
    fn empty_facts_take_no_box() {
        let mut rare = Rare::from(RareFacts::default());
        rare.set(|rare| &mut rare.doc, String::new());
        assert!(rare.doc.is_empty() && rare.as_mut().is_none());
        rare.set(|rare| &mut rare.doc, "Adds.".to_owned());
        assert_eq!(rare.doc, "Adds.");
        assert_ne!(rare, Rare::default());
    }

    #[test]
    fn a_box_of_empty_facts_is_like_none() {
        let mut rare = Rare::default();
        rare.get_mut().owner = "Router".to_owned();
        rare.set(|rare| &mut rare.owner, String::new());
        assert!(rare.as_mut().is_some());
        assert_eq!(rare, Rare::default());
        assert_eq!(format!("{rare:?}"), format!("{:?}", Rare::default()));
    }
}
