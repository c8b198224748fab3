//! Before a run says that it is complete: what earlier runs left must still read back.

use toads_store::damage_remedy;

use super::Job;
use crate::failure::{Failure, Result};

impl Job<'_> {
    /// Reads every row of the store, if some of this run's shards were there before it began; what it computed itself
    /// was checked as it came. About a minute for 10 GB. The error names what is damaged, and what to do.
    pub(super) fn check_what_was_there(&self) -> Result<()> {
        if self.strips_before == 0 {
            return Ok(());
        }
        self.say("reading what was there");
        let (mut damages, mut first) = (0u64, None);
        self.store.verify(&mut |damage| {
            damages += 1;
            first.get_or_insert(damage);
        })?;
        let Some(first) = first else {
            return Ok(());
        };
        let (place, what) = first.place_and_what();
        let remedy = damage_remedy(&place);
        Err(Failure::Failed(format!(
            "not complete, {damages} rows of the store are damaged: {place}: {what}; `toads db verify` lists them all; {remedy}"
        )))
    }
}
