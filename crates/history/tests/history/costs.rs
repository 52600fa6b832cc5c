//! Repositories that are small and ask for much: time and memory stay within the limits, counted in work and not by a clock.

use std::cell::Cell;
use std::rc::Rc;

use portolan_history::{
    Blame, BlameLimits, Error, History, Limits, MemoryFiles, Note, ObjectFiles, Progress,
    Repository,
};

/// Files that count what is read of them.
struct Counted {
    files: MemoryFiles,
    n_bytes: Rc<Cell<u64>>,
    n_asked: Rc<Cell<u64>>,
}

impl ObjectFiles for Counted {
    fn n_bytes(&self, name: &str) -> Result<Option<u64>, Error> {
        self.n_asked.set(self.n_asked.get() + 1);
        self.files.n_bytes(name)
    }

    fn read(&self, name: &str, start: u64, len: usize) -> Result<Vec<u8>, Error> {
        let bytes = self.files.read(name, start, len)?;
        self.n_bytes.set(self.n_bytes.get() + bytes.len() as u64);
        Ok(bytes)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        self.files.list(folder)
    }
}

/// Reads the history; returns its notes, the bytes that were read, and the names that were asked for.
fn read(files: MemoryFiles, limits: Limits) -> (History, u64, u64) {
    let (n_bytes, n_asked) = (Rc::default(), Rc::default());
    let counted = Counted {
        files,
        n_bytes: Rc::clone(&n_bytes),
        n_asked: Rc::clone(&n_asked),
    };
    let mut repository = Repository::open(Box::new(counted), limits).unwrap();
    let history = History::read(&mut repository).unwrap();
    (history, n_bytes.get(), n_asked.get())
}

/// A name of 40 digits that no other number has.
fn name(nth: u32) -> String {
    format!("{nth:08x}{}", "7".repeat(32))
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

fn put(files: &mut MemoryFiles, name: &str, bytes: Vec<u8>) {
    let path = format!("objects/{}/{}", &name[..2], &name[2..]);
    files.files.insert(path, bytes);
}

fn object(kind: &str, contents: &[u8]) -> Vec<u8> {
    packed(&[format!("{kind} {}\0", contents.len()).as_bytes(), contents].concat())
}

fn bytes_of(name: &str) -> Vec<u8> {
    let pair = |at: usize| u8::from_str_radix(&name[at..at + 2], 16).unwrap();
    (0..40).step_by(2).map(pair).collect()
}

fn with_head(head: &str) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    let contents = head.as_bytes().to_vec();
    files.files.insert("HEAD".to_owned(), contents);
    files
}

/// Most memory that this process has had, in bytes; 0 where the system does not tell.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let digits: String = line
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    1024 * digits.parse::<u64>().unwrap_or(0)
}

#[test]
fn a_folder_of_many_large_folders_is_in_memory_one_at_a_time() {
    // Names are not verified: every folder is the same object of 8 MiB, which is too large to be kept.
    let inner = [b"100644 a\0".to_vec(), vec![1; 20], vec![b'0'; 8 << 20]].concat();
    let entries: Vec<u8> = (0..200_u32)
        .flat_map(|nth| {
            let entry = format!("40000 {nth:08}\0").into_bytes();
            [entry, bytes_of(&name(2))].concat()
        })
        .collect();
    let mut files = with_head(&name(0));
    let commit = format!("tree {}\n\nx", name(1));
    put(&mut files, &name(0), object("commit", commit.as_bytes()));
    put(&mut files, &name(1), object("tree", &entries));
    put(&mut files, &name(2), object("tree", &inner));
    let before = most_memory();
    let (history, ..) = read(files, Limits::default());
    assert_eq!((history.n_commits(), history.n_files()), (1, 0));
    let taken = most_memory() - before;
    assert!(taken < 200 << 20, "{taken} bytes");
}

#[test]
fn paths_of_folders_that_wait_are_within_the_limit_of_paths() {
    // One folder that contains itself under 20,000 long names.
    let long = "n".repeat(400);
    let entries: Vec<u8> = (0..20_000_u32)
        .flat_map(|nth| {
            let entry = format!("40000 {nth:05}{long}\0").into_bytes();
            [entry, bytes_of(&name(1))].concat()
        })
        .collect();
    let mut files = with_head(&name(0));
    let commit = format!("tree {}\n\nx", name(1));
    put(&mut files, &name(0), object("commit", commit.as_bytes()));
    put(&mut files, &name(1), object("tree", &entries));
    let before = most_memory();
    let (history, ..) = read(files, Limits::default());
    assert_eq!(history.n_files(), 0);
    assert!(history.notes().contains(&Note::Limit("files")));
    let taken = most_memory() - before;
    assert!(taken < 300 << 20, "{taken} bytes");
}

