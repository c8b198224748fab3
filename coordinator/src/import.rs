//! Parts of a split census into a store, with the checks that a submission passes on arrival (promise P19).
//!
//! A file is read twice: first whole, checksums and all, and compared with the plan; only then is anything of it
//! stored, shard by shard. What is committed already stays: an equal digest is a repetition, another one is told and
//! nothing is overwritten (promises P2 and P3).

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use toads_census::{Digest, Shard, fingerprint};
use toads_store::{EventRecord, ShardRecord, Store, StoreError};
use toads_wire::convert;
use toads_wire::part::{PartError, PartHeader, PartReader};
use toads_wire::v1::SubmitTrailer;
use toads_wire::v1::submit_request::Part;

use crate::intake::{Complete, Intake, Reject};

/// What became of a shard of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Imported {
    /// It was not there, or without the values of single strips.
    Committed,
    /// It was there with the same digest.
    There,
    /// It is there with another digest, which stays.
    Differs {
        /// In the store.
        stored: Digest,
        /// In the part.
        offered: Digest,
    },
}

/// Why a part was not imported. Unless it says otherwise, nothing of it is in the store.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file is damaged, or no part.
    #[error("{}: {source}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: PartError,
    },
    /// Other rules, ids or plan. *Use the same build on both sides.*
    #[error("{} was computed with fingerprint {found}, this build has {expected}; use the build that wrote it", path.display())]
    Incompatible {
        /// The file.
        path: PathBuf,
        /// The part's.
        found: Digest,
        /// Ours.
        expected: Digest,
    },
    /// Its checksums hold and its content does not. *A defect: compute it again.*
    #[error("{}: {shard} is refused: {what}; {committed} shards before it are in the store, each sound by itself", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The shard.
        shard: Shard,
        /// What is wrong with it.
        what: String,
        /// Shards of the file that were committed before this was found.
        committed: usize,
    },
    /// Stopped by the caller; what was committed stays.
    #[error("stopped")]
    Stopped,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a part holds: its head, and the digest of each of its shards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline {
    /// What it is a part of.
    pub header: PartHeader,
    /// Its shards, in the order of the plan.
    pub shards: Vec<(Shard, Digest)>,
}

/// Reads a part from beginning to end and checks it as far as that goes without a store: every checksum, the
/// fingerprint, and that it holds the shards of the plan in their order.
pub fn outline(path: &Path) -> Result<Outline, ImportError> {
    let wrong = |source| ImportError::Part {
        path: path.to_owned(),
        source,
    };
    let mut reader = PartReader::open(path).map_err(wrong)?;
    let header = reader.header().clone();
    if header.fingerprint != fingerprint() {
        return Err(ImportError::Incompatible {
            path: path.to_owned(),
            found: header.fingerprint,
            expected: fingerprint(),
        });
    }
    let plan = header.shards();
    let mut shards = Vec::with_capacity(plan.len());
    let refused = |shard: Shard, what: String| ImportError::Refused {
        path: path.to_owned(),
        shard,
        what,
        committed: 0,
    };
    let mut present = None;
    while let Some(part) = reader.next().map_err(wrong)? {
        match part {
            Part::Header(head) => {
                let shard = convert::submitted_shard(&head);
                let shard = shard.map_err(|what| wrong(PartError::Malformed { at: 0, what }))?;
                if plan.get(shards.len()) != Some(&shard) {
                    let what = format!("the plan does not have it as number {}", shards.len() + 1);
                    return Err(refused(shard, what));
                }
                if convert::keep_blocks(head.keep) != Ok(header.keep_blocks) {
                    let what = "it keeps something else than the part".to_owned();
                    return Err(refused(shard, what));
                }
                present = Some(shard);
            }
            Part::Trailer(trailer) => {
                let shard = present.take().expect("a trailer comes after a header");
                let digest = convert::digest("the digest", &trailer.digest)
                    .map_err(|error| refused(shard, error.to_string()))?;
                shards.push((shard, digest));
            }
            Part::Forms(_) | Part::Tally(_) | Part::Blocks(_) => {}
        }
    }
    if let Some(&missing) = plan.get(shards.len()) {
        return Err(refused(missing, "the part does not have it".to_owned()));
    }
    Ok(Outline { header, shards })
}

