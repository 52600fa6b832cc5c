use super::*;
use proptest::prelude::*;

const SECTIONS: [(&str, &[u8]); 3] = [
    ("info", b"twelve bytes"),
    ("empty", b""),
    ("texts", b"0123456789abcdef0"),
];

fn contents(file: &[u8]) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let sections = read(file)?;
    sections
        .iter()
        .try_for_each(|section| check(&file[section.range.clone()], section))?;
    Ok(sections
        .into_iter()
        .map(|section| (section.name, file[section.range].to_vec()))
        .collect())
}

#[test]
fn what_is_written_is_read() {
    let file = write(&SECTIONS);
    let expected: Vec<_> = SECTIONS
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .into();
    assert_eq!(contents(&file), Ok(expected));
    assert!(
        read(&file)
            .unwrap()
            .iter()
            .all(|section| section.range.start % ALIGN == 0)
    );
    assert_eq!(engine_version(&file), env!("CARGO_PKG_VERSION"));
}

#[test]
fn every_fault_has_its_name() {
    let file = write(&SECTIONS).to_vec();
    let code = |change: fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        change(&mut file);
        contents(&file).map(|_| ()).map_err(|error| error.code())
    };
    assert_eq!(code(|file| file.clear()), Err("snapshot.foreign"));
    assert_eq!(
        code(|file| *file = b"PK\x03\x04".to_vec()),
        Err("snapshot.foreign")
    );
    assert_eq!(code(|file| file.truncate(5)), Err("snapshot.truncated"));
    assert_eq!(code(|file| file.truncate(100)), Err("snapshot.truncated"));
    assert_eq!(
        code(|file| file.truncate(file.len() - 1)),
        Err("snapshot.truncated")
    );
    assert_eq!(code(|file| file[8] = 0), Err("snapshot.version"));
    assert_eq!(
        code(|file| file[8] = FORMAT_VERSION as u8 + 1),
        Err("snapshot.version")
    );
    assert_eq!(code(|file| file[8] = 1), Err("snapshot.version"));
    assert_eq!(code(|file| file[70] ^= 1), Err("snapshot.checksum"));
    assert_eq!(code(|file| file[200] ^= 1), Err("snapshot.checksum"));
}

#[test]
fn the_version_message_says_what_to_do() {
    let mut file = write(&SECTIONS);
    file[8] = 9;
    let error = read(&file).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("the snapshot has format version 9"),
        "{error}"
    );
    assert_eq!(error.help(), "update Portolan");
}

proptest! {
    #[test]
    fn a_flipped_bit_is_found_or_does_no_harm(at in 0usize..300, bit in 0u8..8) {
        let whole = write(&SECTIONS);
        let mut file = whole.to_vec();
        let n_bytes = file.len();
        file[at % n_bytes] ^= 1 << bit;
        if let Ok(read) = contents(&file) {
            prop_assert_eq!(Ok(read), contents(&whole));
        }
    }

    #[test]
    fn a_cut_is_always_found(at in 0usize..300) {
        let whole = write(&SECTIONS);
        prop_assert!(read(&whole[..at % whole.len()]).is_err());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut file = write(&SECTIONS).to_vec();
        let n_bytes = bytes.len().min(file.len() - 12);
        file[12..12 + n_bytes].copy_from_slice(&bytes[..n_bytes]);
        let _ = read(&file);
        let _ = read(&bytes);
    }
}
