//! What is sent is what arrives, and what is not of the contract is refused.

use proptest::prelude::*;
use prost::Message;
use toads_census::{Digest, Shard, TallyEntry, ValueForm};
use toads_game::{Dyadic, Kind, Outcome, ValueId, ValueInvariants};
use toads_strip::{Class, Variant};
use toads_wire::convert::{self, WireError};
use toads_wire::{DESCRIPTORS, MAX_MESSAGE_BYTES, MAX_OFFER, v1};

fn dyadics() -> impl Strategy<Value = Dyadic> {
    (-500i64..500, 0u32..9).prop_map(|(numerator, log2)| Dyadic::new(numerator, log2).unwrap())
}

fn id_lists() -> impl Strategy<Value = Vec<ValueId>> {
    prop::collection::btree_set(any::<[u8; 16]>().prop_map(ValueId), 0..6)
        .prop_map(|set| set.into_iter().collect())
}

fn forms() -> impl Strategy<Value = ValueForm> {
    let numbers = (dyadics(), dyadics(), dyadics(), dyadics(), any::<u32>());
    let sorts = (
        0u8..11,
        prop::sample::select(vec![Outcome::P, Outcome::L, Outcome::R, Outcome::N]),
    );
    (
        any::<[u8; 16]>(),
        any::<[u8; 16]>(),
        id_lists(),
        id_lists(),
        numbers,
        sorts,
    )
        .prop_map(
            |(
                id,
                negative,
                left,
                right,
                (left_stop, right_stop, mean, temperature, birthday),
                (kind, outcome),
            )| ValueForm {
                id: ValueId(id),
                negative: ValueId(negative),
                left,
                right,
                invariants: ValueInvariants {
                    kind: Kind::from_code(kind).unwrap(),
                    outcome,
                    left_stop,
                    right_stop,
                    mean,
                    temperature,
                    birthday,
                },
            },
        )
}

proptest! {
    #[test]
    fn forms_round_trip_through_bytes(form in forms()) {
        let bytes = convert::to_form(&form).encode_to_vec();
        prop_assert!(bytes.len() <= convert::form_bytes(&form) + 32);
        let back = v1::ValueForm::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(convert::form(&back).unwrap(), form);
    }

    #[test]
    fn tally_entries_round_trip(value: [u8; 16], count in 1u64.., first: u64, first_mirrored: u64) {
        let entry = TallyEntry { value: ValueId(value), count, first, first_mirrored };
        prop_assert_eq!(convert::tally_entry(&convert::to_tally_entry(&entry)).unwrap(), entry);
    }

    #[test]
    fn any_bytes_are_read_or_refused_but_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(message) = v1::ValueForm::decode(bytes.as_slice()) {
            let _ = convert::form(&message);
        }
        if let Ok(message) = v1::Shard::decode(bytes.as_slice()) {
            let _ = convert::shard(Some(&message));
        }
        if let Ok(message) = v1::Range::decode(bytes.as_slice()) {
            let _ = convert::range(Some(&message));
        }
        let _ = convert::ids("ids", &bytes);
    }

    #[test]
    fn any_shard_message_is_a_shard_or_refused(variant in -1i32..4, squares in 0u32..30, toads: u32, frogs: u32, block in 0u32..2) {
        let message = v1::Shard { variant, squares, toads: toads % 32, frogs: frogs % 32, block };
        if let Ok(shard) = convert::shard(Some(&message)) {
            prop_assert_eq!(convert::to_shard(shard), message);
            prop_assert!(shard.class.is_computed());
        }
        let _ = convert::shard(Some(&v1::Shard { toads, frogs, ..message }));
    }
}

#[test]
fn every_shard_round_trips() {
    for variant in Variant::ALL {
        for class in (1..=24).flat_map(Class::computed) {
            let shard = Shard::whole(variant, class);
            assert_eq!(convert::shard(Some(&convert::to_shard(shard))), Ok(shard));
        }
        let range = convert::to_range(variant, &(3..=14));
        assert_eq!(convert::range(Some(&range)), Ok((variant, 3..=14)));
    }
}

