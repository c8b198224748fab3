//! The event log of a store, and what it proves.

use std::collections::BTreeMap;

use toads_tests::Outcome;

/// One row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub sequence: u64,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What happened.
    pub kind: String,
    /// The shard it is about; empty when none.
    pub shard: String,
    /// The worker; empty when none.
    pub worker: String,
    /// More, in words.
    pub detail: String,
}

/// All rows, in order.
#[derive(Debug)]
pub struct EventLog {
    /// They.
    pub rows: Vec<Row>,
}

impl EventLog {
    /// What `census events --format tsv` answered.
    ///
    /// # Panics
    /// If it has gaps.
    #[track_caller]
    pub fn of(answer: &Outcome) -> Self {
        let columns = ["sequence", "at_ms", "kind", "shard", "worker", "detail"]
            .map(|name| answer.column(name));
        let [sequences, times, kinds, shards, workers, details] = columns;
        let rows: Vec<_> = (0..kinds.len())
            .map(|at| Row {
                sequence: sequences[at].parse().expect("a number"),
                at_ms: times[at].parse().expect("a time"),
                kind: kinds[at].clone(),
                shard: shards[at].clone(),
                worker: workers[at].clone(),
                detail: details[at].clone(),
            })
            .collect();
        let log = Self { rows };
        let numbers = log.rows.iter().map(|row| row.sequence);
        assert!(
            numbers.eq(1..=log.rows.len() as u64),
            "the log has a gap: {log:#?}"
        );
        log
    }

    /// The rows of one kind.
    pub fn of_kind<'l>(&'l self, kind: &'l str) -> impl Iterator<Item = &'l Row> {
        self.rows.iter().filter(move |row| row.kind == kind)
    }

    /// How many rows of one kind there are.
    pub fn count(&self, kind: &str) -> usize {
        self.of_kind(kind).count()
    }

    /// Every shard was committed once, and none was leased after its commit in order to commit it (promise P12). A lease that was
    /// out when another one committed (the tail, P10) is no such lease: it was given before. Nor is an audit (P19), which
    /// commits nothing.
    ///
    /// # Panics
    /// If not, with the rows of the shard.
    #[track_caller]
    pub fn assert_nothing_twice(&self) {
        let mut committed = BTreeMap::new();
        for row in &self.rows {
            let all = || {
                self.rows
                    .iter()
                    .filter(|other| other.shard == row.shard)
                    .collect::<Vec<_>>()
            };
            match row.kind.as_str() {
                "committed" => {
                    let before = committed.insert(&row.shard, row.sequence);
                    assert!(before.is_none(), "committed twice: {:#?}", all());
                }
                "leased" if row.detail == "audit" => {}
                "leased" => assert!(
                    !committed.contains_key(&row.shard),
                    "leased after its commit: {:#?}",
                    all()
                ),
                // Whoever asks for it, gets it again.
                "requeued" | "invalidated" => drop(committed.remove(&row.shard)),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of these kinds, all about one shard.
    fn log(kinds: &[&str]) -> EventLog {
        let row = |(at, kind): (usize, &&str)| Row {
            sequence: at as u64 + 1,
            at_ms: 0,
            kind: (*kind).to_owned(),
            shard: "hop/3/1/1".to_owned(),
            worker: String::new(),
            detail: String::new(),
        };
        EventLog {
            rows: kinds.iter().enumerate().map(row).collect(),
        }
    }

    #[test]
    fn leases_before_the_commit_and_after_a_requeue_are_right() {
        log(&[
            "leased",
            "expired",
            "leased",
            "leased",
            "committed",
            "duplicate",
        ])
        .assert_nothing_twice();
        log(&[
            "leased",
            "committed",
            "quarantined",
            "requeued",
            "leased",
            "committed",
        ])
        .assert_nothing_twice();
    }

    #[test]
    fn an_audit_is_no_second_commit() {
        let mut audited = log(&["leased", "committed", "leased", "audited"]);
        audited.rows[2].detail = "audit".to_owned();
        audited.assert_nothing_twice();
    }

    #[test]
    #[should_panic(expected = "leased after its commit")]
    fn a_lease_after_the_commit_is_seen() {
        log(&["leased", "committed", "leased"]).assert_nothing_twice();
    }

    #[test]
    #[should_panic(expected = "committed twice")]
    fn a_second_commit_is_seen() {
        log(&["leased", "leased", "committed", "committed"]).assert_nothing_twice();
    }
}
