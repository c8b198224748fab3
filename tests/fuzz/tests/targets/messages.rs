//! Messages of the contract, as a hostile worker or operator sends them: protobuf, then the checks of the conversions. The
//! first byte of an input says which message the rest is.

use prost::Message;
use toads_census::{Shard, codec};
use toads_fuzz::{Fuzz, assert_clear};
use toads_game::ValueId;
use toads_strip::{Class, Variant};
use toads_survey::{
    Bound, Budget, Cell, CellKey, CellOutcome, CellRecord, Effort, Exact, Relation, Survey,
};
use toads_wire::convert::{self, WireError};
use toads_wire::v1::{self, submit_request::Part};

use crate::census::{Evaluated, census};

/// Reads a message, tests that its bytes read back, and converts it.
fn read<M: Message + Default + PartialEq>(
    bytes: &[u8],
    convert: impl Fn(&M) -> Result<(), WireError>,
) -> bool {
    let Ok(message) = M::decode(bytes) else {
        return false;
    };
    let again = M::decode(message.encode_to_vec().as_slice()).expect("what is written is read");
    assert!(again == message);
    match convert(&message) {
        Ok(()) => true,
        Err(error) => {
            assert_clear(&error);
            false
        }
    }
}

/// The readers, by first byte, and a valid message for each.
macro_rules! messages {
    ($($at:literal => $message:ty { $valid:expr } $convert:expr;)+) => {
        fn message(input: &[u8]) -> bool {
            let Some((kind, bytes)) = input.split_first() else {
                return false;
            };
            match kind {
                $($at => read::<$message>(bytes, $convert),)+
                _ => false,
            }
        }

        fn seeds() -> Vec<Vec<u8>> {
            let mut seeds = Vec::new();
            $({
                let valid: Vec<$message> = $valid;
                for message in valid {
                    seeds.push([vec![$at], message.encode_to_vec()].concat());
                }
            })+
            seeds
        }
    };
}

messages! {
    0 => v1::SubmitRequest { submissions() } submit;
    1 => v1::RegisterRequest { vec![register()] } |message| {
        convert::digest("the fingerprint", &message.fingerprint)?;
        message.holding.iter().try_for_each(lease_progress)
    };
    2 => v1::LeaseRequest { vec![v1::LeaseRequest { worker: Some(worker()), max_shards: 7 }] } nothing;
    3 => v1::ProgressRequest { vec![v1::ProgressRequest {
        worker: Some(worker()), leases: vec![progress()], memory_bytes: 1 << 30,
    }] } |message| message.leases.iter().try_for_each(lease_progress);
    4 => v1::OfferValuesRequest { vec![v1::OfferValuesRequest {
        worker: Some(worker()), ids: convert::to_ids(&[ValueId([1; 16]), ValueId([2; 16])]),
    }] } |message| {
        let ids = convert::ids("the ids", &message.ids)?;
        assert_eq!(convert::to_ids(&ids), message.ids);
        Ok(())
    };
    5 => v1::ReleaseRequest { vec![v1::ReleaseRequest {
        worker: Some(worker()), leases: vec![lease()],
    }] } |message| message.leases.iter().try_for_each(|key| shard(key.shard.as_ref()));
    6 => v1::FailRequest { vec![v1::FailRequest {
        worker: Some(worker()), key: Some(lease()), failure: Some(failure()),
    }] } |message| shard(message.key.as_ref().and_then(|key| key.shard.as_ref()));
    7 => v1::GoodbyeRequest { vec![v1::GoodbyeRequest {
        worker: Some(worker()), reason: "the end".into(),
    }] } nothing;
    8 => v1::SubmitRunRequest { vec![v1::SubmitRunRequest {
        range: Some(convert::to_range(Variant::Hop, &(1..=12))), keep: 1,
    }] } |message| {
        convert::keep_blocks(message.keep)?;
        range(message.range.as_ref())
    };
    9 => v1::InvalidateRequest { vec![v1::InvalidateRequest {
        shards: vec![convert::to_shard(a_shard())], worker: "w".into(), variant: 1,
        first_squares: 3, last_squares: 5,
    }] } |message| message.shards.iter().try_for_each(|of| shard(Some(of)));
    10 => v1::PlanRequest { vec![v1::PlanRequest {
        range: Some(convert::to_range(Variant::Hopless, &(3..=4))),
    }] } |message| range(message.range.as_ref());
    11 => v1::EventsRequest { vec![v1::EventsRequest {
        from: 1, limit: 50, follow: true, since_ms: 9,
    }] } nothing;
    12 => v1::SubmitSurveyRequest { vec![v1::SubmitSurveyRequest {
        definition: Some(convert::to_definition(&survey())), retry_failed: true,
    }] } |message| {
        let survey = convert::definition(message.definition.as_ref())?;
        let again = convert::definition(Some(&convert::to_definition(&survey)));
        assert_eq!(again.as_ref(), Ok(&survey));
        survey.cells().iter().for_each(|cell| drop(cell.squares().expect("it was checked")));
        Ok(())
    };
    13 => v1::CompleteCellRequest { results() } |message| {
        convert::cell_key(message.key.as_ref())?;
        let (outcome, effort) = convert::result(message.result.as_ref())?;
        let again = convert::result(Some(&convert::to_result(&outcome, effort)));
        assert_eq!(again, Ok((outcome, effort)));
        Ok(())
    };
    14 => v1::RenewCellRequest { vec![v1::RenewCellRequest {
        worker: Some(worker()), key: Some(convert::to_cell_key(cell_key(), 9)), nodes: 4,
    }] } |message| convert::cell_key(message.key.as_ref()).map(drop);
    15 => v1::ReadSurveyResponse { vec![v1::ReadSurveyResponse { cells: vec![entry()] }] } |message| {
        message.cells.iter().filter_map(|entry| entry.record.as_ref()).try_for_each(|record| {
            let read = convert::cell_record(record)?;
            assert_eq!(convert::cell_record(&convert::to_cell_record(&read)).as_ref(), Ok(&read));
            Ok(())
        })
    };
    16 => v1::LeaseResponse { vec![v1::LeaseResponse {
        next: 1, leases: vec![v1::Lease { key: Some(lease()), keep: 1, speculative: true, last: true }], wait_ms: 5,
    }] } |message| message.leases.iter().try_for_each(|lease| {
        convert::keep_blocks(lease.keep)?;
        shard(lease.key.as_ref().and_then(|key| key.shard.as_ref()))
    });
    17 => v1::GetSurveyRequest { vec![v1::GetSurveyRequest {
        survey: convert::to_survey_id(survey().id()),
    }] } |message| convert::survey_id(&message.survey).map(drop);
}

