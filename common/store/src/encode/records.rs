//! Runs, markers, quarantine and events. Shards are in the keys; only events carry one inside.

use toads_census::{Digest, Shard};
use toads_strip::Variant;

use super::bytes::{Malformed, Reader, open_row, put_text, put_varint, seal_row};
use crate::keys;
use crate::records::{
    EventRecord, FailureClass, FailureRecord, Keep, QuarantineRecord, RunRecord, RunState,
    ShardRecord,
};

const RUN: u8 = 1;
const MARKER: u8 = 1;
const QUARANTINE: u8 = 2;
/// Without class and strip.
const OLDER_QUARANTINE: u8 = 1;
const EVENT: u8 = 1;

/// A shard's marker as it is stored: the record, and how many rows hold its tally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// What the caller knows.
    pub record: ShardRecord,
    /// Rows of its tally.
    pub tally_parts: u32,
}

/// A run under the key of its id.
pub fn encode_run(run: &RunRecord) -> Vec<u8> {
    let keep = match run.keep {
        Keep::Blocks => 0,
        Keep::Tallies => 1,
    };
    let state = match run.state {
        RunState::Active => 0,
        RunState::Paused => 1,
        RunState::Cancelled => 2,
    };
    let mut row = vec![
        RUN,
        run.variant.code(),
        run.first_n,
        run.last_n,
        keep,
        state,
    ];
    put_varint(&mut row, run.created_ms);
    seal_row(&run.id.to_be_bytes(), &mut row);
    row
}

/// The run of this id.
pub fn decode_run(key: &[u8], row: &[u8]) -> Result<RunRecord, Malformed> {
    let id = key
        .try_into()
        .map_err(|_| Malformed::Field("the key is not a run's"))?;
    let mut reader = open_row(key, row, RUN)?;
    let variant = Variant::from_code(reader.byte()?).ok_or(Malformed::Field("unknown variant"))?;
    let (first_n, last_n) = (reader.byte()?, reader.byte()?);
    let keep = match reader.byte()? {
        0 => Keep::Blocks,
        1 => Keep::Tallies,
        _ => return Err(Malformed::Field("unknown keep")),
    };
    let state = match reader.byte()? {
        0 => RunState::Active,
        1 => RunState::Paused,
        2 => RunState::Cancelled,
        _ => return Err(Malformed::Field("unknown state of a run")),
    };
    let created_ms = reader.varint()?;
    reader.end()?;
    Ok(RunRecord {
        id: u32::from_be_bytes(id),
        variant,
        first_n,
        last_n,
        keep,
        state,
        created_ms,
    })
}

/// A marker under the key of its shard.
pub fn encode_marker(marker: &Marker) -> Vec<u8> {
    let record = &marker.record;
    let mut row = vec![MARKER];
    row.extend_from_slice(&record.digest.0);
    for number in [
        record.strips,
        record.distinct,
        record.blocks.into(),
        record.block_bytes,
        record.epoch,
        record.committed_ms,
        record.evaluate_ms,
        marker.tally_parts.into(),
    ] {
        put_varint(&mut row, number);
    }
    put_text(&mut row, &record.worker);
    seal_row(&keys::shard(record.shard), &mut row);
    row
}

/// The marker of the shard with this key.
pub fn decode_marker(key: &[u8], row: &[u8]) -> Result<Marker, Malformed> {
    let shard = keys::parse_shard(key).ok_or(Malformed::Field("the key is not a shard's"))?;
    let mut reader = open_row(key, row, MARKER)?;
    let digest = Digest(reader.array()?);
    let strips = reader.varint()?;
    let distinct = reader.varint()?;
    let blocks = reader.narrow()?;
    let block_bytes = reader.varint()?;
    let epoch = reader.varint()?;
    let committed_ms = reader.varint()?;
    let evaluate_ms = reader.varint()?;
    let tally_parts = reader.narrow()?;
    let worker = reader.text()?;
    reader.end()?;
    let record = ShardRecord {
        shard,
        digest,
        strips,
        distinct,
        blocks,
        block_bytes,
        epoch,
        worker,
        committed_ms,
        evaluate_ms,
    };
    Ok(Marker {
        record,
        tally_parts,
    })
}

