//! How fast is a store here? Streams synthetic values, looks them up, commits long tallies, opens again.
//!
//! `cargo run --release -p toads-store --example storing -- FOLDER [VALUES]`: 5,000,000 values by default, about 300 MB of
//! disk. The folder must not exist; it is left behind.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use toads_census::{Digest, Shard, ShardResult, TallyEntry, ValueForm};
use toads_game::{Arena, Invariants, Value, ValueId, ValueInvariants};
use toads_store::ranks::{Ranks, Strips};
use toads_store::{OpenOptions, RocksStore, ShardRecord, Store};
use toads_strip::{Class, Variant};

/// A worker's message.
const BATCH: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("usage: measure FOLDER [VALUES]")?);
    let count: usize = arguments
        .next()
        .map_or(Ok(5_000_000), |text| text.to_string_lossy().parse())?;
    let options = OpenOptions::creating();
    let store = RocksStore::open(&path, &options)?;
    let mut source = Source::new()?;
    let mut ids = Vec::with_capacity(count);

    let (start, written, cpu) = (Instant::now(), written_bytes(), cpu_time());
    let (mut making, mut making_cpu) = (Duration::ZERO, Duration::ZERO);
    let mut slowest = Duration::ZERO;
    while ids.len() < count {
        let began = (Instant::now(), cpu_time());
        let forms: Vec<ValueForm> = (0..BATCH.min(count - ids.len()))
            .map(|_| source.form())
            .collect();
        making += began.0.elapsed();
        making_cpu += cpu_time().saturating_sub(began.1);
        ids.extend(forms.iter().map(|form| form.id));
        let began = Instant::now();
        store.put_values(&forms)?;
        slowest = slowest.max(began.elapsed());
    }
    let elapsed = start.elapsed().saturating_sub(making);
    println!(
        "put {count} values: {:.1} s ({:.1} s of CPU), slowest batch of {BATCH} {slowest:.0?}",
        elapsed.as_secs_f64(),
        cpu_time().saturating_sub(cpu + making_cpu).as_secs_f64(),
    );

    let million = ids.len().min(1_000_000);
    timed("look up a million known values, any order", || {
        store.missing_values(&ids[..million]).map(|m| m.len())
    })?;
    let unknown: Vec<ValueId> = (0..million).map(|_| source.id()).collect();
    timed("look up a million unknown values", || {
        store.missing_values(&unknown).map(|missing| missing.len())
    })?;
    timed("read 100,000 values", || {
        store.values(&ids[..million / 10]).map(|forms| forms.len())
    })?;
    timed("visit all values", || {
        let mut seen = 0u64;
        let visited = store.scan_values(&mut |_| {
            seen += 1;
            ControlFlow::Continue(())
        });
        visited.map(|()| seen)
    })?;

    for (n, distinct) in [(19, million), (20, ids.len().min(2_000_000))] {
        let shard = Shard::whole(
            Variant::Hop,
            Class {
                n,
                toads: 6,
                frogs: 6,
            },
        );
        let (record, result) = tally(shard, &ids[..distinct]);
        timed(&format!("commit a tally of {distinct} values"), || {
            store.commit(&record, &result, &[])
        })?;
        timed(
            &format!("read a tally of {distinct} values by number"),
            || {
                store
                    .numbered_tally(shard)
                    .map(|found| found.map(|all| all.len()))
            },
        )?;
        timed(&format!("read a tally of {distinct} values"), || {
            store
                .tally(shard)
                .map(|found| assert!(found.as_ref() == Some(&result)))
        })?;
    }
    timed("a synced batch of its own", || {
        store.invalidate(
            Shard {
                block: 1,
                ..first()
            },
            &[],
        )
    })?;
    let closing = Instant::now();
    drop(store);
    println!("close: {:.2?}", closing.elapsed());
    println!(
        "written to disk: {:.1} bytes a value",
        (written_bytes() - written) as f64 / count as f64
    );
    let opening = Instant::now();
    let store = RocksStore::open(&path, &options)?;
    println!("open: {:.2?}", opening.elapsed());
    timed("look up a million known values after opening", || {
        store.missing_values(&ids[..million]).map(|m| m.len())
    })?;
    timed("compact", || store.compact())?;
    timed("look up a million known values, compacted", || {
        store.missing_values(&ids[..million]).map(|m| m.len())
    })?;
    for (key, value) in store.info()? {
        println!("{key} {value}");
    }
    Ok(())
}

