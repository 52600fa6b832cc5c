//! Archives of facts whose form in memory is smaller than a derived one: they stay as they were, byte for byte, since snapshots
//! are compared and hosts keep units of earlier versions.

use std::num::NonZeroU32;

use rkyv::primitive::ArchivedU32;
use rkyv::rancor::{Fallible, Source};
use rkyv::ser::Writer;
use rkyv::string::{ArchivedString, StringResolver};
use rkyv::with::{ArchiveWith, DeserializeWith, SerializeWith};
use rkyv::{Archive, Deserialize, Place, Serialize};
use thin_vec::ThinVec;

use super::{Base, LocalSymbol, Parameter, Rare, RareFacts, Span, Symbol, SymbolKind, TypeId};

/// Archives a number that is one more in memory. The greatest one, which no table has, becomes the one before it.
pub struct FromZero;

impl FromZero {
    pub(super) fn shifted(number: u32) -> NonZeroU32 {
        NonZeroU32::MIN.saturating_add(number)
    }
}

impl ArchiveWith<NonZeroU32> for FromZero {
    type Archived = ArchivedU32;
    type Resolver = ();

    fn resolve_with(field: &NonZeroU32, (): (), out: Place<ArchivedU32>) {
        (field.get() - 1).resolve((), out);
    }
}

impl<S: Fallible + ?Sized> SerializeWith<NonZeroU32, S> for FromZero {
    fn serialize_with(_: &NonZeroU32, _: &mut S) -> Result<(), S::Error> {
        Ok(())
    }
}

impl<D: Fallible + ?Sized> DeserializeWith<ArchivedU32, NonZeroU32, D> for FromZero {
    fn deserialize_with(field: &ArchivedU32, _: &mut D) -> Result<NonZeroU32, D::Error> {
        Ok(Self::shifted(field.to_native()))
    }
}

/// Archives a `Box<str>` as a `String`, which may be within its place.
pub struct AsString;

impl ArchiveWith<Box<str>> for AsString {
    type Archived = ArchivedString;
    type Resolver = StringResolver;

    fn resolve_with(field: &Box<str>, resolver: StringResolver, out: Place<ArchivedString>) {
        ArchivedString::resolve_from_str(field, resolver, out);
    }
}

impl<S> SerializeWith<Box<str>, S> for AsString
where
    S: Fallible<Error: Source> + Writer + ?Sized,
{
    fn serialize_with(field: &Box<str>, serializer: &mut S) -> Result<StringResolver, S::Error> {
        ArchivedString::serialize_from_str(field, serializer)
    }
}

impl<D: Fallible + ?Sized> DeserializeWith<ArchivedString, Box<str>, D> for AsString {
    fn deserialize_with(field: &ArchivedString, _: &mut D) -> Result<Box<str>, D::Error> {
        Ok(field.as_str().into())
    }
}

/// A [`Symbol`] as archives have it: all facts in one place, in this order.
#[derive(Archive, Serialize, Deserialize)]
#[rkyv(remote = Symbol, archived = ArchivedSymbol)]
pub struct StoredSymbol {
    name: String,
    kind: SymbolKind,
    parent: Option<LocalSymbol>,
    #[rkyv(getter = owner)]
    owner: String,
    #[rkyv(getter = owner_type)]
    owner_type: Option<TypeId>,
    span: Span,
    name_span: Span,
    #[rkyv(with = AsString)]
    signature: Box<str>,
    #[rkyv(getter = doc)]
    doc: String,
    modifiers: u32,
    parameters: ThinVec<Parameter>,
    #[rkyv(with = AsString)]
    type_text: Box<str>,
    ty: Option<TypeId>,
    #[rkyv(getter = type_parameters)]
    type_parameters: ThinVec<Parameter>,
    #[rkyv(getter = bases)]
    bases: ThinVec<Base>,
    #[rkyv(getter = decorators)]
    decorators: ThinVec<String>,
    complexity: u16,
}

fn owner(symbol: &Symbol) -> &String {
    &symbol.rare.owner
}

fn owner_type(symbol: &Symbol) -> &Option<TypeId> {
    &symbol.rare.owner_type
}

fn doc(symbol: &Symbol) -> &String {
    &symbol.rare.doc
}

fn type_parameters(symbol: &Symbol) -> &ThinVec<Parameter> {
    &symbol.rare.type_parameters
}

fn bases(symbol: &Symbol) -> &ThinVec<Base> {
    &symbol.rare.bases
}

fn decorators(symbol: &Symbol) -> &ThinVec<String> {
    &symbol.rare.decorators
}

impl From<StoredSymbol> for Symbol {
    fn from(stored: StoredSymbol) -> Symbol {
        Symbol {
            name: stored.name,
            kind: stored.kind,
            parent: stored.parent,
            span: stored.span,
            name_span: stored.name_span,
            signature: stored.signature,
            modifiers: stored.modifiers,
            parameters: stored.parameters,
            type_text: stored.type_text,
            ty: stored.ty,
            complexity: stored.complexity,
            rare: Rare::from(RareFacts {
                owner: stored.owner,
                owner_type: stored.owner_type,
                doc: stored.doc,
                type_parameters: stored.type_parameters,
                bases: stored.bases,
                decorators: stored.decorators,
            }),
        }
    }
}

// Of its own rather than by `Map` in the list of symbols, which would leave spare capacity in a list that it reads.
impl Archive for Symbol {
    type Archived = ArchivedSymbol;
    type Resolver = <StoredSymbol as ArchiveWith<Symbol>>::Resolver;

    fn resolve(&self, resolver: Self::Resolver, out: Place<ArchivedSymbol>) {
        StoredSymbol::resolve_with(self, resolver, out);
    }
}

impl<S: Fallible + ?Sized> Serialize<S> for Symbol
where
    StoredSymbol: SerializeWith<Symbol, S>,
{
    fn serialize(&self, serializer: &mut S) -> Result<Self::Resolver, S::Error> {
        StoredSymbol::serialize_with(self, serializer)
    }
}

impl<D: Fallible + ?Sized> Deserialize<Symbol, D> for ArchivedSymbol
where
    StoredSymbol: DeserializeWith<ArchivedSymbol, Symbol, D>,
{
    fn deserialize(&self, deserializer: &mut D) -> Result<Symbol, D::Error> {
        StoredSymbol::deserialize_with(self, deserializer)
    }
}
