//! What a claim is, and the list of them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::compare::Comparer;
use crate::finding::{Finding, Verdict};
use crate::page::PageTally;
use crate::{hop, hopless};

/// Something that is said about the game, and how to find out whether it is so.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name on the command line.
    pub id: &'static str,
    /// The group it is in, which can be named instead of it.
    pub group: &'static str,
    /// What is claimed, in a sentence or two.
    pub statement: &'static str,
    /// Who says so.
    pub source: &'static str,
    /// Whether there is a proof.
    pub standing: Standing,
    /// The verdict on record: what [`Claim::check`] is expected to find, from the bound `shows_from` on.
    pub recorded: Verdict,
    /// The least bound at which a recorded counterexample is met; with smaller ones a check can only find that the claim holds.
    pub shows_from: u32,
    /// How far it can be checked.
    pub reach: Reach,
    /// Whether its check compares the figures of a census when it is given them.
    pub reads_census: bool,
    pub(crate) test: fn(&Scope<'_>) -> Finding,
}

impl Claim {
    /// What a check to this bound is expected to find.
    pub fn expected(&self, bound: u32) -> Verdict {
        if bound < self.shows_from {
            Verdict::Holds
        } else {
            self.recorded
        }
    }

    /// Tests the claim as far as the limits allow. About a minute for the whole list with default limits on one core.
    pub fn check(&self, limits: &Limits) -> Finding {
        let bound = self.reach.within(limits.bound);
        (self.test)(&Scope {
            bound,
            threads: limits.threads.max(1),
            census: limits.census.as_ref(),
            comparer: limits.comparer.as_deref(),
            memory: limits.memory.unwrap_or(DEFAULT_MEMORY),
        })
    }
}

/// What stands behind a claim beside its check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is proved.
    Proved {
        /// Where in docs/MATH.md.
        at: &'static str,
    },
    /// The source proves it; the proof is not repeated here.
    Published,
    /// Nobody has a proof.
    Conjectured,
    /// It is only checked; for a claim about finitely many strips that settles it.
    Checked,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved { at } => f.pad(&format!("proved (MATH.md, {at})")),
            Self::Published => f.pad("proved by the source"),
            Self::Conjectured => f.pad("conjectured"),
            Self::Checked => f.pad("checked"),
        }
    }
}

/// The bounds a check can be given, mostly numbers of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Below this it would not say what the claim says.
    pub least: u32,
    /// When nobody asks for more.
    pub default: u32,
    /// Beyond this it takes hours or more memory than there is.
    pub most: u32,
}

impl Reach {
    /// For a claim about these numbers of squares and no others.
    pub(crate) const fn fixed(bound: u32) -> Self {
        Self {
            least: bound,
            default: bound,
            most: bound,
        }
    }

    /// The bound that is used when this one is asked for.
    pub fn within(self, asked: Option<u32>) -> u32 {
        asked.map_or(self.default, |bound| bound.clamp(self.least, self.most))
    }
}

/// Memory for a check when nobody says how much: 2 GiB.
const DEFAULT_MEMORY: u64 = 2 << 30;

/// What a caller allows, and what he knows.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The bound for every claim, as far as its [`Reach`] admits; the claim's own default when absent.
    pub bound: Option<u32>,
    /// Threads; 0 counts as 1. They change nothing but the time.
    pub threads: usize,
    /// Figures read from the store of a census, to be compared.
    pub census: Option<PageTally>,
    /// A search that compares strips with values; where it gives up, and when absent, the plain one of this crate is used.
    pub comparer: Option<Arc<dyn Comparer>>,
    /// Bytes that canonical forms and remembered positions may take, roughly; 2 GiB when absent.
    pub memory: Option<u64>,
}

/// What a test is given.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The bound, within the claim's reach.
    pub bound: u32,
    /// Threads, at least 1.
    pub threads: usize,
    /// Figures of a census.
    pub census: Option<&'a PageTally>,
    /// A search to compare by play.
    pub comparer: Option<&'a dyn Comparer>,
    /// Bytes for canonical forms and positions.
    pub memory: u64,
}

impl Scope<'_> {
    /// For tests of checks: one thread, nothing plugged in, 256 MiB.
    #[cfg(test)]
    pub(crate) const fn to(bound: u32) -> Self {
        Self {
            bound,
            threads: 1,
            census: None,
            comparer: None,
            memory: 1 << 28,
        }
    }
}

/// All claims, group by group.
pub fn claims() -> &'static [Claim] {
    static ALL: LazyLock<Vec<Claim>> = LazyLock::new(|| [hopless::CLAIMS, hop::CLAIMS].concat());
    &ALL
}

/// The claim of this name.
pub fn claim(id: &str) -> Option<&'static Claim> {
    claims().iter().find(|claim| claim.id == id)
}

/// The names of the groups, in order.
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<_> = claims().iter().map(|claim| claim.group).collect();
    groups.dedup();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_no_group_is_a_claim() {
        let mut ids: Vec<_> = claims().iter().map(|claim| claim.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(groups().iter().all(|group| claim(group).is_none()));
        assert_eq!(
            groups(),
            ["hopless", "hop-lemmas", "hop-families", "hop-tables"]
        );
    }

    #[test]
    fn every_claim_is_found_as_it_is_recorded() {
        let limits = Limits {
            threads: 2,
            ..Limits::default()
        };
        for claim in claims() {
            let finding = claim.check(&limits);
            assert_eq!(
                finding.verdict,
                claim.expected(finding.bound),
                "{}: {finding} {}",
                claim.id,
                finding.figures
            );
            assert!(finding.cases > 0 && finding.bound > 0, "{}", claim.id);
        }
    }

    #[test]
    fn bounds_stay_within_reach() {
        let reach = Reach {
            least: 9,
            default: 10,
            most: 16,
        };
        let within = |bound| reach.within(bound);
        assert_eq!(
            [None, Some(3), Some(13), Some(40)].map(within),
            [10, 9, 13, 16]
        );
    }
}
