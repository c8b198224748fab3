//! Random schedules: whatever workers, clocks and restarts do, the invariants hold after every step, and a good worker
//! finishes the run afterwards.

use std::collections::BTreeMap;

use proptest::prelude::*;
use toads_census::{Digest, Shard, plan};
use toads_store::{FailureClass, Keep, RunRecord, RunState};
use toads_strip::Variant;

use super::tests::{digest_of, failure, run_of};
use super::*;

const SQUARES: std::ops::RangeInclusive<u8> = 1..=3;

#[derive(Clone, Debug)]
enum Step {
    Advance(u64),
    /// The clock jumps back, as no monotonic one should.
    ClockBack(u64),
    Tick,
    Register(usize),
    Beat(usize, bool),
    Lease(usize, usize),
    /// The n-th grant ever given, by its worker or as a stale one; right or wrong; and whether the store takes it.
    Submit(usize, bool, bool),
    Fail(usize, u8),
    Release(usize),
    Goodbye(usize),
    /// The worker is gone, and nobody says so.
    Crash(usize),
    ProcessEnded(usize),
    RunState(u8),
    Requeue,
    Drain,
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0u64..15_000).prop_map(Step::Advance),
        1 => (60_000u64..10_000_000).prop_map(Step::Advance),
        4 => Just(Step::Tick),
        3 => (0usize..4).prop_map(Step::Register),
        4 => (0usize..4, any::<bool>()).prop_map(|(slot, moves)| Step::Beat(slot, moves)),
        8 => (0usize..4, 1usize..6).prop_map(|(slot, max)| Step::Lease(slot, max)),
        8 => (0usize..40, prop::bool::weighted(0.97), prop::bool::weighted(0.9)).prop_map(|(pick, right, stored)| Step::Submit(pick, right, stored)),
        2 => (0usize..40, 0u8..5).prop_map(|(pick, class)| Step::Fail(pick, class)),
        1 => (0usize..40).prop_map(Step::Release),
        1 => (0usize..4).prop_map(Step::Goodbye),
        1 => (0u64..60_000).prop_map(Step::ClockBack),
        2 => (0usize..4).prop_map(Step::Crash),
        1 => (0usize..4).prop_map(Step::ProcessEnded),
        1 => (0u8..3).prop_map(Step::RunState),
        1 => Just(Step::Requeue),
        1 => prop::bool::weighted(0.3).prop_map(|drains| if drains { Step::Drain } else { Step::Restart }),
    ];
    prop::collection::vec(step, 0..150)
}

/// What a store and the workers would know.
struct World {
    scheduler: Scheduler,
    now: Millis,
    config: SchedulerConfig,
    run: RunRecord,
    markers: BTreeMap<Shard, Digest>,
    quarantine: BTreeMap<Shard, Vec<FailureNote>>,
    slots: [Option<WorkerId>; 4],
    /// Everything ever granted since the last restart, newest last.
    grants: Vec<(WorkerId, Grant)>,
    last_epoch: BTreeMap<Shard, u64>,
    commits: BTreeMap<Shard, u32>,
    moves: u64,
    /// The latest time that the scheduler went by.
    seen: Millis,
    /// How long the store takes for a commit.
    store_ms: u64,
}

impl World {
    fn new(speculate: bool) -> Self {
        let config = SchedulerConfig {
            speculate_after_ms: speculate.then_some(20_000),
            ..SchedulerConfig::default()
        };
        let run = run_of(1, SQUARES, Keep::Blocks);
        let mut scheduler = Scheduler::new(config.clone(), 1);
        scheduler.submit(Millis(0), run.clone());
        Self {
            scheduler,
            now: Millis(0),
            config,
            run,
            markers: BTreeMap::new(),
            quarantine: BTreeMap::new(),
            slots: [None; 4],
            grants: Vec::new(),
            last_epoch: BTreeMap::new(),
            commits: BTreeMap::new(),
            moves: 0,
            seen: Millis(0),
            store_ms: 40_000,
        }
    }

    fn granted(&mut self, id: WorkerId, grants: Vec<Grant>) {
        assert!(
            grants.is_empty() || !self.scheduler.is_draining(),
            "no lease while it drains (P11)"
        );
        for grant in grants {
            assert!(
                !self.markers.contains_key(&grant.shard),
                "a committed shard is not leased (P12)"
            );
            assert!(
                !self.quarantine.contains_key(&grant.shard),
                "a shard in quarantine is not leased (P8)"
            );
            let last = self.last_epoch.insert(grant.shard, grant.epoch);
            assert!(
                last.is_none_or(|last| last < grant.epoch),
                "epochs increase, over restarts too (P3)"
            );
            self.grants.push((id, grant));
        }
    }

