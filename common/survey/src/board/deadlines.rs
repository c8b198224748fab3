//! Leases that run out, and cells that lose one worker after the other.

use super::{Board, CellKey, Ending, State};

/// A lease that ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The cell.
    pub key: CellKey,
    /// Who had it.
    pub worker: u64,
    /// Under which epoch.
    pub epoch: u64,
    /// Why it ended.
    pub why: String,
    /// The cell was lost too often: it counts as failed from now on, and the caller stores that.
    pub given_up: bool,
}

impl Board {
    /// Looks at every deadline. Call it a few times per beat; between calls nothing runs out.
    pub fn tick(&mut self, now_ms: u64) -> Vec<Lost> {
        let last = self.ticked_ms.unwrap_or(now_ms);
        self.advance(now_ms);
        self.ticked_ms = Some(self.now_ms);
        let gap = self.now_ms.saturating_sub(last);
        if gap > self.config.own_gap_ms {
            self.forgive(gap);
        }
        let mut late = Vec::new();
        for (&survey, sheet) in &self.sheets {
            for (index, slot) in (0..).zip(&sheet.slots) {
                let State::Leased(lease) = slot.state else {
                    continue;
                };
                let idle = self.now_ms.saturating_sub(lease.progress_ms);
                let why = if self.now_ms > lease.until_ms {
                    format!("not renewed for {} ms", self.config.lease_ms)
                } else if idle > self.config.progress_ms {
                    format!("no progress for {idle} ms")
                } else {
                    continue;
                };
                late.push((CellKey { survey, index }, lease.worker, lease.epoch, why));
            }
        }
        late.into_iter()
            .map(|(key, worker, epoch, why)| self.lose(key, worker, epoch, why))
            .collect()
    }

    /// Takes back what workers hold of which `is_gone` says so; they ended, or fell silent.
    pub fn lose_workers(&mut self, is_gone: impl Fn(u64) -> bool, why: &str) -> Vec<Lost> {
        self.last_group.retain(|&worker, _| !is_gone(worker));
        self.leases_of(is_gone)
            .into_iter()
            .map(|(key, worker, epoch)| self.lose(key, worker, epoch, why.to_owned()))
            .collect()
    }

    /// Takes back what a worker holds that says goodbye: that counts against nobody.
    pub fn dismiss(&mut self, worker: u64) -> Vec<(CellKey, u64)> {
        self.last_group.remove(&worker);
        let held = self.leases_of(|holder| holder == worker);
        held.into_iter()
            .filter(|&(key, worker, epoch)| self.release(worker, key, epoch))
            .map(|(key, _, epoch)| (key, epoch))
            .collect()
    }

    fn lose(&mut self, key: CellKey, worker: u64, epoch: u64, why: String) -> Lost {
        let limit = self.config.losses;
        let mut given_up = false;
        if let Some(slot) = self.slot_mut(key) {
            slot.losses += 1;
            given_up = slot.losses >= limit;
            slot.state = if given_up {
                State::Done(Ending::Failed)
            } else {
                State::Open
            };
        }
        Lost {
            key,
            worker,
            epoch,
            why,
            given_up,
        }
    }

    /// This process was stopped or starved, not the workers: every deadline moves by the gap.
    fn forgive(&mut self, gap: u64) {
        let slots = self.sheets.values_mut().flat_map(|sheet| &mut sheet.slots);
        for slot in slots {
            if let State::Leased(lease) = &mut slot.state {
                lease.until_ms = lease.until_ms.saturating_add(gap);
                lease.progress_ms = lease.progress_ms.saturating_add(gap).min(self.now_ms);
            }
        }
    }
}
