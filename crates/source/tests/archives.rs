//! Archives of every kind, whole and hostile.

extern crate portolan_source as source;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use source::{FileSet, SourceConfig};
use zip::write::SimpleFileOptions;

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        writer
            .start_file(*path, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in entries {
        let mut header = tar::Header::new_ustar();
        // `set_path` refuses `..`, so the name is written as it is.
        header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn show(set: &FileSet) -> String {
    let files = set
        .files
        .iter()
        .map(|file| format!("{}: {}", file.path, file.text.trim_end()));
    let skipped = set
        .skipped
        .iter()
        .map(|s| format!("{} ({})", s.path, s.reason.code()));
    files.chain(skipped).collect::<Vec<_>>().join("\n")
}

/// The same entries as zip, tar and tar.gz give the same set.
fn check(entries: &[(&str, &[u8])], expected: &str) {
    let config = SourceConfig::default();
    let tar = tar(entries);
    for (kind, bytes) in [("zip", zip(entries)), ("tar.gz", gzip(&tar)), ("tar", tar)] {
        let set = FileSet::from_archive(&bytes, &config).unwrap();
        assert_eq!(show(&set), expected, "{kind}");
    }
}

#[test]
fn the_single_top_folder_is_left_out() {
    check(
        &[("repo-1.0/b.rs", b"b"), ("repo-1.0/src/a.rs", b"a")],
        "b.rs: b\nsrc/a.rs: a",
    );
    check(
        &[("src/a.rs", b"a"), ("b.rs", b"b")],
        "b.rs: b\nsrc/a.rs: a",
    );
}

#[test]
fn ignore_files_within_are_obeyed() {
    let entries: &[(&str, &[u8])] = &[
        ("r/gen/a.rs", b""),
        ("r/node_modules/x/i.js", b""),
        ("r/.gitignore", b"gen/"),
    ];
    check(
        entries,
        ".gitignore: gen/\ngen/ (ignored)\nnode_modules/ (default-exclude)",
    );
}

#[test]
fn names_that_lead_out_are_skipped() {
    check(
        &[
            ("../../etc/passwd", b"x"),
            ("/abs", b"x"),
            ("a/../../b", b"x"),
            ("ok/a.rs", b"a"),
        ],
        "a.rs: a\n../../etc/passwd (unsafe-path)\n/abs (unsafe-path)\na/../../b (unsafe-path)",
    );
}

#[test]
fn binary_and_foreign_encodings_are_named() {
    check(
        &[("a.png", b"\0"), ("b.txt", b"\xE9")],
        "a.png (binary)\nb.txt (not-utf-8)",
    );
}

#[test]
fn of_two_entries_with_one_path_the_first_counts() {
    let archive = tar(&[
        ("a.rs", b"first"),
        ("a.rs", b"second"),
        ("./a.rs", b"third"),
    ]);
    let set = FileSet::from_archive(&archive, &SourceConfig::default()).unwrap();
    assert_eq!(show(&set), "a.rs: first\na.rs (duplicate-path)");
}

#[test]
fn a_bomb_is_stopped() {
    let config = SourceConfig {
        max_file_bytes: 1_000_000,
        max_archive_bytes: 3_000_000,
        ..SourceConfig::default()
    };
    let line = [b'x'; 99]
        .iter()
        .copied()
        .chain([b'\n'])
        .collect::<Vec<u8>>();
    let almost = line.repeat(9_000);
    let huge = vec![0; 50_000_000];
    let entries: &[(&str, &[u8])] = &[
        ("0.rs", &almost),
        ("1.rs", &almost),
        ("2.rs", &almost),
        ("3.rs", &almost),
        ("4.rs", &almost),
        ("bomb", &huge),
    ];
    let set = FileSet::from_archive(&zip(entries), &config).unwrap();
    let codes: Vec<_> = set
        .skipped
        .iter()
        .map(|s| (s.path.as_str(), s.reason.code()))
        .collect();
    assert_eq!(set.files.len(), 3);
    assert_eq!(
        codes,
        [
            ("3.rs", "archive-limit"),
            ("4.rs", "archive-limit"),
            ("bomb", "too-large")
        ]
    );

    let set = FileSet::from_archive(&gzip(&tar(entries)), &config).unwrap();
    assert_eq!(set.files.len(), 3);
    assert!(
        set.skipped
            .iter()
            .any(|s| s.reason.code() == "archive-limit")
    );
}

#[test]
fn an_entry_that_lies_about_its_size_is_read_no_further_than_the_limit() {
    let mut bytes = zip(&[("a.rs", &[b'\n'; 5_000_000])]);
    // The uncompressed size in the central directory, which readers trust.
    let at = bytes.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap() + 24;
    bytes[at..at + 4].copy_from_slice(&10u32.to_le_bytes());
    let set = FileSet::from_archive(&bytes, &SourceConfig::default()).unwrap();
    assert_eq!(set.files.len(), 0);
    assert_eq!(set.skipped.len(), 1, "{:?}", set.skipped);
}

#[test]
fn links_are_named() {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    builder
        .append_link(&mut header, "a", "/etc/passwd")
        .unwrap();
    let set =
        FileSet::from_archive(&builder.into_inner().unwrap(), &SourceConfig::default()).unwrap();
    assert_eq!(show(&set), "a (link)");
}

#[test]
fn what_is_no_archive_is_refused_by_name() {
    let code = |bytes: &[u8]| {
        FileSet::from_archive(bytes, &SourceConfig::default())
            .unwrap_err()
            .code()
    };
    assert_eq!(code(b""), "archive.unknown");
    assert_eq!(code(b"hello"), "archive.unknown");
    assert_eq!(code(b"PK\x03\x04 and then nothing"), "archive.damaged");
    assert_eq!(code(&gzip(b"not a tar")), "archive.damaged");
}

#[test]
fn a_zip_without_its_end_says_so_in_plain_words_and_what_to_do() {
    let whole = zip(&[("a.rs", b"fn main() {}")]);
    let error =
        FileSet::from_archive(&whole[..whole.len() - 30], &SourceConfig::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the archive is damaged: the list of its files, at its end, is missing or broken"
    );
    assert!(error.help().contains("download or pack it again"));
}

#[test]
fn an_empty_archive_is_an_empty_set() {
    for bytes in [zip(&[]), gzip(&tar(&[]))] {
        assert_eq!(
            FileSet::from_archive(&bytes, &SourceConfig::default()).unwrap(),
            FileSet::default()
        );
    }
}

#[test]
fn a_cut_tar_gives_what_came_before_the_cut() {
    let whole = gzip(&tar(&[("a.rs", b"a"), ("b.rs", &pseudo_random(60_000))]));
    let set = FileSet::from_archive(&whole[..whole.len() / 2], &SourceConfig::default()).unwrap();
    assert_eq!(set.files.len(), 1);
    assert!(
        set.skipped.iter().any(|s| s.reason.code() == "unreadable"),
        "{:?}",
        set.skipped
    );
}

/// Text that does not compress.
fn pseudo_random(n_bytes: usize) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + (state >> 24) as u8 % 26
    };
    (0..n_bytes)
        .map(|idx| if idx % 80 == 79 { b'\n' } else { next() })
        .collect()
}