    /// Counted from the newest, so that most picks are current.
    fn pick(&self, back: usize) -> Option<(WorkerId, Grant)> {
        self.grants
            .len()
            .checked_sub(back + 1)
            .map(|index| self.grants[index])
    }

    fn is_current(&self, id: WorkerId, grant: Grant) -> bool {
        self.scheduler
            .shards
            .get(&grant.shard)
            .is_some_and(|entry| entry.lease(id, grant.epoch).is_some())
    }

    fn submit(&mut self, id: WorkerId, grant: Grant, right: bool, stored: bool) {
        let digest = if right {
            digest_of(grant.shard)
        } else {
            Digest([0xee; 32])
        };
        let (before, current) = (
            self.markers.get(&grant.shard).copied(),
            self.is_current(id, grant),
        );
        match self
            .scheduler
            .begin_commit(self.now, id, grant.shard, grant.epoch, digest)
        {
            CommitDecision::Go => {
                assert!(current, "only the holder of the lease commits (P3)");
                assert!(
                    before.is_none(),
                    "what is committed is not committed again (P2)"
                );
                if self.config.speculate_after_ms.is_none() {
                    assert_eq!(
                        self.last_epoch[&grant.shard], grant.epoch,
                        "and only under the newest epoch"
                    );
                }
                // While the store writes, the rest of the world goes on.
                self.now = self.now + self.store_ms;
                self.scheduler.config.own_gap_ms = u64::MAX;
                self.note_quarantined();
                self.scheduler.check().unwrap();
                self.scheduler.config.own_gap_ms = self.config.own_gap_ms;
                let marker = Marker {
                    digest,
                    has_blocks: true,
                };
                self.scheduler.end_commit(
                    self.now,
                    id,
                    grant.shard,
                    grant.epoch,
                    stored.then_some(marker),
                );
                if stored {
                    self.markers.insert(grant.shard, digest);
                    *self.commits.entry(grant.shard).or_default() += 1;
                }
            }
            CommitDecision::Duplicate | CommitDecision::Audited => {
                assert_eq!(before, Some(digest));
            }
            CommitDecision::Stale => assert!(!current),
            CommitDecision::Busy => panic!("one commit at a time in this test"),
            CommitDecision::Conflict(failures) => {
                assert!(
                    before.is_some_and(|before| before != digest),
                    "an alarm needs two results (P3)"
                );
                self.markers.remove(&grant.shard);
                self.commits.remove(&grant.shard);
                self.quarantine.insert(grant.shard, failures);
            }
        }
    }

