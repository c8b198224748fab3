//! Which cell is next, renewal, release, lost workers.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Board, CellKey, Lease, Sheet, SheetState, State};

/// A lease as the worker gets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The cell.
    pub key: CellKey,
    /// Larger than every epoch issued before.
    pub epoch: u64,
    /// When it runs out unless it is renewed.
    pub until_ms: u64,
}

/// The answer to a worker that asks for a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// Evaluate this one.
    Cell(Grant),
    /// Everything that is left is with other workers.
    Wait,
    /// Every cell of every active survey is done.
    Done,
}

impl Board {
    /// Gives a worker the next cell: of the survey that was asked for last and has an open one, a cell of the class that
    /// the worker had before; else one of a class that nobody works on; else the first.
    pub fn lease(&mut self, now_ms: u64, worker: u64) -> Offer {
        self.advance(now_ms);
        let mut active: Vec<_> = self
            .sheets
            .iter()
            .filter(|(_, sheet)| sheet.state == SheetState::Active)
            .collect();
        active.sort_by_key(|(_, sheet)| Reverse(sheet.rank));
        let last = self.last_group.get(&worker).copied();
        let next = active
            .iter()
            .find_map(|&(&survey, sheet)| Some((survey, pick(sheet, last)?)));
        let Some((survey, index)) = next else {
            let is_leased = |sheet: &Sheet| {
                let mut slots = sheet.slots.iter();
                slots.any(|slot| matches!(slot.state, State::Leased(_)))
            };
            return if active.iter().any(|(_, sheet)| is_leased(sheet)) {
                Offer::Wait
            } else {
                Offer::Done
            };
        };
        Offer::Cell(self.grant(worker, CellKey { survey, index }))
    }

    fn grant(&mut self, worker: u64, key: CellKey) -> Grant {
        let epoch = self.next_epoch;
        self.next_epoch += 1;
        let until_ms = self.now_ms.saturating_add(self.config.lease_ms);
        let lease = Lease {
            worker,
            epoch,
            until_ms,
            nodes: 0,
            progress_ms: self.now_ms,
        };
        if let Some(slot) = self.slot_mut(key) {
            slot.state = State::Leased(lease);
            let group = slot.group;
            self.last_group.insert(worker, group);
        }
        Grant {
            key,
            epoch,
            until_ms,
        }
    }

    /// Moves the deadline of a lease, and notes how far it is; false when it is not the worker's any more.
    pub fn renew(
        &mut self,
        now_ms: u64,
        worker: u64,
        key: CellKey,
        epoch: u64,
        nodes: u64,
    ) -> bool {
        self.advance(now_ms);
        let (now_ms, lease_ms) = (self.now_ms, self.config.lease_ms);
        let Some(lease) = self.lease_mut(worker, key, epoch) else {
            return false;
        };
        lease.until_ms = now_ms.saturating_add(lease_ms);
        if nodes > lease.nodes {
            (lease.nodes, lease.progress_ms) = (nodes, now_ms);
        }
        true
    }

    /// Leases a cell to a worker that works on it already, under a lease from before a restart; `None` when the cell is not
    /// open.
    pub fn adopt(&mut self, now_ms: u64, worker: u64, key: CellKey) -> Option<Grant> {
        self.advance(now_ms);
        let sheet = self.sheets.get(&key.survey)?;
        let slot = sheet.slots.get(key.index as usize)?;
        let is_open = sheet.state == SheetState::Active && matches!(slot.state, State::Open);
        is_open.then(|| self.grant(worker, key))
    }

    /// Takes a lease back unfinished; false when it was not the worker's.
    pub fn release(&mut self, worker: u64, key: CellKey, epoch: u64) -> bool {
        if self.lease_mut(worker, key, epoch).is_none() {
            return false;
        }
        if let Some(slot) = self.slot_mut(key) {
            slot.state = State::Open;
        }
        true
    }

    /// The leases of workers that `is_gone` names.
    pub(super) fn leases_of(&self, is_gone: impl Fn(u64) -> bool) -> Vec<(CellKey, u64, u64)> {
        let mut found = Vec::new();
        for (&survey, sheet) in &self.sheets {
            for (index, slot) in (0..).zip(&sheet.slots) {
                if let State::Leased(lease) = slot.state
                    && is_gone(lease.worker)
                {
                    found.push((CellKey { survey, index }, lease.worker, lease.epoch));
                }
            }
        }
        found
    }

    fn lease_mut(&mut self, worker: u64, key: CellKey, epoch: u64) -> Option<&mut Lease> {
        match self.slot_mut(key).map(|slot| &mut slot.state) {
            Some(State::Leased(lease)) if (lease.worker, lease.epoch) == (worker, epoch) => {
                Some(lease)
            }
            _ => None,
        }
    }
}

/// The next open cell of a survey for a worker that had a cell of the group `last` before.
fn pick(sheet: &Sheet, last: Option<u64>) -> Option<u32> {
    let taken: BTreeSet<u64> = sheet
        .slots
        .iter()
        .filter(|slot| matches!(slot.state, State::Leased(_)))
        .map(|slot| slot.group)
        .collect();
    let open = || {
        let slots = (0..).zip(&sheet.slots);
        slots.filter(|(_, slot)| matches!(slot.state, State::Open))
    };
    let found = open()
        .find(|(_, slot)| Some(slot.group) == last)
        .or_else(|| open().find(|(_, slot)| !taken.contains(&slot.group)))
        .or_else(|| open().next());
    found.map(|(index, _)| index)
}