/// Puts the shards of a part into `store`; `each` hears what became of every one and may say stop. `now_ms` is the wall
/// clock, for people to read. Memory: one tally.
pub fn import_part(
    store: &dyn Store,
    path: &Path,
    now_ms: u64,
    each: &mut dyn FnMut(Shard, Imported) -> ControlFlow<()>,
) -> Result<Outline, ImportError> {
    let outline = outline(path)?;
    let wrong = |source| ImportError::Part {
        path: path.to_owned(),
        source,
    };
    let mut reader = PartReader::open(path).map_err(wrong)?;
    if *reader.header() != outline.header {
        let what = "another file has taken its place".to_owned();
        return Err(wrong(PartError::Damaged { at: 0, what }));
    }
    let mut import = Import {
        store,
        path,
        outline: &outline,
        now_ms,
        at: 0,
        committed: 0,
        present: None,
    };
    while let Some(part) = reader.next().map_err(wrong)? {
        if let Some((shard, imported)) = import.take(part)?
            && each(shard, imported).is_break()
        {
            return Err(ImportError::Stopped);
        }
    }
    Ok(outline)
}

/// A part on its way into a store.
struct Import<'a> {
    store: &'a dyn Store,
    path: &'a Path,
    outline: &'a Outline,
    now_ms: u64,
    /// The place of the present shard in the outline.
    at: usize,
    committed: usize,
    present: Option<Present>,
}

/// The shard that is being read.
struct Present {
    intake: Intake,
    evaluate_ms: u64,
    /// What is known before it is read: then only its forms are taken, which later shards may refer to.
    known: Option<Imported>,
}

impl Import<'_> {
    /// Takes a message; what became of the shard, when it was its last one.
    fn take(&mut self, part: Part) -> Result<Option<(Shard, Imported)>, ImportError> {
        let Some(&(shard, digest)) = self.outline.shards.get(self.at) else {
            return Ok(None);
        };
        match (part, &mut self.present) {
            (Part::Header(header), present) => {
                let keep_blocks = self.outline.header.keep_blocks;
                *present = Some(Present {
                    intake: Intake::new(shard, keep_blocks),
                    evaluate_ms: header.evaluate_ms,
                    known: known(self.store, shard, digest, keep_blocks)?,
                });
                Ok(None)
            }
            (Part::Trailer(trailer), present) => {
                let present = present.take().expect("a trailer comes after a header");
                let imported = match present.known {
                    Some(known) => known,
                    None => self.commit(shard, present, &trailer)?,
                };
                self.at += 1;
                Ok(Some((shard, imported)))
            }
            (part, Some(present)) => {
                if present.known.is_none() || matches!(part, Part::Forms(_)) {
                    let taken = present.intake.accept(self.store, part);
                    taken.map_err(|reject| self.refused(shard, reject))?;
                }
                Ok(None)
            }
            (_, None) => Ok(None),
        }
    }

    fn commit(
        &mut self,
        shard: Shard,
        present: Present,
        trailer: &SubmitTrailer,
    ) -> Result<Imported, ImportError> {
        let Present {
            mut intake,
            evaluate_ms,
            ..
        } = present;
        let complete = intake.finish(trailer);
        let Complete {
            result,
            blocks,
            block_bytes,
        } = complete.map_err(|reject| self.refused(shard, reject))?;
        let PartHeader { part, parts, .. } = self.outline.header;
        let record = ShardRecord {
            shard,
            digest: result.digest,
            strips: shard.strips(),
            distinct: result.tally.len() as u64,
            blocks,
            block_bytes,
            epoch: 0,
            worker: format!("part {part}/{parts}"),
            committed_ms: self.now_ms,
            evaluate_ms,
        };
        let event = EventRecord {
            sequence: self.store.next_event()?,
            at_ms: self.now_ms,
            kind: "imported".to_owned(),
            shard: Some(shard),
            worker: record.worker.clone(),
            epoch: 0,
            detail: format!("from {}", self.path.display()),
        };
        let written = self.store.commit(&record, &result, &[event]);
        written.map_err(|error| self.refused(shard, error.into()))?;
        self.committed += 1;
        Ok(Imported::Committed)
    }

    fn refused(&self, shard: Shard, reject: Reject) -> ImportError {
        match reject {
            Reject::Store(error) => ImportError::Store(error),
            Reject::Content(_, what) => ImportError::Refused {
                path: self.path.to_owned(),
                shard,
                what,
                committed: self.committed,
            },
        }
    }
}

/// What becomes of a shard that is there already; `None` when it has to be read.
fn known(
    store: &dyn Store,
    shard: Shard,
    offered: Digest,
    keep_blocks: bool,
) -> Result<Option<Imported>, StoreError> {
    Ok(store.shard(shard)?.and_then(|record| {
        if record.digest != offered {
            let stored = record.digest;
            return Some(Imported::Differs { stored, offered });
        }
        (record.blocks > 0 || !keep_blocks).then_some(Imported::There)
    }))
}