#[test]
fn messages() {
    Fuzz::new("messages").seeds(seeds()).run(message);
}

/// For messages that are not converted.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the others can fail, and are called the same way"
)]
fn nothing<M>(_: &M) -> Result<(), WireError> {
    Ok(())
}

fn shard(message: Option<&v1::Shard>) -> Result<(), WireError> {
    let shard = convert::shard(message)?;
    assert_eq!(convert::shard(Some(&convert::to_shard(shard))), Ok(shard));
    assert!(shard.class.is_computed() && (1..=24).contains(&shard.class.n));
    Ok(())
}

fn range(message: Option<&v1::Range>) -> Result<(), WireError> {
    let (variant, squares) = convert::range(message)?;
    let again = convert::to_range(variant, &squares);
    assert_eq!(convert::range(Some(&again)), Ok((variant, squares)));
    Ok(())
}

fn lease_progress(message: &v1::LeaseProgress) -> Result<(), WireError> {
    shard(message.key.as_ref().and_then(|key| key.shard.as_ref()))
}

fn submit(message: &v1::SubmitRequest) -> Result<(), WireError> {
    match message
        .part
        .as_ref()
        .ok_or(WireError::Missing("its content"))?
    {
        Part::Header(header) => {
            convert::submitted_shard(header)?;
            convert::keep_blocks(header.keep).map(drop)
        }
        Part::Forms(forms) => forms.forms.iter().try_for_each(|message| {
            let form = convert::form(message)?;
            assert_eq!(convert::form(&convert::to_form(&form)).as_ref(), Ok(&form));
            Ok(())
        }),
        Part::Tally(tally) => tally.entries.iter().try_for_each(|message| {
            let entry = convert::tally_entry(message)?;
            assert_eq!(
                convert::tally_entry(&convert::to_tally_entry(&entry)),
                Ok(entry)
            );
            Ok(())
        }),
        Part::Blocks(blocks) => {
            blocks
                .blocks
                .iter()
                .for_each(|block| drop(codec::decode(&block.data)));
            Ok(())
        }
        Part::Trailer(trailer) => convert::digest("the digest", &trailer.digest).map(drop),
    }
}

fn a_shard() -> Shard {
    Shard::whole(Variant::Hop, Class::new(5, 2, 1).unwrap())
}

