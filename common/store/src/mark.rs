//! The `MARK` file: how far a store had come, so that a loss is seen.
//!
//! RocksDB brings a store back whole after a crash, but it cannot tell a log or a manifest that lost its end from one that
//! was never longer: the store looks younger, or empty, and work that was done would silently be done again. So
//! whoever holds a store notes beside the engine how many shards are committed and the number of the last event, each
//! time after a synced batch, and nobody opens a store that holds less than it had come to.
//!
//! The mark is a **lower bound**. It is raised after the batch is on disk, and lowered on disk before rows are removed,
//! so a process or machine that stops between the two steps leaves a mark that is too low, never one that is too high.
//! Raising it costs microseconds: the file is overwritten in place and reaches the disk when the system likes. Two lines take
//! turns, each with a checksum, so one that was torn leaves the other.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Result, StoreError};
use crate::stamp::{Existing, write_synced};

/// The file's name inside a store.
pub const MARK_FILE: &str = "MARK";

/// How far a store has come, at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mark {
    /// Committed shards.
    pub(crate) shards: u64,
    /// The number of the last event that was synced.
    pub(crate) events: u64,
}

/// The open file of whoever holds the store.
#[derive(Debug)]
pub(crate) struct MarkFile {
    file: File,
    /// The latest line; its number decides which of the two comes next.
    latest: Mutex<(u64, Mark)>,
}

impl Mark {
    /// What the store at `path` had come to; `None` when it keeps no mark.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        Ok(read(path)?.map(|(_, mark)| mark))
    }

    /// Refuses a store that holds less.
    pub(crate) fn check(self, path: &Path, found: Self) -> Result<()> {
        let less = |what: &str, was: u64, left: u64| {
            Err(damaged(
                path,
                format!("the store had come to {was} {what}, and {left} are left"),
            ))
        };
        if found.shards < self.shards {
            return less("committed shards", self.shards, found.shards);
        }
        if found.events < self.events {
            return less("events", self.events, found.events);
        }
        Ok(())
    }

    /// Writes a new file, synced, for a folder that has none.
    pub(crate) fn create(self, path: &Path) -> Result<()> {
        let text = line(1, self) + &line(0, Self::default());
        write_synced(path, MARK_FILE, text.as_bytes(), Existing::Goes)
    }
}

impl MarkFile {
    /// Opens the file of a store, made when it is missing, and sets it to `found`: what is there now.
    pub(crate) fn open(path: &Path, found: Mark) -> Result<Self> {
        if read(path)?.is_none() {
            found.create(path)?;
        }
        let name = path.join(MARK_FILE);
        let wrong = |error| StoreError::from_io(name.display().to_string(), &error);
        let file = File::options().write(true).open(&name).map_err(wrong)?;
        let latest = Mutex::new(read(path)?.unwrap_or_default());
        let marks = Self { file, latest };
        let mut latest = marks.latest();
        if latest.1 != found {
            marks.write(&mut latest, found).map_err(wrong)?;
        }
        drop(latest);
        Ok(marks)
    }

    /// Notes what a synced batch has added. A mark that cannot be written stays lower than it might be, and that is all.
    pub(crate) fn raise(&self, shards: u64, last_event: Option<u64>) {
        let mut latest = self.latest();
        let (_, mark) = *latest;
        let raised = Mark {
            shards: mark.shards + shards,
            events: mark.events.max(last_event.unwrap_or(0)),
        };
        let _ = self.write(&mut latest, raised);
    }

    /// Takes a shard that is about to be removed off the mark, on disk.
    pub(crate) fn lower(&self) -> std::io::Result<()> {
        let mut latest = self.latest();
        let (_, mark) = *latest;
        let shards = mark.shards.saturating_sub(1);
        self.write(&mut latest, Mark { shards, ..mark })?;
        self.file.sync_data()
    }

    fn write(&self, latest: &mut (u64, Mark), mark: Mark) -> std::io::Result<()> {
        let number = latest.0 + 1;
        let text = line(number, mark);
        let place = (number + 1) % 2 * text.len() as u64;
        self.file.write_all_at(text.as_bytes(), place)?;
        *latest = (number, mark);
        Ok(())
    }

