//! Is what a store says true? With code that is not the kernel's (promise P21).
//!
//! For each shard:
//!
//! * the marker, the tally and the blocks agree: counts are multinomials, checksums hold, every code has a value;
//! * tally and digest, recomputed from the blocks strip by strip, are the ones recorded;
//! * the value of a strip is the canonical form of the values of its options, found by the rules of the game one move
//!   at a time; since this holds for strips with dead ends as well, whose values are stored with their cores, dead ends
//!   do not matter;
//! * mirror images have negative values;
//! * every value is stored with all its options, under the id of its content, in canonical form, with the right negative
//!   and the right invariants.
//!
//! Where the store keeps tallies alone, small classes are recomputed by a slow evaluator of its own and compared.
//!
//! First all values are checked, on one thread; then the shards, a thread each. What is found is told in the order of the
//! shards, whatever the number of threads.

mod journal;
mod options;
mod referee;
mod report;
mod shards;
mod table;
mod values;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use toads_census::Shard;
use toads_game::Arena;
use toads_store::{Store, StoreError};
use toads_strip::Variant;

pub use options::{AuditOptions, AuditProgress, AuditSummary};
pub use report::{Damage, Finding};

use crate::error::{DatasetError, Result};
use crate::read::{Reader, in_parallel_watched};
use journal::Journal;
use report::{Found, Report};
use shards::{ShardAudit, Signs};
use values::ValueAudit;

/// A shard to audit, and what is known of it.
struct Case<'r, 's> {
    reader: &'r Reader<'s>,
    shard: Shard,
    /// In the order of the report.
    place: usize,
}

/// What came of one shard.
struct Verdict {
    summary: AuditSummary,
    findings: Vec<Finding>,
}

/// Checks what `options` select; each thing found wrong goes to `report`, naming its shard.
///
/// An error means that the audit itself could not go on (the store does not read, or `progress` said stop), not that
/// something is wrong. A microsecond or two for each option of each strip checked. Stopped, it goes on from its journal
/// when there is one.
pub fn audit(
    store: &dyn Store,
    options: &AuditOptions,
    progress: &mut dyn FnMut(&AuditProgress) -> ControlFlow<()>,
    report: &mut dyn FnMut(&Finding),
) -> Result<AuditSummary> {
    let readers = Variant::ALL
        .map(|variant| Reader::new(store, variant))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let mut journal = options
        .journal
        .as_ref()
        .map(|path| Journal::open(path, options))
        .transpose()?;
    let mut told = Telling {
        report: Report::new(report),
        waiting: BTreeMap::new(),
        next: 0,
        summary: AuditSummary::default(),
    };
    let mut cases = Vec::new();
    let selected = readers.iter().flat_map(|reader| {
        let shards = reader.records.keys().copied();
        shards.map(move |shard| (reader, shard))
    });
    let selected = selected.filter(|&(_, shard)| options.selects(shard));
    for (place, (reader, shard)) in selected.enumerate() {
        let digest = reader.records[&shard].digest;
        match journal
            .as_mut()
            .and_then(|journal| journal.take(shard, digest))
        {
            Some(verdict) => told.waits(place, verdict),
            None => cases.push(Case {
                reader,
                shard,
                place,
            }),
        }
    }
    let earlier = told.waiting.len();
    let mut state = AuditProgress {
        shard: None,
        shards_done: earlier,
        shards_total: earlier + cases.len(),
        strips_done: 0,
        strips_total: cases.iter().map(|case| case.shard.strips()).sum(),
    };
    let arena = Arena::with_capacity_bytes(options.memory);
    let mut values = ValueAudit::new(&arena);
    let mut damaged = BTreeMap::new();
    for case in &cases {
        state.shard = Some(case.shard);
        if progress(&state).is_break() {
            return Err(DatasetError::Stopped);
        }
        let found: Found = check_values(case, &mut values)?;
        if found.count > 0 {
            damaged.insert(case.place, found);
        }
    }
    told.summary.values = values.checked();
    let (built, signs) = (values.into_built(), Signs::default());
    let knows_damaged_values = !damaged.is_empty();
    let damaged = Mutex::new(damaged);
    state.shard = None;
    let state = RefCell::new(state);
    in_parallel_watched(
        options.threads,
        &cases,
        |case| {
            let mut found = damaged
                .lock()
                .expect("no thread panics holding this lock")
                .remove(&case.place)
                .unwrap_or_default();
            let mut summary = ShardAudit {
                reader: case.reader,
                shard: case.shard,
                options,
                signs: &signs,
                values: ValueAudit::after(&arena, &built),
                knows_damaged_values,
                found: &mut found,
                summary: AuditSummary::default(),
            }
            .run()?;
            summary.findings = found.count;
            let findings = found.into_told();
            let digest = case.reader.records[&case.shard].digest;
            Ok((
                case.place,
                case.shard,
                digest,
                Verdict { summary, findings },
            ))
        },
        |(place, shard, digest, verdict)| {
            if let Some(journal) = &mut journal {
                journal.note(shard, digest, &verdict)?;
            }
            told.waits(place, verdict);
            told.tell();
            state.borrow_mut().shards_done += 1;
            Ok(())
        },
        || {
            let mut state = state.borrow_mut();
            state.strips_done = signs.strips.load(Ordering::Relaxed);
            if progress(&state).is_break() {
                signs.stopped.store(true, Ordering::Relaxed);
                return Err(DatasetError::Stopped);
            }
            Ok(())
        },
    )?;
    told.tell();
    Ok(told.summary)
}

/// Checks the forms of the values of a tally. A tally that does not read is found with its shard.
fn check_values(case: &Case<'_, '_>, values: &mut ValueAudit<'_>) -> Result<Found> {
    let mut found = Found::default();
    match case.reader.store.tally(case.shard) {
        Ok(Some(result)) => {
            let ids: Vec<_> = result.tally.iter().map(|entry| entry.value).collect();
            values.check(case.reader, case.shard, &ids, &mut found)?;
        }
        Ok(None) | Err(StoreError::Damaged { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(found)
}

/// Tells what came of the shards in their order.
struct Telling<'r> {
    report: Report<'r>,
    waiting: BTreeMap<usize, Verdict>,
    next: usize,
    summary: AuditSummary,
}

impl Telling<'_> {
    fn waits(&mut self, place: usize, verdict: Verdict) {
        self.waiting.insert(place, verdict);
    }

    /// Tells of those that no earlier one is missing of.
    fn tell(&mut self) {
        while let Some(mut verdict) = self.waiting.remove(&self.next) {
            verdict.summary.findings -= self.report.tell(&verdict.findings);
            self.summary += verdict.summary;
            self.next += 1;
        }
    }
}
