//! All leased shards of this worker.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toads_census::Shard;
use toads_wire::{convert, v1};

use crate::task::Task;

/// By shard: no shard is leased twice to one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board(Arc<Mutex<BTreeMap<Shard, Arc<Task>>>>);

impl Board {
    fn tasks(&self) -> MutexGuard<'_, BTreeMap<Shard, Arc<Task>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a lease; it leaves when the guard is dropped.
    pub(crate) fn enter(&self, task: Task) -> Entered {
        let task = Arc::new(task);
        if let Some(old) = self.tasks().insert(task.shard, Arc::clone(&task)) {
            // The coordinator took it back and gave it again before we heard of the first.
            old.revoke();
        }
        Entered {
            board: self.clone(),
            task,
        }
    }

    pub(crate) fn all(&self) -> Vec<Arc<Task>> {
        self.tasks().values().cloned().collect()
    }

    pub(crate) fn progress(&self) -> Vec<v1::LeaseProgress> {
        self.tasks()
            .values()
            .filter(|task| !task.is_revoked())
            .map(|task| task.progress())
            .collect()
    }

    /// Takes back what the coordinator says is not ours.
    pub(crate) fn revoke(&self, keys: &[v1::LeaseKey]) {
        let tasks = self.tasks();
        for key in keys {
            let task = convert::shard(key.shard.as_ref())
                .ok()
                .and_then(|shard| tasks.get(&shard));
            if let Some(task) = task.filter(|task| task.epoch() == key.epoch) {
                task.revoke();
            }
        }
    }

    /// After a new registration: what was adopted goes on under its new epoch, of what was offered the rest is lost.
    pub(crate) fn adopt(&self, offered: &[v1::LeaseProgress], leases: &[v1::Lease]) {
        let adopted: BTreeMap<Shard, u64> = leases
            .iter()
            .filter_map(|lease| lease.key.as_ref())
            .filter_map(|key| Some((convert::shard(key.shard.as_ref()).ok()?, key.epoch)))
            .collect();
        let tasks = self.tasks();
        for key in offered.iter().filter_map(|held| held.key.as_ref()) {
            let Some(task) = convert::shard(key.shard.as_ref())
                .ok()
                .and_then(|shard| tasks.get(&shard))
            else {
                continue;
            };
            match adopted.get(&task.shard) {
                Some(&epoch) => task.adopt(epoch),
                None => task.revoke(),
            }
        }
    }
}

/// A task on the board.
#[derive(Debug)]
pub(crate) struct Entered {
    board: Board,
    pub(crate) task: Arc<Task>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut tasks = self.board.tasks();
        // Not a later lease of the same shard.
        if tasks
            .get(&self.task.shard)
            .is_some_and(|task| Arc::ptr_eq(task, &self.task))
        {
            tasks.remove(&self.task.shard);
        }
    }
}

#[cfg(test)]
mod tests {
    use toads_strip::{Class, Variant};

    use super::*;

    fn task(frogs: usize, epoch: u64) -> Task {
        Task::new(
            Shard::whole(Variant::Hop, Class::new(6, 3, frogs).unwrap()),
            epoch,
            true,
        )
    }

    #[test]
    fn after_a_new_registration_what_was_not_adopted_is_lost() {
        let board = Board::default();
        let (kept, lost) = (board.enter(task(1, 7)), board.enter(task(2, 8)));
        let offered = board.progress();
        let later = board.enter(task(3, 30));
        let lease = v1::Lease {
            key: Some(v1::LeaseKey {
                epoch: 21,
                ..kept.task.key()
            }),
            ..v1::Lease::default()
        };
        board.adopt(&offered, &[lease]);
        assert_eq!((kept.task.epoch(), kept.task.is_revoked()), (21, false));
        assert!(lost.task.is_revoked());
        assert!(!later.task.is_revoked(), "leased after the offer");
        assert_eq!(board.progress().len(), 2);
    }

    #[test]
    fn only_the_named_epoch_is_revoked_and_guards_remove_only_their_own() {
        let board = Board::default();
        let old = board.enter(task(1, 7));
        board.revoke(&[v1::LeaseKey {
            epoch: 6,
            ..old.task.key()
        }]);
        assert!(!old.task.is_revoked());
        let new = board.enter(task(1, 9));
        assert!(old.task.is_revoked(), "its lease must have been lost");
        drop(old);
        assert_eq!(board.progress().len(), 1);
        board.revoke(&[new.task.key()]);
        assert!(new.task.is_revoked());
        drop(new);
        assert!(board.all().is_empty());
    }
}
