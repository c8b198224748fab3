//! What only ever grows, since this coordinator started.

use std::sync::atomic::{AtomicU64, Ordering};

use toads_store::FailureClass;
use toads_wire::v1::RefusalReason;
use tracing::warn;

use super::text::Page;
use crate::auth::Denied;
use crate::scheduler::EventKind;

/// Counts by the words of a closed list: every word is shown, also those that never happened.
struct Tally<const N: usize> {
    words: [&'static str; N],
    counts: [AtomicU64; N],
}

impl<const N: usize> Tally<N> {
    fn new(words: [&'static str; N]) -> Self {
        Self {
            words,
            counts: [const { AtomicU64::new(0) }; N],
        }
    }

    /// Counts one more; returns how many there are now.
    fn add(&self, word: &str) -> u64 {
        let at = self.words.iter().position(|known| *known == word);
        debug_assert!(at.is_some(), "{word} is not counted");
        at.map_or(0, |at| self.counts[at].fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn show(&self, page: &mut Page, name: &str, label: &str, help: &str) {
        page.family(name, "counter", help);
        for (word, count) in self.words.iter().zip(&self.counts) {
            page.sample(name, &[(label, word)], count.load(Ordering::Relaxed) as f64);
        }
    }
}

/// Why a worker was not admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Handshake {
    /// Another protocol number.
    Protocol,
    /// Another fingerprint.
    Fingerprint,
}

/// Why a worker is told to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Busy {
    /// The engine holds writers back.
    Stalled,
    /// As many submissions as may are being read.
    Full,
    /// The same shard is being read or written.
    SameShard,
    /// The store said so for one write.
    Store,
}

/// All counters.
pub(crate) struct Counters {
    events: Tally<{ EventKind::ALL.len() }>,
    refused: Tally<7>,
    busy: Tally<4>,
    handshakes: Tally<2>,
    denied: Tally<3>,
    failures: Tally<{ FailureClass::ALL.len() }>,
    strips: AtomicU64,
}

impl Counters {
    pub(crate) fn new() -> Self {
        Self {
            events: Tally::new(EventKind::ALL.map(EventKind::word)),
            refused: Tally::new([
                "stale",
                "malformed",
                "bad_form",
                "bad_block",
                "bad_tally",
                "bad_counts",
                "digest_conflict",
            ]),
            busy: Tally::new(["stalled", "full", "same_shard", "store"]),
            handshakes: Tally::new(["protocol", "fingerprint"]),
            denied: Tally::new(["no_token", "wrong_token", "wrong_role"]),
            failures: Tally::new(FailureClass::ALL.map(FailureClass::word)),
            strips: AtomicU64::new(0),
        }
    }

    pub(crate) fn event(&self, kind: EventKind) {
        self.events.add(kind.word());
    }

    /// A commit, and the strips it answers for.
    pub(crate) fn strips(&self, strips: u64) {
        self.strips.fetch_add(strips, Ordering::Relaxed);
    }

    /// A result that was refused for what it is.
    pub(crate) fn refuse(&self, reason: RefusalReason) {
        let word = match reason {
            RefusalReason::BadForm => "bad_form",
            RefusalReason::BadBlock => "bad_block",
            RefusalReason::BadTally => "bad_tally",
            RefusalReason::BadCounts => "bad_counts",
            RefusalReason::DigestConflict => "digest_conflict",
            RefusalReason::Malformed | RefusalReason::Unspecified => "malformed",
        };
        self.refused.add(word);
    }

    /// A result under a lease that is not its worker's any more (promise P3).
    pub(crate) fn stale(&self) {
        self.refused.add("stale");
    }

    pub(crate) fn busy(&self, why: Busy) {
        self.busy.add(match why {
            Busy::Stalled => "stalled",
            Busy::Full => "full",
            Busy::SameShard => "same_shard",
            Busy::Store => "store",
        });
    }

    pub(crate) fn reject(&self, why: Handshake) {
        self.handshakes.add(match why {
            Handshake::Protocol => "protocol",
            Handshake::Fingerprint => "fingerprint",
        });
    }

    /// A call without the right token. The log hears of the first, second, fourth, eighth …: whoever tries tokens cannot
    /// fill it.
    pub(crate) fn deny(&self, denied: Denied) {
        let word = match denied {
            Denied::NoToken => "no_token",
            Denied::WrongToken => "wrong_token",
            Denied::WrongRole { .. } => "wrong_role",
        };
        let count = self.denied.add(word);
        if count.is_power_of_two() {
            warn!(reason = word, count, "calls were refused for their token");
        }
    }

    pub(crate) fn failure(&self, class: FailureClass) {
        self.failures.add(class.word());
    }

    pub(super) fn show(&self, page: &mut Page) {
        self.events.show(
            page,
            "toads_events_total",
            "kind",
            "Events of the log, by kind; expired are lost epochs.",
        );
        self.refused.show(
            page,
            "toads_commits_refused_total",
            "reason",
            "Results that were refused.",
        );
        self.busy.show(
            page,
            "toads_busy_answers_total",
            "reason",
            "Workers told to hand a result in again later.",
        );
        self.handshakes.show(
            page,
            "toads_handshakes_refused_total",
            "reason",
            "Workers that were not admitted: another protocol, other results.",
        );
        self.denied.show(
            page,
            "toads_calls_denied_total",
            "reason",
            "Calls without the right token.",
        );
        self.failures.show(
            page,
            "toads_failures_total",
            "class",
            "Leases that were given up, by class of failure.",
        );
        let name = "toads_strips_committed_total";
        page.family(
            name,
            "counter",
            "Strips answered for by commits, mirrors counted.",
        );
        page.sample(name, &[], self.strips.load(Ordering::Relaxed) as f64);
    }
}
