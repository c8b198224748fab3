//! Writing a part file: under another name until it is whole.

use std::fs::{self, File, TryLockError};
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use prost::Message as _;
use toads_census::{Digest, Shard};

use super::frame::{self, Kind, MAGIC};
use super::reader::{PartEnd, PartReader, verify_part};
use super::{PartError, PartHeader};
use crate::convert;
use crate::v1;
use crate::v1::submit_request::Part;

/// Writes `FILE.partial`, which becomes `FILE` when it is whole and synced. One process at a time.
pub struct PartWriter {
    target: PathBuf,
    partial: PathBuf,
    to: BufWriter<File>,
    hasher: blake3::Hasher,
    shards: u32,
    strips: u64,
}

/// How writing begins.
pub enum Started {
    /// The file is there, whole: nothing is left to do.
    Complete(PartEnd),
    /// Go on with the shards that are not among these.
    Writing(Box<PartWriter>, Vec<Shard>),
}

impl PartWriter {
    /// Begins a file, or goes on from what an interrupted writer left: the shards that are whole in `FILE.partial`. What is
    /// there and belongs to another part is refused and left alone.
    pub fn start(target: &Path, header: &PartHeader) -> Result<Started, PartError> {
        if target.exists() {
            let (found, end) = verify_part(target)?;
            return if found == *header {
                Ok(Started::Complete(end))
            } else {
                Err(PartError::Other(found.to_string()))
            };
        }
        let mut partial = target.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&partial)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(PartError::InUse),
            // A file system without locks: then nobody is kept out.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut writer = Self {
            target: target.to_owned(),
            partial,
            to: BufWriter::with_capacity(1 << 20, file),
            hasher: blake3::Hasher::new(),
            shards: 0,
            strips: 0,
        };
        let done = writer.go_on(header)?;
        Ok(Started::Writing(Box::new(writer), done))
    }

    /// Adds a message.
    pub fn write(&mut self, part: Part) -> Result<(), PartError> {
        if let Part::Trailer(trailer) = &part {
            self.shards += 1;
            self.strips += trailer.strips;
        }
        let message = v1::SubmitRequest { part: Some(part) };
        self.record(Kind::Message, &message.encode_to_vec())
    }

    /// Writes the end, syncs, and gives the file its name.
    pub fn finish(mut self) -> Result<PartEnd, PartError> {
        let end = PartEnd {
            shards: self.shards,
            strips: self.strips,
            digest: Digest(*self.hasher.finalize().as_bytes()),
        };
        let message = v1::PartEnd {
            shards: end.shards,
            strips: end.strips,
            digest: convert::to_digest(end.digest),
        };
        self.record(Kind::End, &message.encode_to_vec())?;
        self.to.flush()?;
        self.to.get_ref().sync_all()?;
        fs::rename(&self.partial, &self.target)?;
        if let Some(folder) = self.target.parent() {
            let folder = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            File::open(folder)?.sync_all()?;
        }
        Ok(end)
    }

    fn record(&mut self, kind: Kind, message: &[u8]) -> Result<(), PartError> {
        let bytes = frame::encode(kind, message);
        self.hasher.update(&bytes);
        Ok(self.to.write_all(&bytes)?)
    }

    /// Finds the end of the last shard that is whole, cuts the file there and stands behind it; a file without a sound head
    /// is begun anew.
    fn go_on(&mut self, header: &PartHeader) -> Result<Vec<Shard>, PartError> {
        let file = self.to.get_ref().try_clone()?;
        let mut done = Vec::new();
        let mut length = 0;
        if let Ok(mut reader) = PartReader::new(BufReader::with_capacity(1 << 20, file)) {
            if reader.header() != header {
                return Err(PartError::Other(format!(
                    "{} (in {})",
                    reader.header(),
                    self.partial.display()
                )));
            }
            let mut present = None;
            (length, self.hasher) = reader.place();
            while let Ok(Some(part)) = reader.next() {
                match part {
                    Part::Header(header) => {
                        present = convert::submitted_shard(&header).ok();
                    }
                    Part::Trailer(_) => {
                        done.extend(present.take());
                        let end = reader.so_far();
                        (self.shards, self.strips) = (end.shards, end.strips);
                        (length, self.hasher) = reader.place();
                    }
                    _ => {}
                }
            }
        }
        let file = self.to.get_mut();
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        if length == 0 {
            self.hasher.update(MAGIC);
            self.to.write_all(MAGIC)?;
            self.record(Kind::Header, &header.to_message().encode_to_vec())?;
        }
        Ok(done)
    }
}
