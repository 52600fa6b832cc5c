//! Archives: flat columns that are read in place.

use rkyv::api::high::HighValidator;
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Portable};

use super::columns::{Fault, pack, unpack};

/// Effort for archives that are packed as they are.
const LEVEL: i32 = 6;

/// The archive in these bytes: those of a section of this type.
#[expect(unsafe_code, reason = "checked once, instead of at every access")]
pub fn archived_in<T: Archive>(bytes: &AlignedVec<16>) -> &T::Archived
where
    T::Archived: Portable,
{
    // SAFETY: these bytes, at this alignment, are a valid `T::Archived`: either `checked` has found so, or they were written by rkyv from
    // a `T` in this process, by `archive` or by who assembled the snapshot; both name the same type for each part as the accessors do.
    // Nothing changes the bytes afterwards.
    unsafe { rkyv::access_unchecked::<T::Archived>(bytes) }
}

pub(super) const UNKNOWN: Fault = "its contents are not what this version writes";

/// Whether bytes are the archive of a `T`.
pub(super) fn check<T>(archive: &[u8]) -> Result<(), Fault>
where
    T: Archive,
    T::Archived: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Failure>>,
{
    // The wrong byte is of no use to anybody, and its message would be compiled in once for every type.
    let archived = rkyv::access::<T::Archived, rancor::Failure>(archive);
    archived.map(|_| ()).map_err(|_| UNKNOWN)
}

/// An archive as it is, packed.
pub(super) fn pack_archive(archive: &[u8]) -> Vec<u8> {
    pack(archive, LEVEL)
}

/// The reverse of [`pack_archive`], not yet checked to be an archive of anything.
fn unpack_archive(packed: &[u8]) -> Result<AlignedVec<16>, Fault> {
    let bytes = unpack(packed)?;
    let mut aligned = AlignedVec::with_capacity(bytes.len());
    aligned.extend_from_slice(&bytes);
    Ok(aligned)
}

/// The archive of a `T` that was packed as it is.
pub(super) fn checked<T>(packed: &[u8]) -> Result<AlignedVec<16>, Fault>
where
    T: Archive,
    T::Archived: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Failure>>,
{
    let archive = unpack_archive(packed)?;
    check::<T>(&archive)?;
    Ok(archive)
}

/// The archive of a value.
pub(super) fn archive<T>(value: &T) -> Result<AlignedVec<16>, Fault>
where
    T: for<'a> rkyv::Serialize<
            rkyv::api::high::HighSerializer<
                AlignedVec<16>,
                rkyv::ser::allocator::ArenaHandle<'a>,
                rancor::Failure,
            >,
        >,
{
    archive_in(0, value)
}

/// The archive of a value that was put together from columns, with a buffer of `room` bytes at first.
pub(super) fn archive_in<T>(room: usize, value: &T) -> Result<AlignedVec<16>, Fault>
where
    T: for<'a> rkyv::Serialize<
            rkyv::api::high::HighSerializer<
                AlignedVec<16>,
                rkyv::ser::allocator::ArenaHandle<'a>,
                rancor::Failure,
            >,
        >,
{
    let bytes = AlignedVec::with_capacity(room);
    let archive = rkyv::api::high::to_bytes_in::<_, rancor::Failure>(value, bytes);
    archive.map_err(|_| "it is larger than an archive can be")
}
