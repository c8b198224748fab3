//! Single rules, one test each; what holds of all schedules is in `properties`.

use super::*;
use crate::board::lease::{Grant, Offer};

fn survey(byte: u8) -> SurveyId {
    SurveyId([byte; 16])
}

fn key(index: u32) -> CellKey {
    CellKey {
        survey: survey(1),
        index,
    }
}

fn board(groups: &[u64]) -> Board {
    let mut board = Board::new(BoardConfig::default(), 100);
    board.enter(survey(1), groups, &[]);
    board
}

fn leased(offer: Offer) -> Grant {
    match offer {
        Offer::Cell(grant) => grant,
        other => panic!("no cell but {other:?}"),
    }
}

#[test]
fn cells_of_a_class_stay_with_a_worker_and_others_begin_elsewhere() {
    let mut board = board(&[7, 7, 8, 7, 9]);
    let mut next = |worker| leased(board.lease(0, worker)).key.index;
    assert_eq!([next(1), next(2), next(1), next(1)], [0, 2, 1, 3]);
    // The first worker's class is used up, the second's too: somebody takes what nobody works on.
    assert_eq!(next(2), 4);
    assert_eq!(board.lease(0, 1), Offer::Wait);
}

#[test]
fn epochs_begin_where_told_and_a_restart_leases_nothing_that_is_done() {
    let mut board = Board::new(BoardConfig::default(), 100);
    board.enter(
        survey(1),
        &[1, 1, 1],
        &[(0, Ending::Exact), (2, Ending::Failed)],
    );
    let grant = leased(board.lease(0, 1));
    assert_eq!((grant.epoch, grant.key), (100, key(1)));
    assert_eq!(board.lease(0, 2), Offer::Wait);
    assert!(board.complete(key(1), Ending::Bounded));
    assert_eq!(board.lease(0, 2), Offer::Done);
    assert_eq!(board.reopen_failed(survey(1)), 1);
    assert_eq!(leased(board.lease(0, 2)).key, key(2));
}

#[test]
fn a_lease_that_is_renewed_lives_and_one_that_is_not_runs_out() {
    let mut board = board(&[1, 2]);
    let (kept, lost) = (leased(board.lease(0, 1)), leased(board.lease(0, 2)));
    for now in (0..60_000).step_by(5_000) {
        board.tick(now);
        assert!(board.renew(now, 1, kept.key, kept.epoch, now));
    }
    assert_eq!(board.standing(1, kept.key, kept.epoch), Standing::Current);
    assert_eq!(board.standing(2, lost.key, lost.epoch), Standing::Stale);
    assert!(!board.renew(60_000, 2, lost.key, lost.epoch, 1));
    let again = leased(board.lease(60_000, 3));
    assert_eq!(again.key, lost.key);
    assert!(again.epoch > lost.epoch);
    // The late worker's release does not touch the new lease, its result is welcome.
    assert!(!board.release(2, lost.key, lost.epoch));
    assert!(board.complete(lost.key, Ending::Exact));
    assert_eq!(board.standing(3, again.key, again.epoch), Standing::Done);
}

#[test]
fn beats_without_progress_do_not_keep_a_lease() {
    let mut board = board(&[1]);
    let grant = leased(board.lease(0, 1));
    let mut lost = Vec::new();
    for now in (0..400_000).step_by(5_000) {
        board.renew(now, 1, grant.key, grant.epoch, 3);
        lost.extend(board.tick(now));
    }
    assert_eq!(lost.len(), 1);
    assert!(lost[0].why.starts_with("no progress"), "{}", lost[0].why);
}

#[test]
fn a_cell_that_loses_one_worker_after_the_other_is_given_up() {
    let mut board = board(&[1]);
    let losses = BoardConfig::default().losses;
    for worker in 1..=u64::from(losses) {
        leased(board.lease(0, worker));
        let lost = board.lose_workers(|gone| gone == worker, "killed");
        assert_eq!(lost.len(), 1);
        assert_eq!(lost[0].given_up, worker == u64::from(losses));
    }
    assert_eq!(board.counts(survey(1)).unwrap().failed, 1);
    assert_eq!(board.lease(0, 99), Offer::Done);
}

#[test]
fn our_own_pause_is_not_blamed_on_the_workers() {
    let mut board = board(&[1]);
    let grant = leased(board.lease(0, 1));
    board.tick(0);
    assert_eq!(board.tick(1_000_000), []);
    assert_eq!(board.standing(1, grant.key, grant.epoch), Standing::Current);
}

#[test]
fn what_was_asked_for_last_comes_first_and_cancelled_cells_are_not_leased() {
    let mut board = board(&[1]);
    board.enter(survey(2), &[1, 1], &[]);
    let grant = leased(board.lease(0, 1));
    assert_eq!(grant.key.survey, survey(2));
    assert_eq!(board.cancel(survey(2)), [(grant.key, grant.epoch)]);
    assert!(!board.renew(0, 1, grant.key, grant.epoch, 1));
    assert_eq!(leased(board.lease(0, 1)).key.survey, survey(1));
    assert_eq!(board.lease(0, 2), Offer::Wait);
    // Finished all the same: a result is a result.
    assert!(board.complete(grant.key, Ending::Exact));
    board.enter(survey(2), &[1, 1], &[]);
    assert_eq!(leased(board.lease(0, 2)).key.index, 1);
}
