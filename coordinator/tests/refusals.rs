//! A worker that sends nonsense: each kind is refused with its reason, nothing of it is visible, and an honest worker
//! finishes the run afterwards (promises P3, P15, P16 and P19).

use std::sync::Arc;
use std::time::Duration;

use toads_census::{
    Control, Digest, Finished, Forms, KnownValues, Shard, evaluate, fingerprint, forms,
};
use toads_coordinator::{Config, Coordinator, Phase, SchedulerConfig};
use toads_game::Arena;
use toads_store::{Keep, MemoryStore, Store};
use toads_strip::{Class, Variant};
use toads_wire::v1::submit_request::Part;
use toads_wire::v1::workers_client::WorkersClient;
use toads_wire::v1::{RefusalReason, Verdict};
use toads_wire::{PROTOCOL, convert, v1};
use tonic::Code;
use tonic::transport::Channel;

struct Fake {
    store: Arc<MemoryStore>,
    coordinator: Coordinator,
    client: WorkersClient<Channel>,
    worker: Option<v1::WorkerKey>,
    run: u32,
}

fn registration() -> v1::RegisterRequest {
    v1::RegisterRequest {
        name: "fake".into(),
        protocol: PROTOCOL,
        fingerprint: convert::to_digest(fingerprint()),
        threads: 1,
        ..Default::default()
    }
}

