//! Forms at hand: texts, and invariants that need a form.

use toads_game::ValueId;

use crate::answer::Names;
use crate::error::Result;
use crate::read::{Deep, Named, Reader};
use crate::rows::Cell;

/// Forms that are read one by one before the store is read from end to end.
const FEW: usize = 64;

/// Values that are read from end to end: about 100 bytes each.
const MANY: u64 = 4_000_000;

/// Texts built at a time at most.
const AHEAD: usize = 1024;

/// Texts by id, and forms. What is asked for again and again is prepared ahead, so that a scan costs a few
/// microseconds a value and a single look-up reads a single form.
pub(super) struct Shelf {
    names: Names,
    asked: usize,
    ahead: usize,
    everything: bool,
}

impl Shelf {
    pub(super) fn new(memory: u64) -> Self {
        Self {
            names: Names::within(None, memory / 2),
            asked: 0,
            ahead: 1,
            everything: false,
        }
    }

    /// The text of a value; `next` are those that will be asked for next, perhaps.
    pub(super) fn text(
        &mut self,
        reader: &Reader<'_>,
        value: (ValueId, Named),
        next: impl Iterator<Item = (ValueId, Named)>,
    ) -> Result<&str> {
        if !self.names.knows(value.0) {
            self.prepare(reader)?;
            let next = next.filter(|&(id, _)| !self.names.knows(id));
            let batch: Vec<_> = std::iter::once(value)
                .chain(next.take(self.ahead - 1))
                .collect();
            self.names.load_named(reader, batch)?;
            self.ahead = (self.ahead * 2).min(AHEAD);
        }
        Ok(self.names.text(value.0))
    }

    /// An invariant that needs the form.
    pub(super) fn deep(&mut self, reader: &Reader<'_>, named: Named, what: Deep) -> Result<Cell> {
        self.prepare(reader)?;
        self.names.forms().deep(reader, named, what)
    }

    /// After a few forms it is quicker to have them all, if they are not too many.
    fn prepare(&mut self, reader: &Reader<'_>) -> Result<()> {
        self.asked += 1;
        if self.asked == FEW && !self.everything {
            self.everything = self.names.forms().load_all(reader, MANY)?;
        }
        Ok(())
    }
}
