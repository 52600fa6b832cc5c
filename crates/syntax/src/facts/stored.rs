//! Archives of facts whose form in memory is smaller than a derived one: they stay as they were, byte for byte, since snapshots
//! are compared and hosts keep units of earlier versions.

use std::num::NonZeroU32;

use rkyv::primitive::ArchivedU32;
use rkyv::rancor::{Fallible, Source};
use rkyv::ser::Writer;
use rkyv::string::{ArchivedString, StringResolver};
use rkyv::with::{ArchiveWith, DeserializeWith, SerializeWith};
use rkyv::{Archive, Place};

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
