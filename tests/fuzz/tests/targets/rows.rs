//! Keys and rows of a store. An input is the key and the row behind it; the checksum covers both.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Debug;

use toads_census::MAX_CENSUS_SQUARES;
use toads_fuzz::Fuzz;
use toads_game::ValueId;
use toads_store::encode::{
    self, Malformed, Marker, Packer, TallyCodec, block_bytes, decode_block, decode_cell,
    decode_event, decode_forms, decode_ids, decode_marker, decode_quarantine, decode_run,
    decode_survey, seal_row,
};
use toads_store::{
    EventRecord, FailureClass, FailureRecord, Keep, Negative, NumberedEntry, QuarantineRecord,
    RunRecord, RunState, SurveyRecord, SurveyState, keys,
};
use toads_strip::{Class, Variant};
use toads_survey::{Bound, Budget, Cell, CellOutcome, CellRecord, Effort, Exact, Relation, Survey};

use crate::census::{Evaluated, census, record};

/// Makes the checksum over a key of `KEY` bytes and its row fit.
fn repair<const KEY: usize>(input: &mut Vec<u8>) {
    let Some((key, row)) = input.split_at_checked(KEY) else {
        return;
    };
    let mut row = row[..row.len().saturating_sub(4)].to_vec();
    seal_row(key, &mut row);
    input.truncate(KEY);
    input.extend(row);
}

fn row(key: &[u8], row: Vec<u8>) -> Vec<u8> {
    [key.to_vec(), row].concat()
}

/// Rows with keys of `KEY` bytes that read back.
fn rows<const KEY: usize, T: PartialEq + Debug>(
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    decode: impl Fn(&[u8], &[u8]) -> Result<T, Malformed>,
    encode: impl Fn(&[u8], &T) -> Vec<u8>,
) {
    let target = Fuzz::new(name).seeds(seeds).repair(repair::<KEY>);
    target.run(|input| {
        let (key, row) = input.split_at(KEY.min(input.len()));
        let Ok(read) = decode(key, row) else {
            return false;
        };
        assert_eq!(decode(key, &encode(key, &read)).as_ref(), Ok(&read));
        true
    });
}

#[test]
fn keys_of_all_families() {
    let shard = census(2)[0].shard;
    let survey = survey().survey.id();
    let seeds = [
        keys::shard(shard).to_vec(),
        keys::part(shard, 3).to_vec(),
        survey.0.to_vec(),
        keys::cell(survey, 7).to_vec(),
    ];
    Fuzz::new("store keys").seeds(seeds).run(|input| {
        let shard = keys::parse_shard(input);
        assert!(shard.is_none_or(|shard| shard.class.n <= MAX_CENSUS_SQUARES));
        let as_shard = shard.map(|shard| keys::shard(shard).to_vec());
        let as_part = keys::parse_part(input).map(|(of, part)| keys::part(of, part).to_vec());
        let as_survey = keys::parse_survey(input).map(|id| id.0.to_vec());
        let as_cell = keys::parse_cell(input).map(|(of, at)| keys::cell(of, at).to_vec());
        let read: Vec<_> = [as_shard, as_part, as_survey, as_cell]
            .into_iter()
            .flatten()
            .collect();
        assert!(read.iter().all(|key| key == input));
        !read.is_empty()
    });
}

#[test]
fn blocks() {
    let seeds = census(6).into_iter().flat_map(|shard| {
        let of = shard.shard;
        let pack = move |(number, bytes): (u32, Vec<u8>)| {
            let key = keys::part(of, number);
            row(
                &key,
                encode::encode_block(&mut Packer::fast(), &key, &bytes),
            )
        };
        shard.blocks.into_iter().map(pack)
    });
    let mut seeds: Vec<_> = seeds.collect();
    let key = keys::part(census(1)[0].shard, 0);
    seeds.push(row(
        &key,
        encode::encode_block(&mut Packer::fast(), &key, &[7; 9_000]),
    ));
    let decode = |key: &[u8], row: &[u8]| {
        let bytes = decode_block(key, row);
        if let Ok(bytes) = &bytes {
            assert_eq!(block_bytes(key, row), Ok(bytes.len()));
        }
        bytes
    };
    rows::<{ keys::PART_KEY_BYTES }, _>("store blocks", seeds, decode, |key, bytes: &Vec<u8>| {
        encode::encode_block(&mut Packer::fast(), key, bytes)
    });
}

