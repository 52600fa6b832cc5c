use super::*;

fn files(changed: usize) -> Vec<(String, String)> {
    let text = |n: usize| {
        let line = if n == changed { "changed\n" } else { "line\n" };
        line.repeat(900 + n)
    };
    (0..120)
        .map(|n| (format!("src/{n:03}.rs"), text(n)))
        .collect()
}

fn text_of(store: &TextStore, idx: usize) -> Option<&str> {
    let faults = FaultSlot::default();
    let text = store.bytes_of(idx, &faults);
    faults.finish(Ok::<_, Error>(())).unwrap();
    text.and_then(|text| std::str::from_utf8(text).ok())
}

fn written(store: &TextStore) -> (Vec<u8>, Vec<u8>) {
    let blocks: Vec<Cow<'_, [u8]>> = store.packed_blocks().collect();
    (store.directory(), blocks.concat())
}

fn store(files: &[(String, String)], last: Option<(&TextStore, &[Option<u32>])>) -> TextStore {
    let texts: Vec<Text> = files.iter().map(|(_, text)| text.as_str().into()).collect();
    let paths = files.iter().map(|(path, _)| path.as_str());
    TextStore::new(paths.zip(&texts), last)
}

#[test]
fn joined_texts_are_not_copied() {
    let files = files(5);
    let mut texts: Vec<Text> = files.iter().map(|(_, text)| text.as_str().into()).collect();
    let paths = || files.iter().map(|(path, _)| path.as_str());
    Text::join(paths().zip(&mut texts).collect());
    let joined = TextStore::new(paths().zip(&texts), None);
    assert!(joined.blocks.len() > 1, "{}", joined.blocks.len());
    let of_block = |block: &Arc<Block>| block.raw.get().map(Arc::strong_count);
    assert!(joined.blocks.iter().all(|block| of_block(block) > Some(1)));
    assert!(written(&joined) == written(&store(&files, None)));
}

#[test]
fn texts_come_back_from_any_end() {
    let files = files(5);
    let built = store(&files, None);
    let (directory, blocks) = written(&built);
    let read = TextStore::read(&directory).unwrap();
    assert!(read.fill(&blocks[1..]).is_err());
    let read = TextStore::read(&directory).unwrap();
    read.fill(&blocks).unwrap();
    for (idx, (_, text)) in files.iter().enumerate().rev() {
        assert_eq!(text_of(&read, idx), Some(text.as_str()));
        assert_eq!(text_of(&built, idx), Some(text.as_str()));
    }
    assert_eq!(text_of(&read, files.len()), None);
    assert!(written(&read) == (directory, blocks));
}

#[test]
fn blocks_of_unchanged_files_are_shared_and_the_same_bytes() {
    let before = files(usize::MAX);
    let last = store(&before, None);
    written(&last);
    let after = files(60);
    let origins: Vec<Option<u32>> = (0..120).map(|n| (n != 60).then_some(n)).collect();
    let next = store(&after, Some((&last, &origins)));
    let shared = next
        .blocks
        .iter()
        .filter(|block| block.packed.get().is_some())
        .count();
    assert!(
        shared > 0 && shared + 2 >= next.blocks.len(),
        "{shared} of {}",
        next.blocks.len()
    );
    assert!(written(&next) == written(&store(&after, None)));
}

#[test]
fn blocks_arrive_when_they_are_asked_for() {
    let files = files(5);
    let (directory, blocks) = written(&store(&files, None));
    let read = TextStore::read(&directory).unwrap();
    assert_eq!(text_of(&read, 119), None);
    let missing = read.take_missing();
    assert_eq!(missing, [read.blocks.len() as u32 - 1]);
    assert_eq!(read.take_missing(), [0; 0]);
    let range = read.range_of(missing[0]).unwrap();
    let last = &blocks[range.start as usize..range.end as usize];
    assert!(!read.provide(missing[0], &last[1..]));
    assert!(read.provide(missing[0], last));
    assert_eq!(text_of(&read, 119), Some(files[119].1.as_str()));
}
