//! The arena that all threads and shards share, and what goes with it.

use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toads_census::forms::{Forms, KnownValues, closure};
use toads_census::{Shard, Tables, ValueForm, kernel};
use toads_game::{Arena, GameError, Value};

use crate::task::Task;

/// Memory when none was named.
const DEFAULT_BYTES: u64 = 1 << 30;

/// The present arena. A full one is replaced; whoever still works in the old one keeps it alive.
pub(crate) struct Arenas {
    memory: u64,
    current: Mutex<Arc<Shared>>,
}

/// An arena, its scribe, and what the coordinator is known to have of it.
pub(crate) struct Shared {
    pub(crate) arena: Arc<Arena>,
    /// Tables of recent classes, in the terms of this arena.
    pub(crate) tables: Tables,
    scribe: Mutex<Sender<Request>>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The instance of the coordinator; another one knows nothing.
    instance: u64,
    values: KnownValues,
}

type Request = (Vec<Value>, SyncSender<Result<ValueForm, GameError>>);

impl Arenas {
    pub(crate) fn new(memory_bytes: u64) -> Self {
        let memory = if memory_bytes == 0 {
            DEFAULT_BYTES
        } else {
            memory_bytes
        };
        Self {
            memory,
            current: Mutex::new(Shared::new(memory)),
        }
    }

    pub(crate) fn current(&self) -> Arc<Shared> {
        Arc::clone(&self.lock())
    }

    /// A fresh arena in place of `old`, unless somebody has replaced it already.
    pub(crate) fn replace(&self, old: &Arc<Shared>) {
        let mut current = self.lock();
        if Arc::ptr_eq(&current, old) {
            tracing::info!(
                values = old.arena.len(),
                bytes = old.arena.memory_bytes(),
                "a fresh arena replaces the full one"
            );
            *current = Shared::new(self.memory);
        }
    }

    /// Forgets everything: others need the memory.
    pub(crate) fn clear(&self) {
        *self.lock() = Shared::new(self.memory);
    }

    /// Bytes it may take.
    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Tells the log what the present arena holds and how often its memo of option sets had the answer.
    pub(crate) fn report(&self) {
        let shared = self.current();
        let stats = shared.tables.stats();
        tracing::info!(
            values = shared.arena.len(),
            bytes = shared.arena.memory_bytes(),
            canonicalised = stats.canonicalised,
            memo_hits_percent = (stats.hit_rate() * 1_000.0).round() / 10.0,
            "arena"
        );
    }

    /// Bytes in use by the present arena.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.current().arena.memory_bytes()
    }

    /// Whether the table of a shard fits beside the arena; else what to say.
    pub(crate) fn check_table(&self, task: &Task) -> Result<(), String> {
        let least = table_memory(task.shard);
        if least <= self.memory {
            return Ok(());
        }
        Err(format!(
            "{} takes half of {least} bytes beside the arena, and this worker has {} bytes; give it --memory {least} or more",
            task.shard, self.memory
        ))
    }

    /// Whether so many classes like this one can be evaluated side by side.
    pub(crate) fn have_room_for(&self, shard: Shard, threads: usize) -> bool {
        let each = kernel::table_bytes(shard).saturating_mul(3);
        each.saturating_mul(threads as u64) <= self.memory - arena_bytes(self.memory)
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Shared>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory with which the table of a shard fits beside the arena: the table itself, and the stops of its strips while
/// they are evaluated, are half of it.
fn table_memory(shard: Shard) -> u64 {
    kernel::table_bytes(shard).saturating_mul(2 * 3)
}

/// The least memory, in bytes, that a worker must be given for a shard: its table must fit beside the arena, and the values of
/// small classes take some tens of megabytes anyway. Values may need more; how many there are is not known before.
pub fn least_memory(shard: Shard) -> u64 {
    table_memory(shard).max(64 << 20)
}

/// Half of the memory; the rest is for tables.
fn arena_bytes(memory: u64) -> u64 {
    memory / 2
}

impl Shared {
    fn new(memory: u64) -> Arc<Self> {
        let arena = Arc::new(Arena::with_capacity_bytes(arena_bytes(memory)));
        let table_bytes = memory - arena_bytes(memory);
        let (scribe, requests) = channel::<Request>();
        let shared = Self {
            arena: Arc::clone(&arena),
            tables: Tables::new(table_bytes),
            scribe: Mutex::new(scribe),
            known: Mutex::default(),
        };
        // One thread writes all forms of the arena, so that a thermograph is drawn once. It ends with the sender.
        let write = move || {
            let mut forms = Forms::new(&arena);
            for (values, reply) in requests {
                for value in values {
                    if reply.send(forms.form(value)).is_err() {
                        break;
                    }
                }
            }
        };
        if let Err(error) = std::thread::Builder::new()
            .name("toads-scribe".into())
            .spawn(write)
        {
            tracing::error!(%error, "the thread that writes forms cannot be started");
        }
        Arc::new(shared)
    }

    /// The forms of `values`, in order, one by one; ends early when the scribe has died.
    pub(crate) fn forms(
        &self,
        values: Vec<Value>,
    ) -> impl Iterator<Item = Result<ValueForm, GameError>> + use<> {
        let (reply, forms) = sync_channel(256);
        let _ = self
            .scribe
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .send((values, reply));
        forms.into_iter()
    }

    /// `values` and their subpositions that this instance of the coordinator is not known to have, options first.
    pub(crate) fn unknown(&self, instance: u64, values: &[Value]) -> Vec<Value> {
        let mut known = self.known(instance).values.clone();
        closure(&self.arena, values, &mut known)
    }

    /// The coordinator has these now.
    pub(crate) fn learn(&self, instance: u64, values: &[Value]) {
        let mut known = self.known(instance);
        for &value in values {
            known.values.insert(value);
        }
    }

    fn known(&self, instance: u64) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.instance != instance {
            *known = Known {
                instance,
                values: KnownValues::default(),
            };
        }
        known
    }
}