fn first() -> Shard {
    Shard::whole(
        Variant::Hop,
        Class {
            n: 1,
            toads: 0,
            frogs: 0,
        },
    )
}

fn timed<T: std::fmt::Debug>(
    what: &str,
    act: impl FnOnce() -> toads_store::Result<T>,
) -> toads_store::Result<T> {
    let (start, cpu) = (Instant::now(), cpu_time());
    let answer = act()?;
    println!(
        "{what}: {:.2?}, {:.2?} of CPU ({answer:?})",
        start.elapsed(),
        cpu_time().saturating_sub(cpu)
    );
    Ok(answer)
}

fn tally(shard: Shard, ids: &[ValueId]) -> (ShardRecord, ShardResult) {
    let (ranks, mirrors) = (Ranks::new(shard.class), Strips::new(shard.class.n));
    let mut tally: Vec<TallyEntry> = ids
        .iter()
        .zip(0u64..)
        .map(|(&value, i)| {
            let first = ranks.index(i * 13).expect("a rank of the class");
            TallyEntry {
                value,
                count: 1 + i % 3,
                first,
                first_mirrored: mirrors.mirror(first).expect("a strip of the class"),
            }
        })
        .collect();
    tally.sort_unstable_by_key(|entry| entry.value);
    let strips = shard.strips();
    let several = tally.iter().position(|entry| entry.count > 1);
    tally[several.expect("two values at least")].count +=
        strips - tally.iter().map(|entry| entry.count).sum::<u64>();
    let mut digest = Digest([1; 32]);
    digest.0[..8].copy_from_slice(&(ids.len() as u64).to_le_bytes());
    let record = ShardRecord {
        shard,
        digest,
        strips,
        distinct: tally.len() as u64,
        blocks: 0,
        block_bytes: 0,
        epoch: 1,
        worker: "measure".into(),
        committed_ms: 0,
        evaluate_ms: 0,
    };
    (record, ShardResult { digest, tally })
}

/// Values that look like those of strips: one to three options a side, most of them recent; half have a negative that
/// is stored, half one that is not.
struct Source {
    state: u64,
    known: Vec<ValueId>,
    invariants: ValueInvariants,
}

impl Source {
    fn new() -> Result<Self, toads_game::GameError> {
        let arena = Arena::new();
        Ok(Self {
            state: 1,
            known: Vec::new(),
            invariants: Invariants::new(&arena).record(Value::ZERO)?,
        })
    }

    /// Splitmix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn id(&mut self) -> ValueId {
        ValueId((u128::from(self.next()) << 64 | u128::from(self.next())).to_be_bytes())
    }

    /// A value that is known: one of the last 4,000 as often as any other.
    fn old(&mut self) -> ValueId {
        let back = if self.next().is_multiple_of(2) {
            self.known.len().min(4_000)
        } else {
            self.known.len()
        };
        let back = self.next() as usize % back;
        self.known[self.known.len() - 1 - back]
    }

    fn form(&mut self) -> ValueForm {
        if self.known.is_empty() {
            let zero = ValueId::of(&mut [], &mut []);
            self.known.push(zero);
            return self.with(zero, vec![], vec![], zero);
        }
        let (mut left, mut right) = (vec![self.old(), self.old()], vec![self.old()]);
        left.sort_unstable();
        left.dedup();
        let id = ValueId::of(&mut left, &mut right);
        // Among few values it is likely to be one of them.
        if self.known.len() < 5_000 && self.known.contains(&id) {
            return self.form();
        }
        let negative = if self.next().is_multiple_of(2) {
            self.old()
        } else {
            self.id()
        };
        self.known.push(id);
        self.with(id, left, right, negative)
    }

    fn with(
        &self,
        id: ValueId,
        left: Vec<ValueId>,
        right: Vec<ValueId>,
        negative: ValueId,
    ) -> ValueForm {
        ValueForm {
            id,
            negative,
            left,
            right,
            invariants: self.invariants,
        }
    }
}

/// Processor time of all threads so far, in steps of 10 ms; 0 where the system does not say.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_millis(10 * ticks)
}

/// What this process has sent to the disk; 0 where the system does not say.
fn written_bytes() -> u64 {
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    io.lines()
        .find_map(|line| line.strip_prefix("write_bytes: ")?.parse().ok())
        .unwrap_or(0)
}