/// A quarantine record under the key of its shard.
pub fn encode_quarantine(record: &QuarantineRecord) -> Vec<u8> {
    let mut row = vec![QUARANTINE];
    put_varint(&mut row, record.since_ms);
    put_varint(&mut row, record.failures.len() as u64);
    for failure in &record.failures {
        let code = FailureClass::ALL
            .iter()
            .position(|class| *class == failure.class);
        row.push(code.unwrap_or(0) as u8);
        for text in [&failure.worker, &failure.strip, &failure.message] {
            put_text(&mut row, text);
        }
    }
    seal_row(&keys::shard(record.shard), &mut row);
    row
}

/// The quarantine record of the shard with this key.
pub fn decode_quarantine(key: &[u8], row: &[u8]) -> Result<QuarantineRecord, Malformed> {
    let shard = keys::parse_shard(key).ok_or(Malformed::Field("the key is not a shard's"))?;
    let (mut reader, is_older) = match open_row(key, row, QUARANTINE) {
        Err(Malformed::Version(OLDER_QUARANTINE)) => (open_row(key, row, OLDER_QUARANTINE)?, true),
        opened => (opened?, false),
    };
    let since_ms = reader.varint()?;
    let count = count_of(&mut reader, 2)?;
    let mut failures = Vec::with_capacity(count);
    for _ in 0..count {
        failures.push(if is_older {
            older_failure(&mut reader)?
        } else {
            failure(&mut reader)?
        });
    }
    reader.end()?;
    Ok(QuarantineRecord {
        shard,
        failures,
        since_ms,
    })
}

fn failure(reader: &mut Reader<'_>) -> Result<FailureRecord, Malformed> {
    let class = FailureClass::ALL.get(usize::from(reader.byte()?));
    let class = *class.ok_or(Malformed::Field("no class of failures"))?;
    let (worker, strip, message) = (reader.text()?, reader.text()?, reader.text()?);
    Ok(FailureRecord {
        worker,
        class,
        strip,
        message,
    })
}

/// From before the class was stored: whatever counted was deterministic.
fn older_failure(reader: &mut Reader<'_>) -> Result<FailureRecord, Malformed> {
    let (worker, message) = (reader.text()?, reader.text()?);
    Ok(FailureRecord {
        worker,
        class: FailureClass::Deterministic,
        strip: String::new(),
        message,
    })
}

/// An event under the key of its sequence number.
pub fn encode_event(event: &EventRecord) -> Vec<u8> {
    let mut row = vec![EVENT];
    put_varint(&mut row, event.at_ms);
    put_varint(&mut row, event.epoch);
    row.push(event.shard.is_some().into());
    if let Some(shard) = event.shard {
        row.extend_from_slice(&keys::shard(shard));
    }
    for text in [&event.kind, &event.worker, &event.detail] {
        put_text(&mut row, text);
    }
    seal_row(&event.sequence.to_be_bytes(), &mut row);
    row
}

/// The event with this key.
pub fn decode_event(key: &[u8], row: &[u8]) -> Result<EventRecord, Malformed> {
    let sequence = key
        .try_into()
        .map_err(|_| Malformed::Field("the key is not an event's"))?;
    let mut reader = open_row(key, row, EVENT)?;
    let (at_ms, epoch) = (reader.varint()?, reader.varint()?);
    let shard = match reader.byte()? {
        0 => None,
        1 => Some(read_shard(&mut reader)?),
        _ => return Err(Malformed::Field("neither a shard nor none")),
    };
    let (kind, worker, detail) = (reader.text()?, reader.text()?, reader.text()?);
    reader.end()?;
    Ok(EventRecord {
        sequence: u64::from_be_bytes(sequence),
        at_ms,
        kind,
        shard,
        worker,
        epoch,
        detail,
    })
}

