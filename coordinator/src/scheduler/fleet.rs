//! Whole fleets in simulated time: how busy they are kept, and what the scheduler itself costs.
//!
//! The model of a node is a speed: a bundle of n strips takes n / speed, and 2 ms for the way there and back. Simulated time
//! makes the figures the same on every machine, but for the scheduler's own time, which is printed and decides
//! nothing.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use toads_store::Keep;
use toads_strip::Variant;

use super::tests::{digest_of, run_of};
use super::*;

/// A call of the scheduler, counted and timed.
#[derive(Default)]
struct Cost {
    calls: u32,
    time: Duration,
}

impl Cost {
    fn of<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let answer = call();
        self.calls += 1;
        self.time += started.elapsed();
        answer
    }

    fn micros(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / f64::from(self.calls.max(1))
    }
}

/// What came of it.
struct Voyage {
    /// Node time spent on what was committed first, of all node time until the last commit.
    utilisation: f64,
    /// Simulated.
    seconds: u64,
    bundles: u32,
    lease: Cost,
    beat: Cost,
    tick: Cost,
}

struct Fleet {
    scheduler: Scheduler,
    strips_per_s: u64,
    /// Who does something when: the end of a bundle, or the next question.
    due: BTreeMap<(Millis, WorkerId), Vec<Grant>>,
    worked_ms: u64,
    end: Millis,
    voyage: Voyage,
}

impl Fleet {
    fn new(
        nodes: usize,
        strips_per_s: u64,
        squares: RangeInclusive<u8>,
        variants: &[Variant],
    ) -> Self {
        let config = SchedulerConfig {
            strips_per_thread_s: strips_per_s as f64,
            ..SchedulerConfig::default()
        };
        let mut scheduler = Scheduler::new(config, 1);
        for (id, &variant) in (1..).zip(variants) {
            let run = run_of(id, squares.clone(), Keep::Tallies);
            scheduler.submit(Millis(0), RunRecord { variant, ..run });
        }
        let register = |_| scheduler.register(Millis(0), "node", 1, 0, &[]).0;
        let due = (0..nodes)
            .map(register)
            .map(|id| ((Millis(0), id), vec![]))
            .collect();
        Self {
            scheduler,
            strips_per_s,
            due,
            worked_ms: 0,
            end: Millis(0),
            voyage: Voyage {
                utilisation: 0.0,
                seconds: 0,
                bundles: 0,
                lease: Cost::default(),
                beat: Cost::default(),
                tick: Cost::default(),
            },
        }
    }

    fn run(mut self) -> Voyage {
        let nodes = self.due.len() as u64;
        let mut next_tick = Millis(0);
        while let Some((&(now, _), _)) = self.due.first_key_value() {
            // Time passes while everybody is there and beats.
            while next_tick <= now {
                self.tick(next_tick);
                next_tick = next_tick + 1_000;
            }
            let Some(((now, id), grants)) = self.due.pop_first() else {
                break;
            };
            let worked = self.duration(&grants);
            let first = grants
                .into_iter()
                .filter(|&grant| self.commit(now, id, grant))
                .count();
            if first > 0 {
                self.worked_ms += worked;
                self.end = now;
            }
            self.ask(now, id);
        }
        self.voyage.utilisation = self.worked_ms as f64 / (nodes * self.end.0) as f64;
        self.voyage.seconds = self.end.0 / 1_000;
        assert!(
            (1..)
                .map_while(|id| self.scheduler.summary(id))
                .all(|run| run.phase == Phase::Done)
        );
        self.voyage
    }

    /// Every ten seconds everybody who works beats, and is heard of.
    fn tick(&mut self, now: Millis) {
        if now.0.is_multiple_of(10_000) {
            for (&(_, id), grants) in &self.due {
                let held: Vec<_> = grants
                    .iter()
                    .map(|grant| Held {
                        shard: grant.shard,
                        epoch: grant.epoch,
                        progress: Progress {
                            started: true,
                            strips_done: 0,
                            steps: now.0,
                        },
                    })
                    .collect();
                self.voyage.beat.of(|| self.scheduler.beat(now, id, &held));
            }
        }
        let lost = self.voyage.tick.of(|| self.scheduler.tick(now));
        assert_eq!(lost, []);
        self.scheduler.take_events();
    }

    fn duration(&self, grants: &[Grant]) -> u64 {
        let strips: u64 = grants.iter().map(|grant| grant.shard.strips()).sum();
        if grants.is_empty() {
            0
        } else {
            (strips * 1_000).div_ceil(self.strips_per_s) + 2
        }
    }

    /// Whether it was the first result of its shard.
    fn commit(&mut self, now: Millis, id: WorkerId, grant: Grant) -> bool {
        let digest = digest_of(grant.shard);
        match self
            .scheduler
            .begin_commit(now, id, grant.shard, grant.epoch, digest)
        {
            CommitDecision::Go => {
                let marker = Marker {
                    digest,
                    has_blocks: false,
                };
                self.scheduler
                    .end_commit(now, id, grant.shard, grant.epoch, Some(marker));
                true
            }
            CommitDecision::Duplicate => false,
            other => panic!("{}: {other:?}", grant.shard),
        }
    }

    fn ask(&mut self, now: Millis, id: WorkerId) {
        match self.voyage.lease.of(|| self.scheduler.lease(now, id, 64)) {
            Offer::Work(grants) => {
                self.voyage.bundles += 1;
                self.due.insert((now + self.duration(&grants), id), grants);
            }
            Offer::Wait(ms) => {
                self.due.insert((now + ms, id), vec![]);
            }
            Offer::Done => {}
            other => panic!("{other:?}"),
        }
    }
}

fn report(what: &str, voyage: &Voyage) {
    println!(
        "{what}: {:.1} % busy for {} simulated s, {} bundles; {:.1} µs for each of {} questions for work, {:.1} µs a beat, {:.0} µs a tick",
        voyage.utilisation * 100.0,
        voyage.seconds,
        voyage.bundles,
        voyage.lease.micros(),
        voyage.lease.calls,
        voyage.beat.micros(),
        voyage.tick.micros()
    );
}

/// 16 nodes on the plan for 22 squares.
#[test]
fn p10_sixteen_nodes_are_busy_on_twenty_two_squares() {
    let voyage = Fleet::new(16, 4_000_000, 1..=22, &[Variant::Hop]).run();
    report("16 nodes, 1..22 squares", &voyage);
    assert!(voyage.utilisation > 0.95, "{}", voyage.utilisation);
}

/// 1,000 nodes on all there is: far more than can be busy to the end, so most of them ask and ask.
#[test]
fn p14_a_thousand_workers_are_served() {
    let voyage = Fleet::new(1_000, 20_000_000, 1..=22, &[Variant::Hop, Variant::Hopless]).run();
    report("1,000 nodes, 1..22 squares of both variants", &voyage);
    assert!(voyage.lease.calls > 10_000);
}