impl Fake {
    async fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        // One registered liar must not put shards into quarantine while the tests lie.
        let scheduler = SchedulerConfig {
            failures: 1_000,
            backoff_ms: 0,
            ..Config::local().scheduler
        };
        let coordinator = Coordinator::start(
            Config {
                scheduler,
                ..Config::local()
            },
            store.clone(),
        )
        .await
        .unwrap();
        let run = coordinator
            .submit_run(Variant::Hop, 6..=6, Keep::Blocks)
            .await
            .unwrap()
            .record
            .id;
        let mut client = WorkersClient::connect(coordinator.url()).await.unwrap();
        let worker = client
            .register(registration())
            .await
            .unwrap()
            .into_inner()
            .worker;
        Self {
            store,
            coordinator,
            client,
            worker,
            run,
        }
    }

    async fn lease(&mut self) -> v1::LeaseKey {
        let request = v1::LeaseRequest {
            worker: self.worker,
            max_shards: 1,
        };
        let response = self.client.lease(request).await.unwrap().into_inner();
        assert_eq!(response.next(), v1::Next::Work);
        response.leases[0].key.unwrap()
    }

    async fn submit(&mut self, parts: Vec<Part>) -> Result<v1::SubmitResponse, tonic::Status> {
        let messages: Vec<_> = parts
            .into_iter()
            .map(|part| v1::SubmitRequest { part: Some(part) })
            .collect();
        Ok(self
            .client
            .submit(tokio_stream::iter(messages))
            .await?
            .into_inner())
    }

    /// An honest result under this lease.
    fn honest(&self, key: v1::LeaseKey) -> Vec<Part> {
        let shard = convert::shard(key.shard.as_ref()).unwrap();
        let arena = Arena::new();
        let class = evaluate(&arena, shard, 1, &Control::default()).unwrap();
        let finished = class.tally(&arena, 1, &Control::default()).unwrap();
        let mut blocks = Vec::new();
        class
            .blocks(&finished, 1, &Control::default(), &mut |number, data| {
                blocks.push(v1::Block { number, data });
                Ok(())
            })
            .unwrap();
        let mut writer = Forms::new(&arena);
        let values = forms::closure(&arena, &finished.distinct, &mut KnownValues::default());
        let Finished { result, .. } = &finished;
        let trailer = v1::SubmitTrailer {
            digest: convert::to_digest(result.digest),
            strips: class.len(),
            distinct: result.tally.len() as u64,
            blocks: blocks.len() as u32,
            block_bytes: blocks.iter().map(|block| block.data.len() as u64).sum(),
        };
        vec![
            Part::Header(v1::SubmitHeader {
                worker: self.worker,
                key: Some(key),
                keep: v1::Keep::Blocks.into(),
                evaluate_ms: 1,
            }),
            Part::Forms(v1::SubmitForms {
                forms: values
                    .into_iter()
                    .map(|value| convert::to_form(&writer.form(value).unwrap()))
                    .collect(),
            }),
            Part::Tally(v1::SubmitTally {
                entries: result.tally.iter().map(convert::to_tally_entry).collect(),
            }),
            Part::Blocks(v1::SubmitBlocks { blocks }),
            Part::Trailer(trailer),
        ]
    }

    /// Nothing is visible, and an honest worker still finishes.
    async fn recovers(self) {
        assert_eq!(self.store.shards(None).unwrap(), []);
        let config = toads_worker::Config {
            coordinator: self.coordinator.url(),
            name: "honest".into(),
            exit_when_done: true,
            ..Default::default()
        };
        let mut fake = self.client.clone();
        fake.goodbye(v1::GoodbyeRequest {
            worker: self.worker,
            reason: "caught".into(),
        })
        .await
        .unwrap();
        let crew = tokio::spawn(toads_worker::run(config, toads_worker::Shutdown::new()));
        let summary =
            tokio::time::timeout(Duration::from_secs(30), self.coordinator.wait_run(self.run))
                .await
                .unwrap()
                .unwrap();
        assert_eq!(summary.phase, Phase::Done);
        crew.await.unwrap().unwrap();
        self.coordinator
            .shutdown(Duration::from_secs(1))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn an_honest_result_is_committed_and_a_second_one_is_a_no_op() {
    let mut fake = Fake::new().await;
    let key = fake.lease().await;
    let parts = fake.honest(key);
    assert_eq!(
        fake.submit(parts.clone()).await.unwrap().verdict(),
        Verdict::Committed
    );
    assert_eq!(
        fake.store.shards(None).unwrap().len(),
        1,
        "synced before the worker hears it (P13)"
    );
    assert_eq!(
        fake.submit(parts).await.unwrap().verdict(),
        Verdict::Duplicate
    );
    assert_eq!(fake.store.shards(None).unwrap().len(), 1);
}

type Lie = fn(&mut Vec<Part>);

fn form(parts: &mut [Part]) -> &mut v1::ValueForm {
    let Part::Forms(forms) = &mut parts[1] else {
        panic!()
    };
    forms.forms.last_mut().unwrap()
}

fn tally(parts: &mut [Part]) -> &mut Vec<v1::TallyEntry> {
    let Part::Tally(tally) = &mut parts[2] else {
        panic!()
    };
    &mut tally.entries
}

fn block(parts: &mut [Part]) -> &mut v1::Block {
    let Part::Blocks(blocks) = &mut parts[3] else {
        panic!()
    };
    &mut blocks.blocks[0]
}

fn trailer(parts: &mut [Part]) -> &mut v1::SubmitTrailer {
    let Part::Trailer(trailer) = &mut parts[4] else {
        panic!()
    };
    trailer
}

const LIES: &[(&str, RefusalReason, Lie)] = &[
    ("an id that is not the hash", RefusalReason::BadForm, |p| {
        form(p).id[0] ^= 1;
    }),
    ("an option nobody knows", RefusalReason::BadForm, |p| {
        let form = form(p);
        form.left = vec![7; 16];
        form.id = convert::to_id(toads_game::ValueId::of(
            &mut [toads_game::ValueId([7; 16])],
            &mut convert::ids("", &form.right).unwrap(),
        ));
    }),
    ("a kind that does not exist", RefusalReason::BadForm, |p| {
        form(p).kind = "warm".into();
    }),
    ("a value that was not sent", RefusalReason::BadTally, |p| {
        p[1] = Part::Forms(v1::SubmitForms::default());
    }),
    ("a count too many", RefusalReason::BadTally, |p| {
        tally(p)[0].count += 1;
    }),
    ("a count too few", RefusalReason::BadTally, |p| {
        let entry = tally(p).iter_mut().find(|entry| entry.count > 1).unwrap();
        entry.count -= 1;
    }),
    ("a tally out of order", RefusalReason::BadTally, |p| {
        tally(p).reverse();
    }),
    (
        "a first strip of another class",
        RefusalReason::BadTally,
        |p| tally(p)[0].first = 0,
    ),
    (
        "a first strip beyond all strips",
        RefusalReason::BadTally,
        |p| tally(p)[0].first = u64::MAX,
    ),
    ("a flipped bit in a block", RefusalReason::BadBlock, |p| {
        block(p).data[22] ^= 4;
    }),
    ("a block cut short", RefusalReason::BadBlock, |p| {
        block(p).data.truncate(9);
    }),
    (
        "a block number beyond the class",
        RefusalReason::BadBlock,
        |p| block(p).number = 1,
    ),
    ("no blocks", RefusalReason::BadBlock, |p| {
        p[3] = Part::Blocks(v1::SubmitBlocks::default());
    }),
    ("a block twice", RefusalReason::BadBlock, |p| {
        let again = p[3].clone();
        p.insert(4, again);
    }),
    (
        "a trailer that counts other values",
        RefusalReason::BadCounts,
        |p| trailer(p).distinct += 1,
    ),
    (
        "a trailer that counts other bytes",
        RefusalReason::BadCounts,
        |p| trailer(p).block_bytes += 1,
    ),
    (
        "a digest of the wrong length",
        RefusalReason::Malformed,
        |p| trailer(p).digest.truncate(4),
    ),
    ("parts out of order", RefusalReason::Malformed, |p| {
        p.swap(1, 2);
    }),
    ("a second header", RefusalReason::Malformed, |p| {
        let header = p[0].clone();
        p.insert(1, header);
    }),
    ("no trailer", RefusalReason::Malformed, |p| {
        p.pop();
    }),
];

#[tokio::test]
async fn every_lie_is_refused_by_its_reason_and_nothing_is_lost() {
    let mut fake = Fake::new().await;
    for (name, reason, lie) in LIES {
        let key = fake.lease().await;
        let mut parts = fake.honest(key);
        lie(&mut parts);
        let response = match fake.submit(parts).await {
            Ok(response) => response,
            Err(status) => panic!("{name}: {status}"),
        };
        assert_eq!(
            (response.verdict(), response.reason()),
            (Verdict::Refused, *reason),
            "{name}: {}",
            response.message
        );
        assert!(!response.message.is_empty(), "{name}");
        assert_eq!(fake.store.shards(None).unwrap(), [], "{name}");
    }
    let events = fake.store.events(1, usize::MAX).unwrap();
    assert!(
        events
            .iter()
            .filter(|event| event.kind == "refused")
            .count()
            >= LIES.len() - 1
    );
    fake.recovers().await;
}

#[tokio::test]
async fn a_stale_epoch_is_refused_before_the_data_is_read() {
    let mut fake = Fake::new().await;
    let key = fake.lease().await;
    for epoch in [key.epoch - 1, key.epoch + 1, 0, u64::MAX] {
        let parts = fake.honest(v1::LeaseKey { epoch, ..key });
        assert_eq!(fake.submit(parts).await.unwrap().verdict(), Verdict::Stale);
    }
    let elsewhere = Shard::whole(Variant::Hopless, Class::new(6, 2, 1).unwrap());
    let parts = fake.honest(v1::LeaseKey {
        shard: Some(convert::to_shard(elsewhere)),
        epoch: key.epoch,
    });
    assert_eq!(fake.submit(parts).await.unwrap().verdict(), Verdict::Stale);
    fake.recovers().await;
}

#[tokio::test]
async fn another_digest_for_a_committed_shard_quarantines_both() {
    let mut fake = Fake::new().await;
    let key = fake.lease().await;
    let mut parts = fake.honest(key);
    assert_eq!(
        fake.submit(parts.clone()).await.unwrap().verdict(),
        Verdict::Committed
    );
    trailer(&mut parts).digest = convert::to_digest(Digest([5; 32]));
    let response = fake.submit(parts).await.unwrap();
    assert_eq!(
        (response.verdict(), response.reason()),
        (Verdict::Refused, RefusalReason::DigestConflict)
    );
    let quarantine = fake.store.quarantine().unwrap();
    assert_eq!(quarantine.len(), 1);
    assert_eq!(quarantine[0].failures.len(), 2, "both results are named");
    assert_eq!(fake.store.shards(None).unwrap(), [], "and neither counts");
}

#[tokio::test]
async fn other_protocols_and_fingerprints_are_refused_with_the_next_step() {
    let mut fake = Fake::new().await;
    let other = [
        v1::RegisterRequest {
            protocol: PROTOCOL + 1,
            ..registration()
        },
        v1::RegisterRequest {
            fingerprint: vec![1; 32],
            ..registration()
        },
    ];
    for request in other {
        let status = fake.client.register(request).await.unwrap_err();
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert!(status.message().contains("same build"), "{status}");
    }
    let status = fake
        .client
        .register(v1::RegisterRequest {
            fingerprint: vec![1; 3],
            ..registration()
        })
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    fake.recovers().await;
}

#[tokio::test]
async fn an_unknown_worker_or_instance_must_register_again() {
    let mut fake = Fake::new().await;
    let known = fake.worker.unwrap();
    for worker in [
        v1::WorkerKey {
            worker_id: 77,
            ..known
        },
        v1::WorkerKey {
            instance: known.instance ^ 1,
            ..known
        },
    ] {
        let status = fake
            .client
            .lease(v1::LeaseRequest {
                worker: Some(worker),
                max_shards: 1,
            })
            .await
            .unwrap_err();
        assert_eq!(status.code(), Code::NotFound);
    }
    let status = fake
        .client
        .lease(v1::LeaseRequest {
            worker: None,
            max_shards: 1,
        })
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    fake.recovers().await;
}

#[tokio::test]
async fn messages_beyond_a_mebibyte_are_refused() {
    let mut fake = Fake::new().await;
    let request = v1::OfferValuesRequest {
        worker: fake.worker,
        ids: vec![0; 16 * 70_000],
    };
    let status = fake.client.offer_values(request).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    let key = fake.lease().await;
    let mut parts = fake.honest(key);
    block(&mut parts).data = vec![0; 2 << 20];
    let status = fake.submit(parts).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    fake.recovers().await;
}
