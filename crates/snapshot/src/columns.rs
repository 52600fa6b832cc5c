//! Columns of numbers as bytes that pack well, and the packing.
//!
//! A column is written as byte planes: the lowest byte of every number, then the next byte of every number, up to the highest that
//! is not zero everywhere; of the numbers themselves or of the steps between them, whichever are smaller. Planes keep bytes
//! of one kind together, which is what an entropy coder wants, and reading them back is a loop without branches. The
//! bytes of all columns of a section are one Zstandard frame, or several (`frames.rs`).

use rkyv::rend::{f32_le, u16_le, u32_le};

use super::frames::{self, KnownFrames};
use super::planes::{merge, sum, unzigzag32, zigzag32};

/// Effort of packing: level 6 saves 6 % over the usual 3 and still runs at 80 MB/s in WebAssembly; 9 takes twice as long for 2 %.
const LEVEL: i32 = 6;
/// No section that an engine writes packs better than this; a frame that claims to is no section.
const MAX_RATIO: usize = 1 << 14;
/// Bytes that a short frame may claim in any case.
const MIN_LIMIT: usize = 1 << 16;

/// Why packed bytes cannot be read.
pub(super) type Fault = &'static str;

/// Writes columns one after another.
#[derive(Default)]
pub(super) struct Writer {
    written: Vec<u8>,
    /// Where each column begins, or each plane of one.
    starts: Vec<usize>,
}

impl Writer {
    /// A number in as many bytes as it needs.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.written.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.written.push(value as u8);
    }

    /// Bytes as they are, with their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.starts.push(self.written.len());
        self.written.extend_from_slice(bytes);
    }

    /// A column of 64 bits.
    pub fn column(&mut self, values: &[u64]) {
        let before = std::iter::once(0).chain(values.iter().copied());
        let steps = values.iter().zip(before);
        let steps = steps.map(|(value, before)| zigzag(value.wrapping_sub(before)));
        self.smaller(values, &steps.collect::<Vec<u64>>());
    }

    /// A column of 32 bits.
    pub fn numbers(&mut self, values: impl Iterator<Item = u32>) {
        let values: Vec<u64> = values.map(u64::from).collect();
        let before = std::iter::once(0).chain(values.iter().copied());
        let steps = values.iter().zip(before);
        let steps = steps.map(|(value, before)| {
            u64::from(zigzag32((*value as u32).wrapping_sub(before as u32)))
        });
        let steps: Vec<u64> = steps.collect();
        self.smaller(&values, &steps);
    }

    /// The planes of a column, or those of its steps, whichever take fewer bits.
    fn smaller(&mut self, values: &[u64], steps: &[u64]) {
        let n_bits = |values: &[u64]| values.iter().map(|value| width(*value)).sum::<u64>();
        let is_stepped = n_bits(steps) < n_bits(values);
        let kept = if is_stepped { steps } else { values };
        let largest = kept.iter().fold(0, |all, value| all | value);
        let n_planes = (width(largest).div_ceil(8) as u8).max(1);
        self.number(kept.len() as u64);
        self.written.push(n_planes | u8::from(is_stepped) << 4);
        for plane in 0..n_planes {
            self.starts.push(self.written.len());
            self.written
                .extend(kept.iter().map(|value| (value >> (8 * plane)) as u8));
        }
    }

    /// A column of an archive.
    pub fn archived(&mut self, values: &[u32_le]) {
        self.numbers(values.iter().map(|value| value.to_native()));
    }

    /// A column of an archive.
    pub fn archived_short(&mut self, values: &[u16_le]) {
        self.numbers(values.iter().map(|value| u32::from(value.to_native())));
    }

    /// A column of an archive, bit by bit.
    pub fn archived_float(&mut self, values: &[f32_le]) {
        self.numbers(values.iter().map(|value| value.to_native().to_bits()));
    }

    /// The column of the differences of values from their predictions.
    pub fn differences(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.numbers(pairs.map(|(value, expected)| zigzag32(value.wrapping_sub(expected))));
    }

    /// Returns the written bytes, not packed.
    pub fn into_bytes(self) -> Vec<u8> {
        self.written
    }

    /// Returns the written bytes, packed: their length in 4 bytes, then Zstandard frames.
    pub fn pack(self) -> Vec<u8> {
        self.pack_with(&KnownFrames::default())
    }

    /// As [`Writer::pack`], with frames that need not be packed again.
    pub fn pack_with(self, known: &KnownFrames) -> Vec<u8> {
        frames::pack(&self.written, &self.starts, LEVEL, known)
    }
}

