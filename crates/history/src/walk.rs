//! From the newest commit to older ones, and the files that each changed. Commits of an earlier log are not read again: the walk itself is
//! repeated in memory, so its outcome is that of a walk without them.

use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::commit::Commit;
use crate::diff::{self, Difference};
use crate::log::{Cut, Files, How, Log, Paths, Record, assemble};
use crate::repository::Repository;
use crate::{Error, ErrorKind, Oid, renames};

/// Commits that may be known and not yet walked, for each that is walked.
const FRONTIER: usize = 4;

/// Reads the log of a commit, reusing an earlier log.
pub(crate) fn read(
    repository: &mut Repository,
    head: Oid,
    earlier: Option<&Log>,
) -> Result<Log, Error> {
    repository.renew();
    let mut walk = Walk::new(repository, earlier);
    let order = walk.order(head)?;
    let records = walk.records(order)?;
    let head_tree = match walk.trees.get(&head) {
        Some(tree) => *tree,
        None => walk.repository.commit(head)?.tree,
    };
    let files = walk.files(head_tree, earlier)?;
    let limits = *walk.repository.limits();
    Ok(assemble(
        &records,
        &walk.paths,
        &files,
        head_tree,
        walk.cuts,
        &limits,
    ))
}

struct Walk<'a> {
    repository: &'a mut Repository,
    known: FxHashMap<Oid, Record>,
    paths: Paths,
    /// Trees of commits that were read.
    trees: FxHashMap<Oid, Oid>,
    cuts: u32,
}

/// A commit that waits, by its time; of two with the same time the one with the higher name comes first, wherever it was met.
type Waiting = (i64, Oid);

impl<'a> Walk<'a> {
    fn new(repository: &'a mut Repository, earlier: Option<&Log>) -> Self {
        let mut paths = Paths::default();
        let limits = repository.limits();
        let asked = (limits.commits as u32, limits.files_per_commit as u32);
        // Files are listed up to a limit: with another one they are listed again.
        let earlier = earlier.filter(|log| log.limits.1 == asked.1);
        let records = earlier
            .map(|log| log.records(&mut paths))
            .unwrap_or_default();
        let known = records
            .into_iter()
            .map(|record| (record.id, record))
            .collect();
        Self {
            repository,
            known,
            paths,
            trees: FxHashMap::default(),
            cuts: 0,
        }
    }

    /// Returns the newest commits in the order of their times, parents after children.
    fn order(&mut self, head: Oid) -> Result<Vec<Record>, Error> {
        let most = self.repository.limits().commits;
        let mut waiting: BinaryHeap<Waiting> = BinaryHeap::new();
        let mut met: FxHashMap<Oid, Record> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let first = self.meet(head)?;
        waiting.push((first.committed, head));
        met.insert(head, first);
        seen.insert(head);
        let mut order = Vec::new();
        while let Some((_, oid)) = waiting.pop() {
            let Some(record) = met.remove(&oid) else {
                continue;
            };
            if order.len() == most {
                self.cuts |= Cut::OLDER.0;
                break;
            }
            if record.is_shallow {
                self.cuts |= Cut::PARENTS.0;
            }
            for &parent in &record.parents {
                if !seen.insert(parent) {
                    continue;
                }
                if seen.len() > most.saturating_mul(FRONTIER) {
                    self.cuts |= Cut::FRONTIER.0;
                    break;
                }
                match self.meet(parent) {
                    Ok(record) => {
                        waiting.push((record.committed, parent));
                        met.insert(parent, record);
                    }
                    Err(error) => self.forgive(&error, Cut::PARENTS)?,
                }
            }
            order.push(record);
        }
        Ok(order)
    }

    /// Returns a commit from the earlier log or from the repository, without its files.
    fn meet(&mut self, oid: Oid) -> Result<Record, Error> {
        let is_shallow = self.repository.is_shallow(oid);
        if let Some(record) = self.known.remove(&oid)
            && record.is_shallow == is_shallow
        {
            return Ok(record);
        }
        let commit = self.repository.commit(oid)?;
        self.trees.insert(oid, commit.tree);
        Ok(record(oid, commit, is_shallow))
    }

    /// Objects that are missing or broken shorten the log; a host that cannot read ends the run.
    fn forgive(&mut self, error: &Error, cut: Cut) -> Result<(), Error> {
        if error.kind() == ErrorKind::Unreadable {
            return Err(error.clone());
        }
        self.cuts |= cut.0;
        if self.repository.is_exhausted() {
            self.cuts |= Cut::WORK.0;
        }
        Ok(())
    }