proptest! {
    #[test]
    fn a_damaged_archive_never_panics(at in 0usize..2_000, bit in 0u8..8, cut in 0usize..2_000) {
        let entries: &[(&str, &[u8])] = &[("r/a.rs", b"fn a() {}"), ("r/.gitignore", b"*.log"), ("r/b.log", b"log")];
        for mut bytes in [zip(entries), tar(entries), gzip(&tar(entries))] {
            let n_bytes = bytes.len();
            bytes[at % n_bytes] ^= 1 << bit;
            let _ = FileSet::from_archive(&bytes, &SourceConfig::default());
            let _ = FileSet::from_archive(&bytes[..cut % n_bytes], &SourceConfig::default());
        }
    }
}

/// An entry of this type with these contents.
fn entry(kind: u8, name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.as_mut_bytes()[156] = kind;
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    let mut block = header.as_bytes().to_vec();
    block.extend(bytes);
    block.resize(block.len().next_multiple_of(512), 0);
    block
}

#[test]
fn long_names_of_gnu_and_pax_are_read() {
    let long = format!("{}x.rs", "folder/".repeat(40));
    let record = format!(" path={long}\n");
    let pax = format!("{}{record}", record.len() + 3);
    let archive = [
        entry(b'L', "././@LongLink", format!("{long}\0").as_bytes()),
        entry(b'0', "folder/short", b"gnu"),
        entry(
            b'g',
            "pax_global_header",
            b"30 comment=0123456789abcdef01\n",
        ),
        entry(b'x', "PaxHeaders/y", pax.replace("x.rs", "y.rs").as_bytes()),
        entry(b'0', "folder/short", b"pax"),
        entry(b'0', "z.rs", b"plain"),
        vec![0; 1024],
    ]
    .concat();
    for bytes in [gzip(&archive), archive] {
        let set = FileSet::from_archive(&bytes, &SourceConfig::default()).unwrap();
        let y = long.replace("x.rs", "y.rs");
        assert_eq!(show(&set), format!("{long}: gnu\n{y}: pax\nz.rs: plain"));
    }
}

#[test]
fn names_without_end_are_skipped_in_little_memory() {
    let name = vec![b'a'; 7_000_000];
    let archive = [
        entry(b'L', "././@LongLink", &name),
        entry(b'0', "short", b"1"),
        entry(b'x', "PaxHeaders/y", &vec![b'b'; 7_000_000]),
        entry(b'0', "short", b"2"),
        entry(b'0', "z.rs", b"3"),
        vec![0; 1024],
    ]
    .concat();
    let set = FileSet::from_archive(&gzip(&archive), &SourceConfig::default()).unwrap();
    let paths: Vec<&str> = set.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["z.rs"]);
    assert_eq!(set.skipped.len(), 2);
    assert!(set.skipped.iter().all(|skipped| skipped.path.len() < 200));
}

#[test]
fn an_archive_unpacks_to_fifty_times_its_size() {
    let config = SourceConfig::default();
    assert_eq!(config.unpacked(0), 16 << 20);
    assert_eq!(config.unpacked(1 << 20), 66 << 20);
    assert_eq!(config.unpacked(1 << 30), 1 << 30);
}

#[test]
fn entries_are_limited() {
    let config = SourceConfig {
        max_files: 10,
        ..SourceConfig::default()
    };
    let archive = [
        entry(b'5', "d/", b"").repeat(150),
        entry(b'0', "a.rs", b"1"),
    ]
    .concat();
    let set = FileSet::from_archive(&archive, &config);
    assert!(matches!(set, Ok(set) if set.files.is_empty() && set.skipped.len() == 1));
}
