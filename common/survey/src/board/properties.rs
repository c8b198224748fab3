//! Random schedules: whatever workers, clocks and restarts do, the invariants hold after every step, nothing that is done
//! is leased again, and a good worker finishes the rest afterwards.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::lease::{Grant, Offer};
use super::*;

const CELLS: u32 = 7;
const WORKERS: u64 = 3;

#[derive(Clone, Debug)]
enum Step {
    Advance(u64),
    Tick,
    Lease(u64),
    /// The n-th grant counted from the newest, by its worker, current or stale.
    Renew(usize, bool),
    Adopt(usize),
    Complete(usize, u8),
    Release(usize),
    Dismiss(u64),
    Lose(u64),
    Cancel(bool),
    Enter(bool),
    Reopen(bool),
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0u64..20_000).prop_map(Step::Advance),
        1 => (20_000u64..1_000_000).prop_map(Step::Advance),
        4 => Just(Step::Tick),
        8 => (0..WORKERS).prop_map(Step::Lease),
        4 => (0usize..20, any::<bool>()).prop_map(|(back, moves)| Step::Renew(back, moves)),
        2 => (0usize..20).prop_map(Step::Adopt),
        8 => (0usize..20, 0u8..3).prop_map(|(back, how)| Step::Complete(back, how)),
        1 => (0usize..20).prop_map(Step::Release),
        1 => (0..WORKERS).prop_map(Step::Dismiss),
        1 => (0..WORKERS).prop_map(Step::Lose),
        1 => any::<bool>().prop_map(Step::Cancel),
        2 => any::<bool>().prop_map(Step::Enter),
        1 => any::<bool>().prop_map(Step::Reopen),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 0..200)
}

fn survey(second: bool) -> SurveyId {
    SurveyId([1 + u8::from(second); 16])
}

fn groups() -> Vec<u64> {
    (0..CELLS.into()).map(|cell: u64| cell / 3).collect()
}

/// What a store and the workers would know.
struct World {
    board: Board,
    now: u64,
    nodes: u64,
    stored: BTreeMap<CellKey, Ending>,
    grants: Vec<(u64, Grant)>,
    last_epoch: u64,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            board: Board::new(BoardConfig::default(), 1),
            now: 0,
            nodes: 0,
            stored: BTreeMap::new(),
            grants: Vec::new(),
            last_epoch: 0,
        };
        world.enter(false);
        world.enter(true);
        world
    }

    fn enter(&mut self, second: bool) {
        let survey = survey(second);
        let done: Vec<_> = self
            .stored
            .iter()
            .filter(|(key, _)| key.survey == survey)
            .map(|(key, &ending)| (key.index, ending))
            .collect();
        self.board.enter(survey, &groups(), &done);
    }

    fn lease(&mut self, worker: u64) -> bool {
        let Offer::Cell(grant) = self.board.lease(self.now, worker) else {
            return false;
        };
        self.granted(worker, grant);
        true
    }

    fn granted(&mut self, worker: u64, grant: Grant) {
        assert!(
            !self.stored.contains_key(&grant.key),
            "what is done is not leased again"
        );
        assert!(
            grant.epoch > self.last_epoch,
            "epochs grow, over restarts too"
        );
        self.last_epoch = grant.epoch;
        let others = self
            .grants
            .iter()
            .filter(|(_, other)| other.key == grant.key);
        for &(holder, other) in others {
            let standing = self.board.standing(holder, other.key, other.epoch);
            assert_ne!(standing, Standing::Current, "one lease for each cell");
        }
        self.grants.push((worker, grant));
    }

    fn pick(&self, back: usize) -> Option<(u64, Grant)> {
        let at = self.grants.len().checked_sub(back + 1)?;
        Some(self.grants[at])
    }

    fn lost(&mut self, lost: &[Lost]) {
        for lost in lost.iter().filter(|lost| lost.given_up) {
            self.stored.insert(lost.key, Ending::Failed);
        }
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Advance(ms) => self.now += ms,
            Step::Tick => {
                let lost = self.board.tick(self.now);
                self.lost(&lost);
            }
            Step::Lease(worker) => {
                self.lease(worker);
            }
            Step::Renew(back, moves) => {
                self.nodes += u64::from(moves);
                if let Some((worker, grant)) = self.pick(back) {
                    let standing = self.board.standing(worker, grant.key, grant.epoch);
                    let renewed =
                        self.board
                            .renew(self.now, worker, grant.key, grant.epoch, self.nodes);
                    assert_eq!(renewed, standing == Standing::Current);
                }
            }
            Step::Adopt(back) => {
                if let Some((worker, grant)) = self.pick(back)
                    && let Some(again) = self.board.adopt(self.now, worker, grant.key)
                {
                    self.granted(worker, again);
                }
            }
            Step::Complete(back, how) => {
                if let Some((_, grant)) = self.pick(back) {
                    let ending = [Ending::Failed, Ending::Bounded, Ending::Exact][usize::from(how)];
                    let before = self.stored.get(&grant.key).copied();
                    let news = self.board.complete(grant.key, ending);
                    assert_eq!(news, before.is_none_or(|before| ending > before));
                    if news {
                        self.stored.insert(grant.key, ending);
                    }
                }
            }
            Step::Release(back) => {
                if let Some((worker, grant)) = self.pick(back) {
                    self.board.release(worker, grant.key, grant.epoch);
                    let standing = self.board.standing(worker, grant.key, grant.epoch);
                    assert_ne!(standing, Standing::Current);
                }
            }
            Step::Dismiss(worker) => drop(self.board.dismiss(worker)),
            Step::Lose(worker) => {
                let lost = self.board.lose_workers(|gone| gone == worker, "killed");
                self.lost(&lost);
            }
            Step::Cancel(second) => drop(self.board.cancel(survey(second))),
            Step::Enter(second) => self.enter(second),
            Step::Reopen(second) => {
                self.board.reopen_failed(survey(second));
                self.stored.retain(|key, ending| {
                    key.survey != survey(second) || *ending != Ending::Failed
                });
            }
            Step::Restart => {
                self.board = Board::new(BoardConfig::default(), self.board.next_epoch() + 50);
                self.enter(false);
                self.enter(true);
            }
        }
    }

    fn check(&self) {
        self.board.check().unwrap();
        for second in [false, true] {
            let counts = self.board.counts(survey(second)).unwrap();
            let stored = self
                .stored
                .keys()
                .filter(|key| key.survey == survey(second));
            assert_eq!(
                counts.done() as usize,
                stored.count(),
                "the board and the store agree"
            );
            assert!(counts.done() + counts.leased <= CELLS);
        }
    }
}

proptest! {
    #[test]
    fn whatever_happens_the_invariants_hold_and_the_rest_gets_done(steps in steps()) {
        let mut world = World::new();
        for step in &steps {
            world.take(step);
            world.check();
        }
        // Everybody else is gone; one good worker comes.
        world.enter(false);
        world.enter(true);
        let lost = world.board.lose_workers(|_| true, "the end");
        world.lost(&lost);
        while world.lease(77) {
            let (_, grant) = world.pick(0).unwrap();
            assert!(world.board.complete(grant.key, Ending::Exact));
            world.stored.insert(grant.key, Ending::Exact);
            world.check();
        }
        prop_assert_eq!(world.stored.len() as u32, 2 * CELLS);
        prop_assert_eq!(world.board.lease(world.now, 77), Offer::Done);
    }
}