fn worker() -> v1::WorkerKey {
    v1::WorkerKey {
        worker_id: 3,
        instance: 99,
    }
}

fn lease() -> v1::LeaseKey {
    v1::LeaseKey {
        shard: Some(convert::to_shard(a_shard())),
        epoch: 12,
    }
}

fn progress() -> v1::LeaseProgress {
    v1::LeaseProgress {
        key: Some(lease()),
        strips_done: 9,
        steps: 1,
        started: true,
    }
}

fn failure() -> v1::Failure {
    v1::Failure {
        failure_class: 4,
        message: "panicked".into(),
        strip: "T.F".into(),
    }
}

fn register() -> v1::RegisterRequest {
    v1::RegisterRequest {
        name: "node-7/4711".into(),
        protocol: toads_wire::PROTOCOL,
        fingerprint: vec![7; 32],
        version: "0.1.0".into(),
        threads: 4,
        memory_bytes: 1 << 33,
        pid: 4711,
        capabilities: vec!["cells".into()],
        holding: vec![progress()],
    }
}

/// All messages of the submission of a shard.
pub(crate) fn submission(of: &Evaluated) -> Vec<Part> {
    let entries = of.result.tally.iter().map(convert::to_tally_entry);
    let blocks = of.blocks.iter().map(|(number, data)| v1::Block {
        number: *number,
        data: data.clone(),
    });
    let header = v1::SubmitHeader {
        worker: None,
        key: Some(v1::LeaseKey {
            shard: Some(convert::to_shard(of.shard)),
            epoch: 0,
        }),
        keep: convert::to_keep(true).into(),
        evaluate_ms: 7,
    };
    let trailer = v1::SubmitTrailer {
        digest: convert::to_digest(of.result.digest),
        strips: of.shard.strips(),
        distinct: of.result.tally.len() as u64,
        blocks: of.blocks.len() as u32,
        block_bytes: of.blocks.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
    };
    vec![
        Part::Header(header),
        Part::Forms(v1::SubmitForms {
            forms: of.forms.iter().map(convert::to_form).collect(),
        }),
        Part::Tally(v1::SubmitTally {
            entries: entries.collect(),
        }),
        Part::Blocks(v1::SubmitBlocks {
            blocks: blocks.collect(),
        }),
        Part::Trailer(trailer),
    ]
}

fn submissions() -> Vec<v1::SubmitRequest> {
    let parts = census(4).iter().flat_map(submission).collect::<Vec<_>>();
    parts
        .into_iter()
        .map(|part| v1::SubmitRequest { part: Some(part) })
        .collect()
}

fn survey() -> Survey {
    let cells = (1..=3).map(|a| Cell::new([("a", a), ("b", 2)], format!("T^{a} .^2 F")));
    let budget = Budget {
        nodes: 1_000,
        milliseconds: 0,
    };
    Survey::new("T^a .^b F", Variant::Hop, budget, cells.collect()).unwrap()
}

fn cell_key() -> CellKey {
    CellKey {
        survey: survey().id(),
        index: 1,
    }
}

fn outcomes() -> [CellOutcome; 3] {
    let value = Exact {
        text: "{1|0}".into(),
        id: Some(ValueId([7; 16])),
        kind: "switch".into(),
    };
    let bound = Bound {
        relation: Relation::GreaterOrEqual,
        value: "2".into(),
    };
    [
        CellOutcome::Exact {
            value,
            how: "closed form".into(),
        },
        CellOutcome::Bounded {
            bounds: vec![bound],
            how: "play".into(),
        },
        CellOutcome::failed("too large"),
    ]
}

fn results() -> Vec<v1::CompleteCellRequest> {
    let effort = Effort {
        nodes: 5,
        milliseconds: 7,
    };
    let request = |outcome: CellOutcome| v1::CompleteCellRequest {
        worker: Some(worker()),
        key: Some(convert::to_cell_key(cell_key(), 9)),
        result: Some(convert::to_result(&outcome, effort)),
    };
    outcomes().map(request).into()
}

fn entry() -> v1::CellEntry {
    let [outcome, ..] = outcomes();
    let record = CellRecord {
        outcome,
        effort: Effort::default(),
        worker: "w".into(),
        finished_ms: 1,
    };
    v1::CellEntry {
        index: 1,
        cell: Some(convert::to_cell(&survey().cells()[1])),
        record: Some(convert::to_cell_record(&record)),
    }
}
