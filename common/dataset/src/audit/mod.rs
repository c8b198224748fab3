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

mod options;
mod referee;
mod report;
mod shards;
mod table;
mod values;

use std::ops::ControlFlow;

use toads_game::Arena;
use toads_store::Store;
use toads_strip::Variant;

pub use options::{AuditOptions, AuditProgress, AuditSummary};
pub use report::{Damage, Finding};

use crate::error::Result;
use crate::read::Reader;
use report::Report;
use shards::ShardAudit;
use values::ValueAudit;

/// Checks what `options` select; each thing found wrong goes to `report`, naming its shard.
///
/// An error means that the audit itself could not go on (the store does not read, or `progress` said stop), not that
/// something is wrong. A microsecond or two for each option of each strip checked.
pub fn audit(
    store: &dyn Store,
    options: &AuditOptions,
    progress: &mut dyn FnMut(&AuditProgress) -> ControlFlow<()>,
    report: &mut dyn FnMut(&Finding),
) -> Result<AuditSummary> {
    let arena = Arena::with_capacity_bytes(options.memory);
    let mut values = ValueAudit::new(&arena);
    let mut report = Report::new(report);
    let mut summary = AuditSummary::default();
    let readers = Variant::ALL
        .map(|variant| Reader::new(store, variant))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let selected = |reader: &Reader<'_>| -> Vec<_> {
        reader
            .records
            .keys()
            .copied()
            .filter(|&shard| options.selects(shard))
            .collect()
    };
    let shards: Vec<_> = readers.iter().flat_map(selected).collect();
    let mut state = AuditProgress {
        shard: None,
        shards_done: 0,
        shards_total: shards.len(),
        strips_done: 0,
        strips_total: shards.iter().map(|shard| shard.strips()).sum(),
    };
    for reader in &readers {
        for shard in selected(reader) {
            state.shard = Some(shard);
            ShardAudit {
                reader,
                shard,
                options,
                values: &mut values,
                report: &mut report,
                summary: &mut summary,
            }
            .run(&mut state, progress)?;
            summary.shards += 1;
            state.shards_done += 1;
        }
    }
    summary.values = values.checked();
    summary.findings = report.findings();
    Ok(summary)
}
