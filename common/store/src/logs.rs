//! Records that would hang the engine.
//!
//! RocksDB's logs and manifests are chains of records in blocks of 32 KiB; each record has a kind. Those kinds that mean
//! "of a file that is used again" are never written here, as files are not used again; and where a flipped bit makes one,
//! RocksDB reads the same place for ever. So they are looked for before it opens a store. Every other damage is the
//! engine's to find.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::error::{Result, StoreError};

/// Bytes of a block of a log.
const BLOCK: usize = 32 << 10;

/// A checksum of four bytes, a length of two, the kind.
const HEADER: usize = 7;

/// The kinds of records of files that are used again.
const REUSED: [u8; 6] = [5, 6, 7, 8, 11, 131];

/// Refuses a store with such a record. Reads its logs and manifests once: at most what waits to be replayed.
pub(crate) fn check(path: &Path) -> Result<()> {
    let wrong = |error| StoreError::from_io(path.display().to_string(), &error);
    let entries = match path.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(wrong(error)),
    };
    for entry in entries {
        let file = entry.map_err(wrong)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !(name.ends_with(".log") || name.starts_with("MANIFEST-")) {
            continue;
        }
        let place = file.display().to_string();
        let found = File::open(&file).and_then(first_reused);
        match found {
            Ok(None) => {}
            Ok(Some(offset)) => {
                return Err(StoreError::Damaged {
                    place,
                    what: format!("the record at byte {offset} is of a kind that is never written"),
                });
            }
            // Removed meanwhile by whoever holds the store.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::from_io(place, &error)),
        }
    }
    Ok(())
}

/// Where the first such record begins.
fn first_reused(mut log: impl Read) -> std::io::Result<Option<u64>> {
    let (mut block, mut before) = (Vec::with_capacity(BLOCK), 0);
    loop {
        block.clear();
        log.by_ref().take(BLOCK as u64).read_to_end(&mut block)?;
        let mut at = 0;
        while let Some(header) = block.get(at..at + HEADER) {
            let length = usize::from(u16::from_le_bytes([header[4], header[5]]));
            if REUSED.contains(&header[6]) {
                return Ok(Some(before + at as u64));
            }
            at += HEADER + length;
        }
        if block.len() < BLOCK {
            return Ok(None);
        }
        before += BLOCK as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of these lengths and kinds; none crosses the end of a block.
    fn log(records: &[(u16, u8)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &(length, kind) in records {
            let left = BLOCK - bytes.len() % BLOCK;
            if left < HEADER + usize::from(length) {
                bytes.resize(bytes.len() + left, 0);
            }
            bytes.extend([5; 4]);
            bytes.extend(length.to_le_bytes());
            bytes.push(kind);
            // No record begins in here, however much it looks like one.
            bytes.resize(bytes.len() + usize::from(length), 5);
        }
        bytes
    }

    #[test]
    fn only_a_record_of_a_reused_file_is_found() {
        let found = |records: &[(u16, u8)]| first_reused(&log(records)[..]).unwrap();
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[(10, 1), (0, 4), (30_000, 2), (30_000, 3)]), None);
        assert_eq!(found(&[(10, 1), (100, 5)]), Some(17));
        assert_eq!(
            found(&[(10, 1), (32_000, 1), (32_000, 1), (9, 131)]),
            Some(BLOCK as u64 + 32_007)
        );
        for kind in REUSED {
            assert_eq!(found(&[(1, kind)]), Some(0));
        }
        // A record that was cut off.
        let mut cut = log(&[(10, 1), (100, 1)]);
        cut.truncate(20);
        assert_eq!(first_reused(&cut[..]).unwrap(), None);
    }
}
