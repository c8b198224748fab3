//! The invariants, asserted after every step of the property test.

use std::collections::BTreeSet;

use super::{Board, SheetState, State};

impl Board {
    /// Checks the whole table; the error names the first invariant that is broken. Cost: one pass over everything.
    pub fn check(&self) -> Result<(), String> {
        let mut epochs = BTreeSet::new();
        let mut ranks = BTreeSet::new();
        for (survey, sheet) in &self.sheets {
            if !ranks.insert(sheet.rank) || sheet.rank >= self.next_rank {
                return Err(format!(
                    "survey {survey}: a rank that was never given, or twice"
                ));
            }
            for (index, slot) in sheet.slots.iter().enumerate() {
                let fail = |what: &str| Err(format!("cell {index} of survey {survey}: {what}"));
                let State::Leased(lease) = slot.state else {
                    continue;
                };
                if sheet.state == SheetState::Cancelled {
                    return fail("leased although the survey is cancelled");
                }
                if lease.epoch >= self.next_epoch || !epochs.insert(lease.epoch) {
                    return fail("an epoch that was never issued, or twice");
                }
                if slot.losses >= self.config.losses {
                    return fail("leased although it was lost too often");
                }
                if lease.progress_ms > self.now_ms {
                    return fail("progress in the future");
                }
            }
        }
        Ok(())
    }
}