#[test]
fn what_the_contract_excludes_is_refused_by_name() {
    let good = v1::Shard {
        variant: 1,
        squares: 5,
        toads: 2,
        frogs: 1,
        block: 0,
    };
    let refused = |shard: v1::Shard| convert::shard(Some(&shard)).unwrap_err().to_string();
    assert!(refused(v1::Shard { variant: 0, ..good }).contains("variant"));
    assert!(
        refused(v1::Shard {
            squares: 25,
            ..good
        })
        .contains("squares")
    );
    assert!(refused(v1::Shard { toads: 5, ..good }).contains("toads + frogs"));
    assert!(refused(v1::Shard { toads: 0, ..good }).contains("mirror"));
    assert!(refused(v1::Shard { block: 1, ..good }).contains("block"));
    assert_eq!(convert::shard(None), Err(WireError::Missing("the shard")));
    assert!(
        convert::range(Some(&v1::Range {
            variant: 1,
            first_squares: 3,
            last_squares: 2
        }))
        .is_err()
    );
    assert!(convert::keep_blocks(0).is_err());
    assert!(convert::digest("digest", &[0; 31]).is_err());
    assert_eq!(convert::digest("digest", &[7; 32]), Ok(Digest([7; 32])));
    assert!(convert::ids("ids", &[0; 17]).is_err());
    assert!(
        convert::tally_entry(&v1::TallyEntry {
            value: vec![0; 16],
            ..Default::default()
        })
        .is_err()
    );
}

#[test]
fn options_out_of_order_or_numbers_not_in_lowest_terms_are_refused() {
    let zero = v1::Dyadic {
        numerator: 0,
        log2_denominator: 0,
    };
    let good = v1::ValueForm {
        id: vec![1; 16],
        negative: vec![2; 16],
        left: [[1; 16], [2; 16]].concat(),
        right: vec![],
        kind: "hot".into(),
        outcome: 1,
        left_stop: Some(zero),
        right_stop: Some(zero),
        mean: Some(zero),
        temperature: Some(zero),
        birthday: 3,
    };
    assert!(convert::form(&good).is_ok());
    let bad = [
        v1::ValueForm {
            left: [[2; 16], [1; 16]].concat(),
            ..good.clone()
        },
        v1::ValueForm {
            left: [[1; 16], [1; 16]].concat(),
            ..good.clone()
        },
        v1::ValueForm {
            right: vec![0; 15],
            ..good.clone()
        },
        v1::ValueForm {
            kind: "warm".into(),
            ..good.clone()
        },
        v1::ValueForm {
            outcome: 9,
            ..good.clone()
        },
        v1::ValueForm {
            mean: None,
            ..good.clone()
        },
        v1::ValueForm {
            mean: Some(v1::Dyadic {
                numerator: 2,
                log2_denominator: 1,
            }),
            ..good.clone()
        },
        v1::ValueForm {
            mean: Some(v1::Dyadic {
                numerator: i64::MAX,
                log2_denominator: 63,
            }),
            ..good.clone()
        },
        v1::ValueForm {
            mean: Some(v1::Dyadic {
                numerator: i64::MAX,
                log2_denominator: 0,
            }),
            ..good.clone()
        },
    ];
    for message in bad {
        assert!(convert::form(&message).is_err(), "{message:?}");
    }
}

#[test]
fn what_is_refused_is_told_on_one_line_whatever_was_sent() {
    let message = v1::ValueForm {
        kind: "in\n\u{1b}[31mteger".repeat(1_000),
        ..v1::ValueForm::default()
    };
    let error = convert::form(&message).unwrap_err().to_string();
    assert!(error.starts_with("kind is in\\n"), "{error}");
    assert!(
        error.len() < 200 && !error.contains(char::is_control),
        "{error}"
    );
}

#[test]
fn the_largest_offer_fits_a_message() {
    let worker = Some(v1::WorkerKey {
        worker_id: u64::MAX,
        instance: u64::MAX,
    });
    let offer = v1::OfferValuesRequest {
        worker,
        ids: vec![0; MAX_OFFER * 16],
    };
    assert!(offer.encoded_len() < MAX_MESSAGE_BYTES);
}

#[test]
fn the_descriptors_are_those_of_all_services() {
    let set = prost_types::FileDescriptorSet::decode(DESCRIPTORS).unwrap();
    let services: Vec<_> = set
        .file
        .iter()
        .flat_map(|file| &file.service)
        .map(prost_types::ServiceDescriptorProto::name)
        .collect();
    assert_eq!(services, ["Workers", "Census", "Surveys"]);
}