fn read_shard(reader: &mut Reader<'_>) -> Result<Shard, Malformed> {
    let key = reader.bytes(keys::SHARD_KEY_BYTES)?;
    keys::parse_shard(key).ok_or(Malformed::Field("unknown shard"))
}

/// A count of items of at least `least` bytes each: never more than the row has room for.
fn count_of(reader: &mut Reader<'_>, least: usize) -> Result<usize, Malformed> {
    let count: usize = reader.narrow()?;
    if count > reader.remaining() / least {
        return Err(Malformed::Field("more items than bytes"));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use toads_strip::Class;

    use super::*;

    fn shard() -> Shard {
        Shard::whole(
            Variant::Hopless,
            Class {
                n: 9,
                toads: 4,
                frogs: 3,
            },
        )
    }

    #[test]
    fn records_read_back() {
        for (keep, state) in [
            (Keep::Blocks, RunState::Active),
            (Keep::Tallies, RunState::Paused),
            (Keep::Tallies, RunState::Cancelled),
        ] {
            let run = RunRecord {
                id: 7,
                variant: Variant::Hop,
                first_n: 1,
                last_n: 24,
                keep,
                state,
                created_ms: 1 << 41,
            };
            assert_eq!(decode_run(&7u32.to_be_bytes(), &encode_run(&run)), Ok(run));
        }
        let record = ShardRecord {
            shard: shard(),
            digest: Digest([9; 32]),
            strips: shard().strips(),
            distinct: 3,
            blocks: 2,
            block_bytes: 70_000,
            epoch: 12,
            worker: "node-7/4711".into(),
            committed_ms: u64::MAX,
            evaluate_ms: 0,
        };
        let marker = Marker {
            record,
            tally_parts: 40,
        };
        assert_eq!(
            decode_marker(&keys::shard(shard()), &encode_marker(&marker)),
            Ok(marker)
        );
        let quarantine = QuarantineRecord {
            shard: shard(),
            failures: FailureClass::ALL
                .map(|class| FailureRecord {
                    worker: "a#1".into(),
                    class,
                    strip: "T.F".into(),
                    message: "…".into(),
                })
                .into(),
            since_ms: 5,
        };
        assert_eq!(
            decode_quarantine(&keys::shard(shard()), &encode_quarantine(&quarantine)),
            Ok(quarantine)
        );
        for shard in [None, Some(shard())] {
            let event = EventRecord {
                sequence: 3,
                at_ms: 77,
                kind: "leased".into(),
                shard,
                worker: "w".into(),
                epoch: 1,
                detail: String::new(),
            };
            assert_eq!(
                decode_event(&3u64.to_be_bytes(), &encode_event(&event)),
                Ok(event)
            );
        }
    }

    #[test]
    fn quarantine_of_an_older_build_reads_as_deterministic() {
        let mut row = vec![OLDER_QUARANTINE, 5, 1];
        for text in ["a#1", "panicked"] {
            put_text(&mut row, text);
        }
        seal_row(&keys::shard(shard()), &mut row);
        let read = decode_quarantine(&keys::shard(shard()), &row).unwrap();
        let expected = FailureRecord {
            worker: "a#1".into(),
            class: FailureClass::Deterministic,
            strip: String::new(),
            message: "panicked".into(),
        };
        assert_eq!((read.since_ms, read.failures), (5, vec![expected]));
        row[0] = 3;
        row.truncate(row.len() - 4);
        seal_row(&keys::shard(shard()), &mut row);
        assert_eq!(
            decode_quarantine(&keys::shard(shard()), &row),
            Err(Malformed::Version(3))
        );
    }

    #[test]
    fn a_count_larger_than_the_row_reserves_nothing() {
        let mut row = vec![QUARANTINE, 0];
        put_varint(&mut row, u64::MAX >> 1);
        seal_row(&keys::shard(shard()), &mut row);
        assert_eq!(
            decode_quarantine(&keys::shard(shard()), &row),
            Err(Malformed::Field("more items than bytes"))
        );
    }
}