#[test]
fn ids() {
    let key = 512u32.to_be_bytes();
    let ids = |shard: &Evaluated| shard.forms.iter().map(|form| form.id).collect::<Vec<_>>();
    let seeds = census(4)
        .iter()
        .map(|shard| row(&key, encode::encode_ids(&key, &ids(shard))))
        .collect();
    let decode = |key: &[u8], row: &[u8]| {
        decode_ids(key, row).map(|ids| ids.iter().map(|&id| ValueId(id)).collect())
    };
    rows::<4, _>("store ids", seeds, decode, |key, ids: &Vec<ValueId>| {
        encode::encode_ids(key, ids)
    });
}

fn first(key: &[u8]) -> u32 {
    key.try_into().map_or(0, u32::from_be_bytes)
}

#[test]
fn forms() {
    // A shard by itself, as the first values of a store.
    let pack = |shard: &Evaluated| {
        let place: HashMap<ValueId, u32> =
            shard.forms.iter().map(|form| form.id).zip(0..).collect();
        let mut forms = encode::Forms::default();
        for form in shard.forms.iter().take(encode::ROW_VALUES) {
            let numbers = |ids: &[ValueId]| ids.iter().map(|id| place[id]).collect::<Vec<_>>();
            let negative = match place.get(&form.negative) {
                _ if form.negative == form.id => Negative::Itself,
                Some(&number) => Negative::Number(number),
                None => Negative::Id(form.negative),
            };
            let sides = [numbers(&form.left), numbers(&form.right)];
            forms.push(form.invariants, negative, [&sides[0], &sides[1]]);
        }
        let key = 0u32.to_be_bytes();
        row(
            &key,
            encode::encode_forms(&mut Packer::new(), &key, 0, &forms),
        )
    };
    let seeds = census(7).iter().map(pack).collect();
    let decode = |key: &[u8], row: &[u8]| decode_forms(key, first(key), row);
    rows::<4, _>("store forms", seeds, decode, |key, forms| {
        encode::encode_forms(&mut Packer::new(), key, first(key), forms)
    });
}

#[test]
fn tallies() {
    /// Codecs of larger classes take too long to make for every input.
    const MOST_SQUARES: u8 = 12;
    let codecs: RefCell<HashMap<Class, &'static TallyCodec>> = RefCell::default();
    let codec = |key: &[u8]| {
        let class = keys::parse_part(key).map(|(shard, _)| shard.class);
        let class = class.filter(|class| class.n <= MOST_SQUARES)?;
        let make = || &*Box::leak(Box::new(TallyCodec::new(class)));
        Some(*codecs.borrow_mut().entry(class).or_insert_with(make))
    };
    let pack = |shard: &Evaluated| {
        let key = keys::part(shard.shard, 0);
        let entries = shard.result.tally.iter().zip(0..);
        let entries: Vec<_> = entries
            .map(|(entry, number)| NumberedEntry {
                number: number * 3,
                count: entry.count,
                first: entry.first,
                first_mirrored: entry.first_mirrored,
            })
            .collect();
        row(
            &key,
            codec(&key)
                .unwrap()
                .encode(&mut Packer::new(), &key, &entries),
        )
    };
    let seeds = census(7).iter().map(pack).collect();
    let decode = |key: &[u8], row: &[u8]| {
        let mut entries = Vec::new();
        let codec = codec(key).ok_or(Malformed::Field("too large for this test"))?;
        codec.decode(key, row, &mut entries).map(|()| entries)
    };
    rows::<{ keys::PART_KEY_BYTES }, _>("store tallies", seeds, decode, |key, entries: &Vec<_>| {
        codec(key).unwrap().encode(&mut Packer::new(), key, entries)
    });
}