    /// Adds the files to those commits that are new.
    fn records(&mut self, order: Vec<Record>) -> Result<Vec<Record>, Error> {
        let limits = *self.repository.limits();
        let mut n_changes = 0;
        let mut records = Vec::with_capacity(order.len());
        for mut record in order {
            if self.trees.contains_key(&record.id) {
                self.list(&mut record)?;
            }
            n_changes += record.changes.len();
            if n_changes > limits.changes {
                self.cuts |= Cut::CHANGES.0;
                break;
            }
            if self.paths.n_bytes() > limits.path_bytes {
                self.cuts |= Cut::PATHS.0;
                break;
            }
            records.push(record);
            if self.repository.is_exhausted() {
                self.cuts |= Cut::WORK.0;
                break;
            }
        }
        Ok(records)
    }

    /// Lists the files that a commit changed.
    fn list(&mut self, record: &mut Record) -> Result<(), Error> {
        if record.parents.len() > 1 {
            record.files = Files::Merge;
            return Ok(());
        }
        if record.is_shallow {
            record.files = Files::Unknown;
            return Ok(());
        }
        let difference = match self.difference(record) {
            Ok(difference) => difference,
            Err(error) => {
                record.files = Files::Unknown;
                return self.forgive(&error, Cut::TREES);
            }
        };
        if difference.is_cut {
            record.files = Files::Many;
            return Ok(());
        }
        let files = &difference.files;
        let path = |nth: usize| files[nth].path.as_str();
        let mut pairs = renames::pairs(files);
        if let Err(error) = renames::by_contents(self.repository, files, &mut pairs) {
            self.forgive(&error, Cut::WORK)?;
        }
        for (old, new) in pairs {
            let pair = (self.paths.number(path(old)), self.paths.number(path(new)));
            record.renames.push(pair);
        }
        for file in files {
            let how = match (file.old, file.new) {
                (None, _) => How::Added,
                (_, None) => How::Deleted,
                _ => How::Modified,
            };
            record.changes.push(how.of(self.paths.number(&file.path)));
        }
        Ok(())
    }

    fn difference(&mut self, record: &Record) -> Result<Difference, Error> {
        let most = self.repository.limits().files_per_commit;
        let new = self.tree(record.id)?;
        let old = match record.parents.first() {
            Some(parent) => Some(self.tree(*parent)?),
            None => None,
        };
        diff::trees(self.repository, old, Some(new), most)
    }

    fn tree(&mut self, commit: Oid) -> Result<Oid, Error> {
        match self.trees.get(&commit) {
            Some(tree) => Ok(*tree),
            None => Ok(self.repository.commit(commit)?.tree),
        }
    }

    /// Returns the files of the newest commit: those of the earlier log with the differences since, or all of them.
    fn files(&mut self, head_tree: Oid, earlier: Option<&Log>) -> Result<Vec<u32>, Error> {
        let limits = *self.repository.limits();
        if let Some(log) = earlier.filter(|log| !log.files.is_empty()) {
            let before = Some(Oid(log.head_tree));
            let most = limits.files_per_commit;
            let since = diff::trees(self.repository, before, Some(head_tree), most);
            if let Ok(since) = since
                && !since.is_cut
            {
                let mut files: FxHashSet<u32> = log
                    .files
                    .iter()
                    .map(|file| self.paths.number(log.paths.get(*file as usize)))
                    .collect();
                for file in since.files {
                    let number = self.paths.number(&file.path);
                    match file.new {
                        Some(_) => files.insert(number),
                        None => files.remove(&number),
                    };
                }
                if files.len() <= limits.files {
                    return Ok(files.into_iter().collect());
                }
            }
        }
        match diff::trees(self.repository, None, Some(head_tree), limits.files) {
            Ok(all) if !all.is_cut => {
                let paths = all.files.iter().map(|file| self.paths.number(&file.path));
                Ok(paths.collect())
            }
            Ok(_) => {
                self.cuts |= Cut::FILES.0;
                Ok(Vec::new())
            }
            Err(error) => {
                self.forgive(&error, Cut::FILES)?;
                Ok(Vec::new())
            }
        }
    }
}

/// A commit whose files are not listed yet.
fn record(id: Oid, commit: Commit, is_shallow: bool) -> Record {
    Record {
        id,
        parents: commit.parents,
        is_shallow,
        author: commit.author,
        authored: commit.authored,
        committed: commit.committed,
        subject: commit.subject,
        files: Files::Listed,
        changes: Vec::new(),
        renames: Vec::new(),
    }
}