#[test]
fn broken_loose_objects_cost_work() {
    // Two trees of 8 MiB whose streams break off, in turn the tree of each of 1,000 commits.
    let mut files = with_head(&name(0));
    let mut broken = object("tree", &vec![b'0'; 8 << 20]);
    broken.truncate(broken.len() - 8);
    for nth in 0..1_000 {
        let (tree, parent) = (name(5_000 + nth % 2), name(nth + 1));
        let text = format!("tree {tree}\nparent {parent}\n\nx");
        put(&mut files, &name(nth), object("commit", text.as_bytes()));
    }
    put(&mut files, &name(5_000), broken.clone());
    put(&mut files, &name(5_001), broken);
    let limits = Limits {
        work_bytes: 256 << 20,
        ..Limits::default()
    };
    let (history, n_bytes, _) = read(files, limits);
    assert!(history.notes().contains(&Note::Limit("work")));
    assert!(n_bytes < 2 << 20, "{n_bytes} bytes");
}

#[test]
fn names_that_are_nowhere_cost_work() {
    // 400 indexes of 640 KB that have none of the 12,800 parents.
    let n_objects: u32 = 20_000;
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    (0..=255_u32).for_each(|_| index.extend(n_objects.to_be_bytes()));
    index.extend(vec![0; 28 * n_objects as usize + 40]);
    let pack = [&b"PACK\0\0\0\x02"[..], &[0; 40]].concat();
    let mut files = with_head(&name(0));
    for nth in 0..400 {
        let path = |end: &str| format!("objects/pack/pack-{nth:04x}.{end}");
        files.files.insert(path("idx"), index.clone());
        files.files.insert(path("pack"), pack.clone());
    }
    for nth in 0..100 {
        let mut text = format!("tree {}\nparent {}\n", name(9_999), name(nth + 1));
        for missing in 0..127 {
            let parent = name(100_000 + nth * 127 + missing);
            text.push_str(&format!("parent {parent}\n"));
        }
        put(&mut files, &name(nth), object("commit", text.as_bytes()));
    }
    put(&mut files, &name(9_999), object("tree", b""));
    let limits = Limits {
        work_bytes: 64 << 20,
        cache_bytes: 1 << 20,
        ..Limits::default()
    };
    let (history, n_bytes, n_asked) = read(files, limits);
    assert!(history.notes().contains(&Note::Limit("work")));
    assert!(n_bytes < 2_000 << 20, "{n_bytes} bytes");
    assert!(n_asked < 10_000, "{n_asked} names");
}

/// Lines without an order, of which there are `n_kinds`.
fn mixed_lines(n: u32, n_kinds: u32, from: u32) -> Vec<u8> {
    let line = |nth: u32| (nth + from).wrapping_mul(2_654_435_761) >> 12;
    (0..n)
        .flat_map(|nth| format!("{}\n", line(nth) % n_kinds).into_bytes())
        .collect()
}

/// The number of commits that two versions of a file are blamed on.
fn blamed(old: &[u8], new: &[u8]) -> usize {
    let mut files = with_head(&name(0));
    for (at, text) in [(0, new), (1, old)] {
        let tree = [b"100644 a\0".to_vec(), bytes_of(&name(20 + at))].concat();
        put(&mut files, &name(20 + at), object("blob", text));
        put(&mut files, &name(10 + at), object("tree", &tree));
        let parent = match at {
            0 => format!("parent {}\n", name(1)),
            _ => String::new(),
        };
        let commit = format!("tree {}\n{parent}\nx", name(10 + at));
        put(&mut files, &name(at), object("commit", commit.as_bytes()));
    }
    let mut repository = Repository::open(Box::new(files), Limits::default()).unwrap();
    let head = repository.head().unwrap();
    let mut blame = Blame::begin(&mut repository, "a", head, BlameLimits::default()).unwrap();
    while blame.step(&mut repository, 100).unwrap() == Progress::More {}
    let lines = blame.finish(&mut repository).unwrap();
    assert_eq!(
        lines.lines.len(),
        new.split_inclusive(|byte| *byte == b'\n').count()
    );
    lines.commits.len()
}

#[test]
fn versions_of_a_million_lines_that_occur_everywhere_are_not_compared() {
    let (old, new) = (mixed_lines(1_000_000, 2, 0), mixed_lines(1_000_000, 2, 7));
    assert_eq!(blamed(&old, &new), 1);
}

#[test]
fn versions_with_few_differences_are_compared_whatever_their_length() {
    let old = mixed_lines(500_000, 1_000_000, 0);
    let new = [b"first\n".to_vec(), old.clone()].concat();
    assert_eq!(blamed(&old, &new), 2);
}