/// Reads columns in the order in which they were written.
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(ENDS)?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number is too long")
    }

    /// A number that counts or indexes something in memory.
    pub fn length(&mut self) -> Result<usize, Fault> {
        usize::try_from(self.number()?).map_err(|_| "a number is too large")
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Fault> {
        let (bytes, rest) = self.0.split_at_checked(n).ok_or(ENDS)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Bytes with their number.
    pub fn bytes(&mut self) -> Result<&'a [u8], Fault> {
        let n = self.length()?;
        self.take(n)
    }

    /// Bytes with their number, which must be a text.
    pub fn text(&mut self) -> Result<&'a str, Fault> {
        std::str::from_utf8(self.bytes()?).map_err(|_| "a text is not UTF-8")
    }

    /// A column of 32 bits.
    pub fn numbers(&mut self) -> Result<Vec<u32>, Fault> {
        let (n, mode) = self.head()?;
        let n_planes = mode & 15;
        if n_planes > 4 {
            return Err("a number is too large");
        }
        let mut planes = [&[][..]; 4];
        for plane in planes.iter_mut().take(usize::from(n_planes)) {
            *plane = self.take(n)?;
        }
        let mut values = vec![0; n];
        merge(&planes[..usize::from(n_planes)], &mut values);
        if mode & 16 != 0 {
            sum(&mut values, 0);
        }
        Ok(values)
    }

    /// A column of 64 bits.
    pub fn longs(&mut self) -> Result<Vec<u64>, Fault> {
        let (n, mode) = self.head()?;
        let n_planes = usize::from(mode & 15);
        let mut planes = [&[][..]; 8];
        for plane in planes.iter_mut().take(n_planes) {
            *plane = self.take(n)?;
        }
        let (low, high) = planes[..n_planes].split_at(n_planes.min(4));
        let mut halves = [vec![0_u32; n], vec![0; if high.is_empty() { 0 } else { n }]];
        for (half, planes) in halves.iter_mut().zip([low, high]) {
            merge(planes, half);
        }
        let [low, high] = halves;
        let has_steps = mode & 16 != 0;
        let mut last = 0_u64;
        let step = |coded: u64| {
            if !has_steps {
                return coded;
            }
            last = last.wrapping_add(unzigzag(coded));
            last
        };
        let low = low.into_iter().map(u64::from);
        if high.is_empty() {
            return Ok(low.map(step).collect());
        }
        let both = low.zip(high);
        let both = both.map(|(low, high)| low | u64::from(high) << 32);
        Ok(both.map(step).collect())
    }

    /// Number of values of the next column, and how they are written.
    fn head(&mut self) -> Result<(usize, u8), Fault> {
        let n = self.length()?;
        let [mode] = self.take(1)? else {
            return Err(ENDS);
        };
        let n_planes = mode & 15;
        if n_planes == 0 || n_planes > 8 || n > self.0.len() {
            return Err("a column is longer than its section");
        }
        Ok((n, *mode))
    }

    /// A column of 16 bits.
    pub fn shorts(&mut self) -> Result<Vec<u16>, Fault> {
        Ok(self
            .numbers()?
            .into_iter()
            .map(|value| value as u16)
            .collect())
    }

    /// A column of numbers with a point.
    pub fn floats(&mut self) -> Result<Vec<f32>, Fault> {
        Ok(self.numbers()?.into_iter().map(f32::from_bits).collect())
    }

    /// The values whose differences from their predictions were written: `expected` predicts each in turn, given those
    /// before it.
    pub fn differences(&mut self, expected: impl Fn(usize) -> u32) -> Result<Vec<u32>, Fault> {
        let mut values = self.numbers()?;
        for (idx, value) in values.iter_mut().enumerate() {
            *value = unzigzag32(*value).wrapping_add(expected(idx));
        }
        Ok(values)
    }

    /// Nothing must be left.
    pub fn end(&self) -> Result<(), Fault> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err("it does not end where it should")
        }
    }

    /// Returns the bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
}

const ENDS: Fault = "it ends too early";

/// Bits that a number needs.
fn width(value: u64) -> u64 {
    u64::from(u64::BITS - value.leading_zeros())
}

/// Small numbers for small steps whatever their sign: 0, −1, 1, −2 are 0, 1, 2, 3.
fn zigzag(step: u64) -> u64 {
    (step << 1) ^ ((step as i64) >> 63) as u64
}

fn unzigzag(coded: u64) -> u64 {
    (coded >> 1) ^ (coded & 1).wrapping_neg()
}

/// Bytes, packed: their number in 4 bytes, then a Zstandard frame.
pub(super) fn pack(bytes: &[u8], level: i32) -> Vec<u8> {
    frames::pack(bytes, &[], level, &KnownFrames::default())
}

/// The number of bytes that packed ones say they unpack to. One that cannot be right must not cost its memory.
pub(super) fn declared(packed: &[u8]) -> Result<usize, Fault> {
    let (length, frame) = packed.split_first_chunk().ok_or(ENDS)?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > frame.len().saturating_mul(MAX_RATIO).max(MIN_LIMIT) {
        return Err("its length cannot be right");
    }
    Ok(length)
}

/// The reverse of [`pack`]. Never makes more room than the frame can fill.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<u8>, Fault> {
    let length = declared(packed)?;
    let frame = packed.get(4..).unwrap_or_default();
    // Room without zeros: what is not written is not part of the result.
    let mut bytes = Vec::with_capacity(length);
    match zstd_safe::decompress(&mut bytes, frame) {
        Ok(unpacked) if unpacked == length => Ok(bytes),
        Ok(_) => Err("its length is not right"),
        Err(_) => Err("it cannot be unpacked"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn columns_come_back(long in prop::collection::vec(any::<u64>(), 0..200), short in prop::collection::vec(any::<u32>(), 0..200), rising in prop::collection::vec(0_u32..40, 0..200)) {
            let mut sum = 0;
            let rising: Vec<u32> = rising.into_iter().map(|step| { sum += step; sum }).collect();
            let mut writer = Writer::default();
            writer.column(&long);
            writer.numbers(short.iter().copied());
            writer.numbers(rising.iter().copied());
            writer.differences(short.iter().map(|value| (*value, 7)));
            writer.bytes(b"end");
            let bytes = unpack(&writer.pack()).unwrap();
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.longs().unwrap(), long);
            prop_assert_eq!(&reader.numbers().unwrap(), &short);
            prop_assert_eq!(reader.numbers().unwrap(), rising);
            prop_assert_eq!(reader.differences(|_| 7).unwrap(), short);
            prop_assert_eq!(reader.text().unwrap(), "end");
            prop_assert!(reader.end().is_ok());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = unpack(&bytes);
            let mut reader = Reader::new(&bytes);
            while !reader.rest().is_empty() && reader.numbers().is_ok() {}
            let mut reader = Reader::new(&bytes);
            while !reader.rest().is_empty() && reader.longs().is_ok() {}
        }
    }
}