    /// A tick, and what it put into quarantine.
    fn note_quarantined(&mut self) {
        let new = self.scheduler.tick(self.now);
        let all = self.scheduler.quarantined();
        self.quarantine
            .extend(all.into_iter().filter(|(shard, _)| new.contains(shard)));
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Advance(ms) => self.now = self.now + ms,
            Step::ClockBack(ms) => self.now = Millis(self.now.0.saturating_sub(ms)),
            Step::Tick => self.note_quarantined(),
            Step::Register(slot) => {
                let holding: Vec<Held> = self
                    .grants
                    .iter()
                    .rev()
                    .take(2)
                    .map(|&(_, grant)| Held {
                        shard: grant.shard,
                        epoch: grant.epoch,
                        progress: Progress::default(),
                    })
                    .collect();
                let (id, adopted) =
                    self.scheduler
                        .register(self.now, "w", 1, slot as u32, &holding);
                self.slots[slot] = Some(id);
                self.granted(id, adopted);
            }
            Step::Beat(slot, moves) => {
                let Some(id) = self.slots[slot] else { return };
                self.moves += u64::from(moves);
                let progress = Progress {
                    started: true,
                    strips_done: 0,
                    steps: self.moves,
                };
                let held: Vec<Held> = self
                    .grants
                    .iter()
                    .filter(|(of, _)| *of == id)
                    .map(|(_, grant)| Held {
                        shard: grant.shard,
                        epoch: grant.epoch,
                        progress,
                    })
                    .collect();
                if let Some(revoked) = self.scheduler.beat(self.now, id, &held) {
                    for (shard, epoch) in held.iter().map(|held| (held.shard, held.epoch)) {
                        let current = self.scheduler.shards[&shard].lease(id, epoch).is_some();
                        assert_eq!(
                            current,
                            !revoked.contains(&(shard, epoch)),
                            "a worker hears of every lease it lost"
                        );
                    }
                }
            }
            Step::Lease(slot, max) => {
                let Some(id) = self.slots[slot] else { return };
                match self.scheduler.lease(self.now, id, max) {
                    Offer::Work(grants) => {
                        assert!(grants.len() <= max);
                        self.granted(id, grants);
                    }
                    Offer::Unknown => self.slots[slot] = None,
                    Offer::Wait(_) | Offer::Done | Offer::Drain => {}
                }
            }
            Step::Submit(back, right, stored) => {
                if let Some((id, grant)) = self.pick(back) {
                    self.submit(id, grant, right, stored);
                }
            }
            Step::Fail(back, class) => {
                if let Some((id, grant)) = self.pick(back) {
                    let failures = self.scheduler.fail(
                        self.now,
                        id,
                        grant.shard,
                        grant.epoch,
                        failure(FailureClass::ALL[usize::from(class)], "no"),
                    );
                    self.quarantine
                        .extend(failures.map(|failures| (grant.shard, failures)));
                }
            }
            Step::Release(back) => {
                if let Some((id, grant)) = self.pick(back) {
                    self.scheduler
                        .release(self.now, id, grant.shard, grant.epoch);
                }
            }
            Step::Goodbye(slot) => {
                if let Some(id) = self.slots[slot].take() {
                    self.scheduler.goodbye(self.now, id, "bye");
                }
            }
            Step::Crash(slot) => self.slots[slot] = None,
            Step::ProcessEnded(slot) => {
                self.scheduler
                    .process_ended(self.now, slot as u32, "signal 9");
                let all = self.scheduler.quarantined();
                self.quarantine.extend(all);
            }
            Step::RunState(state) => {
                let state =
                    [RunState::Active, RunState::Paused, RunState::Cancelled][usize::from(state)];
                self.run = self.scheduler.set_run_state(self.now, 1, state).unwrap();
            }
            Step::Requeue => {
                for (shard, _) in std::mem::take(&mut self.quarantine) {
                    assert!(self.scheduler.requeue(self.now, shard));
                }
            }
            Step::Drain => self.scheduler.drain(self.now),
            Step::Restart => {
                self.seen = Millis(0);
                let first = (self.last_epoch.values().max().unwrap_or(&0) / 1_000 + 1) * 1_000;
                let markers = self.markers.iter().map(|(&shard, &digest)| {
                    (
                        shard,
                        Marker {
                            digest,
                            has_blocks: true,
                        },
                    )
                });
                self.scheduler = Scheduler::restore(
                    self.config.clone(),
                    first,
                    [self.run.clone()],
                    markers,
                    self.quarantine.clone(),
                );
                self.slots = [None; 4];
                self.grants.clear();
            }
        }
    }

    /// After every step.
    fn check(&mut self) {
        self.scheduler.check().unwrap();
        self.scheduler.take_events();
        assert!(self.seen <= self.scheduler.now, "time goes forward (P5)");
        self.seen = self.scheduler.now;
        let inside: Vec<Shard> = self
            .scheduler
            .quarantined()
            .into_iter()
            .map(|(shard, _)| shard)
            .collect();
        assert!(
            inside.iter().eq(self.quarantine.keys()),
            "quarantine is what the store was told"
        );
        let summary = self.scheduler.summary(1).unwrap();
        let done = self
            .markers
            .keys()
            .filter(|shard| !self.quarantine.contains_key(shard))
            .count() as u64;
        assert_eq!(
            summary.shards_done, done,
            "status is a fold over markers (P22)"
        );
        assert!(summary.strips_done + summary.strips_leased_done <= summary.strips_total);
        assert!(
            self.commits.values().all(|&commits| commits == 1),
            "each committed once (P2)"
        );
    }

    /// Nothing hangs: with one good worker everything ends (P6).
    fn finish(&mut self) {
        if self.scheduler.is_draining() {
            self.step(&Step::Restart);
        }
        self.step(&Step::RunState(0));
        self.store_ms = 0;
        let (id, adopted) = self.scheduler.register(self.now, "good", 1, 99, &[]);
        self.granted(id, adopted);
        for _ in 0..2_000 {
            self.now = self.now + 1_000;
            self.note_quarantined();
            match self.scheduler.lease(self.now, id, 8) {
                Offer::Work(grants) => {
                    self.granted(id, grants.clone());
                    for grant in grants {
                        self.submit(id, grant, true, true);
                    }
                }
                Offer::Done => return,
                Offer::Wait(_) => {}
                other => panic!("{other:?}"),
            }
        }
        panic!(
            "a good worker did not finish the run: {:?}",
            self.scheduler.summary(1)
        );
    }
}

fn survives(steps: &[Step], speculate: bool) {
    let mut world = World::new(speculate);
    for step in steps {
        world.step(step);
        world.check();
    }
    world.finish();
    world.check();
    let done = world.markers.len() + world.quarantine.len();
    assert_eq!(done, plan::shards(Variant::Hop, SQUARES).len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_over_random_schedules(steps in steps()) {
        survives(&steps, false);
    }

    #[test]
    fn and_with_a_speculative_tail(steps in steps()) {
        survives(&steps, true);
    }
}
