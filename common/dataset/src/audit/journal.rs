//! What an audit has done, in a file, so that an interrupted one goes on.
//!
//! Lines of tab-separated fields. The first says how thorough the audit is, and of what:
//!
//! ```text
//! toads-audit 1 ONE_IN SEED RECOMPUTE_UP_TO STORE
//! ```
//!
//! Each shard adds, in one piece, a line for each thing found and one at its end:
//!
//! ```text
//! found SHARD DAMAGE DETAIL
//! done SHARD DIGEST STRIPS STRIPS_CHECKED RECOMPUTED TALLIES_ONLY FINDINGS
//! ```
//!
//! What follows the last `done` was cut off, and is removed.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use toads_census::{Digest, Shard};

use super::Verdict;
use super::options::{AuditOptions, AuditSummary};
use super::report::{Damage, Finding};
use crate::error::{DatasetError, Result};

/// What a journal holds of a shard: its digest as text, and what came of it.
type Noted = FxHashMap<Shard, (String, Verdict)>;

/// The journal of one audit.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    noted: Noted,
}

impl Journal {
    /// Makes the file, or reads what is in it. Nobody else may write to it meanwhile.
    pub(super) fn open(path: &Path, options: &AuditOptions) -> Result<Self> {
        let failed = |source| DatasetError::Io {
            path: path.to_owned(),
            source,
        };
        // A pipe would be waited for, a device read for ever.
        if path.exists() && !path.is_file() {
            return Err(DatasetError::Question(format!(
                "{} is not a file; name one for the journal",
                path.display()
            )));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(DatasetError::Question(format!(
                    "{} is the journal of an audit that is going on",
                    path.display()
                )));
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (noted, length) = read(&bytes, options).map_err(|what| {
            DatasetError::Question(format!("{}: {what}; give another file", path.display()))
        })?;
        if length < bytes.len() {
            file.set_len(length as u64).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        if length == 0 {
            file.write_all(header(options).as_bytes()).map_err(failed)?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            noted,
        })
    }

    /// What is noted of a shard, if its content is still the same.
    pub(super) fn take(&mut self, shard: Shard, digest: Digest) -> Option<Verdict> {
        let (noted, mut verdict) = self.noted.remove(&shard)?;
        verdict.summary.earlier = 1;
        (noted == digest.to_string()).then_some(verdict)
    }

    /// Notes a shard that is done.
    pub(super) fn note(&mut self, shard: Shard, digest: Digest, verdict: &Verdict) -> Result<()> {
        let mut text = String::new();
        for finding in &verdict.findings {
            let detail = finding.detail.replace(['\t', '\n'], " ");
            let (named, damage) = (finding.shard, finding.damage);
            writeln!(text, "found\t{named}\t{damage}\t{detail}").expect("a string takes all");
        }
        let of = &verdict.summary;
        writeln!(
            text,
            "done\t{shard}\t{digest}\t{}\t{}\t{}\t{}\t{}",
            of.strips, of.strips_checked, of.recomputed, of.tallies_only, of.findings
        )
        .expect("a string takes all");
        self.file
            .write_all(text.as_bytes())
            .map_err(|source| DatasetError::Io {
                path: self.path.clone(),
                source,
            })
    }
}

fn header(options: &AuditOptions) -> String {
    format!(
        "toads-audit\t1\t{}\t{}\t{}\t{}\n",
        options.one_in,
        options.seed,
        options.recompute_up_to,
        options.journal_of.escape_debug()
    )
}

/// What is noted, and the length of what is whole.
fn read(bytes: &[u8], options: &AuditOptions) -> Result<(Noted, usize), String> {
    let mut noted = Noted::default();
    let header = header(options);
    if header.as_bytes().starts_with(bytes) {
        let whole = bytes.len() == header.len();
        return Ok((noted, if whole { bytes.len() } else { 0 }));
    }
    if !bytes.starts_with(header.as_bytes()) {
        return Err(if bytes.starts_with(b"toads-audit\t1\t") {
            "is the journal of an audit of another store, or with another --sample or --seed"
                .to_owned()
        } else {
            "is no journal of an audit".to_owned()
        });
    }
    let (mut length, mut at, mut findings) = (header.len(), header.len(), Vec::new());
    for (number, line) in (2..).zip(bytes[header.len()..].split_inclusive(|&byte| byte == b'\n')) {
        at += line.len();
        let wrong = || format!("line {number} is not one of a journal");
        let Some(line) = line.strip_suffix(b"\n") else {
            break;
        };
        let line = std::str::from_utf8(line).map_err(|_| wrong())?;
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["found", shard, damage, detail] => {
                findings.push(Finding {
                    shard: shard.parse().map_err(|_| wrong())?,
                    damage: Damage::of_name(damage).ok_or_else(wrong)?,
                    detail: detail.to_owned(),
                });
            }
            ["done", shard, digest, ref figures @ ..] if figures.len() == 5 => {
                let figures = figures.iter().map(|figure| figure.parse().ok());
                let figures: Vec<u64> = figures.collect::<Option<_>>().ok_or_else(wrong)?;
                let summary = AuditSummary {
                    shards: 1,
                    strips: figures[0],
                    strips_checked: figures[1],
                    recomputed: figures[2],
                    tallies_only: figures[3],
                    findings: figures[4],
                    ..AuditSummary::default()
                };
                let findings = std::mem::take(&mut findings);
                let shard = shard.parse().map_err(|_| wrong())?;
                noted.insert(shard, (digest.to_owned(), Verdict { summary, findings }));
                length = at;
            }
            _ => return Err(wrong()),
        }
    }
    Ok((noted, length))
}