    fn latest(&self) -> MutexGuard<'_, (u64, Mark)> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The later of two lines, and its number.
fn read(path: &Path) -> Result<Option<(u64, Mark)>> {
    let name = path.join(MARK_FILE);
    let text = match fs::read(&name) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::from_io(name.display().to_string(), &error)),
    };
    let latest = text
        .lines()
        .filter_map(parse)
        .max_by_key(|&(number, _)| number);
    latest
        .map(Some)
        .ok_or_else(|| damaged(path, "it does not read back".to_owned()))
}

fn damaged(path: &Path, what: String) -> StoreError {
    StoreError::Damaged {
        place: path.join(MARK_FILE).display().to_string(),
        what,
    }
}

/// All lines are equally long.
fn line(number: u64, mark: Mark) -> String {
    let Mark { shards, events } = mark;
    let text = format!("toads mark {number:020} shards {shards:020} events {events:020}");
    let check = crc32fast::hash(text.as_bytes());
    format!("{text} check {check:08x}\n")
}

fn parse(text: &str) -> Option<(u64, Mark)> {
    let words: Vec<_> = text.split(' ').collect();
    let &[_, _, number, _, shards, _, events, ..] = words.as_slice() else {
        return None;
    };
    let number = number.parse().ok()?;
    let mark = Mark {
        shards: shards.parse().ok()?,
        events: events.parse().ok()?,
    };
    (line(number, mark).trim_end() == text).then_some((number, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(shards: u64, events: u64) -> Mark {
        Mark { shards, events }
    }

    #[test]
    fn it_is_raised_and_lowered_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(Mark::read(path).unwrap(), None);
        let file = MarkFile::open(path, mark(3, 10)).unwrap();
        assert_eq!(Mark::read(path).unwrap(), Some(mark(3, 10)));
        file.raise(1, Some(12));
        assert_eq!(Mark::read(path).unwrap(), Some(mark(4, 12)));
        file.raise(0, None);
        file.raise(0, Some(11));
        assert_eq!(Mark::read(path).unwrap(), Some(mark(4, 12)));
        file.lower().unwrap();
        assert_eq!(Mark::read(path).unwrap(), Some(mark(3, 12)));
        drop(file);
        // Reopened with more than it said: a process died between its batch and the mark.
        let _file = MarkFile::open(path, mark(4, 13)).unwrap();
        assert_eq!(Mark::read(path).unwrap(), Some(mark(4, 13)));
    }

    #[test]
    fn a_torn_line_leaves_the_other_and_two_are_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let file = MarkFile::open(path, mark(3, 10)).unwrap();
        file.raise(1, None);
        let name = path.join(MARK_FILE);
        let whole = fs::read(&name).unwrap();
        let half = whole.len() / 2;
        for (torn, left) in [(0..half, mark(4, 10)), (half..whole.len(), mark(3, 10))] {
            let mut bytes = whole.clone();
            bytes[torn.start + 30] ^= 1;
            fs::write(&name, bytes).unwrap();
            assert_eq!(Mark::read(path).unwrap(), Some(left), "{torn:?}");
        }
        fs::write(&name, "").unwrap();
        let error = Mark::read(path).unwrap_err().to_string();
        assert!(
            error.contains("MARK") && error.contains("remove that file"),
            "{error}"
        );
    }

    #[test]
    fn less_is_refused_and_more_is_not() {
        let path = Path::new("x.db");
        mark(3, 10).check(path, mark(3, 10)).unwrap();
        mark(3, 10).check(path, mark(5, 20)).unwrap();
        for (found, says) in [
            (mark(2, 10), "3 committed shards, and 2"),
            (mark(3, 9), "10 events, and 9"),
        ] {
            let error = mark(3, 10).check(path, found).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn fuzz_marks() {
        let folder = toads_fuzz::folder();
        let path = folder.path();
        let seeds = [
            line(1, mark(3, 10)) + &line(0, Mark::default()),
            line(u64::MAX, mark(u64::MAX, u64::MAX)),
        ];
        let target = toads_fuzz::Fuzz::new("marks").seeds(seeds);
        target
            .words(&["\n", " ", "check ", "toads mark "])
            .run(|input| {
                fs::write(path.join(MARK_FILE), input).unwrap();
                match Mark::read(path) {
                    Ok(read) => {
                        let read = read.expect("there is a file");
                        assert!(input.windows(4).any(|word| word == b"mark"));
                        read.check(path, read).unwrap();
                        true
                    }
                    Err(error) => {
                        toads_fuzz::assert_clear(&error);
                        false
                    }
                }
            });
    }
}
