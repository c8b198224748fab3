//! Reading a part file, once, from beginning to end.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use toads_census::Digest;

use super::frame::{self, ANY_MAGIC, Kind, MAGIC, Record};
use super::{PartError, PartHeader};
use crate::convert::{self, WireError};
use crate::v1;
use crate::v1::submit_request::Part;

/// What the end record says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartEnd {
    /// Shards in the file.
    pub shards: u32,
    /// Their strips, mirrors not counted.
    pub strips: u64,
    /// BLAKE3 of every byte before.
    pub digest: Digest,
}

/// Messages of a part file, in order. What it has returned is checked record by record; only [`Self::next`]'s `None`
/// says that the whole is sound.
pub struct PartReader<R> {
    from: R,
    header: PartHeader,
    /// Bytes read.
    at: u64,
    hasher: blake3::Hasher,
    /// Shards that began and shards that ended, and their strips.
    begun: u32,
    ended: u32,
    strips: u64,
    end: Option<PartEnd>,
}

impl PartReader<BufReader<File>> {
    /// Opens a file and reads its head.
    pub fn open(path: &Path) -> Result<Self, PartError> {
        Self::new(BufReader::with_capacity(1 << 20, File::open(path)?))
    }
}

impl<R: Read> PartReader<R> {
    /// Reads the head.
    pub fn new(mut from: R) -> Result<Self, PartError> {
        let mut line = [0; MAGIC.len()];
        let read = frame::fill(&mut from, &mut line)?;
        if line[..read] != *MAGIC {
            return Err(other_format(&line[..read]));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(MAGIC);
        let at = MAGIC.len() as u64;
        let record = frame::read(&mut from, at)?.ok_or(PartError::Truncated(at))?;
        let malformed = |what| PartError::Malformed { at, what };
        if record.kind != Kind::Header {
            return Err(malformed(WireError::Missing("the header")));
        }
        let message = decode::<v1::PartHeader>(at, &record)?;
        let header = PartHeader::from_message(&message).map_err(malformed)?;
        hasher.update(&record.bytes);
        Ok(Self {
            from,
            header,
            at: at + record.bytes.len() as u64,
            hasher,
            begun: 0,
            ended: 0,
            strips: 0,
            end: None,
        })
    }

    /// What the file is a part of.
    pub fn header(&self) -> &PartHeader {
        &self.header
    }

    /// What the end record says, once [`Self::next`] has returned `None`.
    pub fn end(&self) -> Option<PartEnd> {
        self.end
    }

    /// The next message; `None` when the end was read and everything fits.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator of results invites going on after an error"
    )]
    pub fn next(&mut self) -> Result<Option<Part>, PartError> {
        if self.end.is_some() {
            return Ok(None);
        }
        let at = self.at;
        let malformed = |what: &'static str| PartError::Malformed {
            at,
            what: WireError::Missing(what),
        };
        let record = frame::read(&mut self.from, at)?.ok_or(PartError::Truncated(at))?;
        match record.kind {
            Kind::Header => Err(malformed("its own place: a second header")),
            Kind::End => self.finish(&record).map(|()| None),
            Kind::Message => {
                let part = decode::<v1::SubmitRequest>(at, &record)?.part;
                let part = part.ok_or_else(|| malformed("its content"))?;
                match &part {
                    Part::Header(header) if self.begun == self.ended => {
                        let shard = convert::submitted_shard(header)
                            .map_err(|what| PartError::Malformed { at, what })?;
                        self.begun += 1;
                        self.strips += shard.strips();
                    }
                    Part::Trailer(_) if self.begun > self.ended => self.ended += 1,
                    Part::Forms(_) | Part::Tally(_) | Part::Blocks(_)
                        if self.begun > self.ended => {}
                    _ => return Err(malformed("the header of a shard, or its trailer")),
                }
                self.pass(&record);
                Ok(Some(part))
            }
        }
    }

    fn pass(&mut self, record: &Record) {
        self.hasher.update(&record.bytes);
        self.at += record.bytes.len() as u64;
    }

    fn finish(&mut self, record: &Record) -> Result<(), PartError> {
        let at = self.at;
        let message = decode::<v1::PartEnd>(at, record)?;
        let said = PartEnd {
            shards: message.shards,
            strips: message.strips,
            digest: convert::digest("the digest of the file", &message.digest)
                .map_err(|what| PartError::Malformed { at, what })?,
        };
        let damaged = |what: String| PartError::Damaged { at, what };
        let found = self.so_far();
        if said.digest != found.digest {
            return Err(damaged(format!(
                "the file's digest is {}, its end says {}",
                found.digest, said.digest
            )));
        }
        if said != found || self.begun != self.ended {
            return Err(damaged(format!(
                "the end says {} shards of {} strips, {} of {} came",
                said.shards, said.strips, found.shards, found.strips
            )));
        }
        if self.from.read(&mut [0])? > 0 {
            return Err(damaged("something comes after the end".to_owned()));
        }
        self.pass(record);
        self.end = Some(said);
        Ok(())
    }

    /// The end record that would fit here.
    pub(super) fn so_far(&self) -> PartEnd {
        PartEnd {
            shards: self.ended,
            strips: self.strips,
            digest: Digest(*self.hasher.finalize().as_bytes()),
        }
    }

    /// Bytes read, and their hash as it stands.
    pub(super) fn place(&self) -> (u64, blake3::Hasher) {
        (self.at, self.hasher.clone())
    }
}

/// Reads a file from beginning to end and keeps nothing of it: its head and its end when it is sound. As quick as the disk.
pub fn verify_part(path: &Path) -> Result<(PartHeader, PartEnd), PartError> {
    let mut reader = PartReader::open(path)?;
    while reader.next()?.is_some() {}
    let end = reader.end().expect("no message is left");
    Ok((reader.header, end))
}

fn decode<M: prost::Message + Default>(at: u64, record: &Record) -> Result<M, PartError> {
    M::decode(record.message()).map_err(|error| PartError::Damaged {
        at,
        what: error.to_string(),
    })
}

fn other_format(line: &[u8]) -> PartError {
    match line.strip_prefix(ANY_MAGIC) {
        Some(version) if !version.is_empty() => {
            let version = String::from_utf8_lossy(version);
            let version = version.lines().next().unwrap_or_default();
            PartError::Version(version.escape_debug().to_string())
        }
        _ => PartError::NotAPart,
    }
}