#[test]
fn runs() {
    let run = RunRecord {
        id: 7,
        variant: Variant::Hop,
        first_n: 1,
        last_n: 24,
        keep: Keep::Tallies,
        state: RunState::Paused,
        created_ms: 1 << 41,
    };
    let seeds = vec![row(&7u32.to_be_bytes(), encode::encode_run(&run))];
    rows::<4, _>("store runs", seeds, decode_run, |_, run| {
        encode::encode_run(run)
    });
}

#[test]
fn markers() {
    let pack = |shard: &Evaluated| {
        let record = record(shard);
        let marker = Marker {
            record,
            tally_parts: 1,
        };
        row(&keys::shard(shard.shard), encode::encode_marker(&marker))
    };
    let seeds = census(3).iter().map(pack).collect();
    rows::<{ keys::SHARD_KEY_BYTES }, _>("store markers", seeds, decode_marker, |_, marker| {
        encode::encode_marker(marker)
    });
}

#[test]
fn quarantine() {
    let shard = census(2)[1].shard;
    let failure = |class| FailureRecord {
        worker: "a#1".into(),
        class,
        strip: "T.F".into(),
        message: "panicked …".into(),
    };
    let record = QuarantineRecord {
        shard,
        failures: FailureClass::ALL.map(failure).into(),
        since_ms: 5,
    };
    let key = keys::shard(shard);
    let mut older = vec![1, 5, 1, 3, b'a', b'#', b'1', 4, b'd', b'e', b'a', b'd'];
    seal_row(&key, &mut older);
    let seeds = vec![
        row(&key, encode::encode_quarantine(&record)),
        row(&key, older),
    ];
    rows::<{ keys::SHARD_KEY_BYTES }, _>(
        "store quarantine",
        seeds,
        decode_quarantine,
        |_, record| encode::encode_quarantine(record),
    );
}

#[test]
fn events() {
    let event = |shard| EventRecord {
        sequence: 3,
        at_ms: 77,
        kind: "leased".into(),
        shard,
        worker: "w".into(),
        epoch: 1,
        detail: "because".into(),
    };
    let events = [event(None), event(Some(census(1)[0].shard))];
    let seeds = events.map(|event| row(&3u64.to_be_bytes(), encode::encode_event(&event)));
    rows::<8, _>("store events", seeds.into(), decode_event, |_, event| {
        encode::encode_event(event)
    });
}

fn survey() -> SurveyRecord {
    let cells = (1..=3).map(|a| Cell::new([("a", a), ("b", -a)], format!("T^{a} .^2 F")));
    let budget = Budget {
        nodes: 9,
        milliseconds: 0,
    };
    SurveyRecord {
        survey: Survey::new("T^a .^2 F", Variant::Hop, budget, cells.collect()).unwrap(),
        state: SurveyState::Active,
        created_ms: 12,
    }
}

#[test]
fn surveys() {
    let seeds = vec![row(
        &survey().survey.id().0,
        encode::encode_survey(&survey()),
    )];
    rows::<16, _>("store surveys", seeds, decode_survey, |_, survey| {
        encode::encode_survey(survey)
    });
}

#[test]
fn cells() {
    let bound = |relation, value: &str| Bound {
        relation,
        value: value.into(),
    };
    let exact = |id| CellOutcome::Exact {
        value: Exact {
            text: "{1|0}".into(),
            id,
            kind: "switch".into(),
        },
        how: "closed form".into(),
    };
    let outcomes = [
        CellOutcome::failed("too large"),
        exact(None),
        exact(Some(ValueId([7; 16]))),
        CellOutcome::Bounded {
            bounds: vec![
                bound(Relation::Greater, "2"),
                bound(Relation::LessOrConfused, "{3|1}"),
            ],
            how: "play".into(),
        },
    ];
    let key = keys::cell(survey().survey.id(), 2);
    let seeds = outcomes.map(|outcome| {
        let effort = Effort {
            nodes: 300,
            milliseconds: 2,
        };
        let record = CellRecord {
            outcome,
            effort,
            worker: "w".into(),
            finished_ms: 1 << 41,
        };
        row(&key, encode::encode_cell(&key, &record))
    });
    rows::<20, _>("store cells", seeds.into(), decode_cell, |key, record| {
        encode::encode_cell(key, record)
    });
}
