//! What people ask, over a real socket.

use std::sync::Arc;
use std::time::Duration;

use toads_coordinator::{Config, Coordinator};
use toads_dataset::{Filters, Question, Table, answer};
use toads_store::{
    FailureClass, FailureRecord, MemoryStore, QuarantineRecord, Store, store_digest,
};
use toads_strip::{Class, Variant};
use toads_wire::v1::census_client::CensusClient;
use toads_wire::v1::query_response::Part;
use toads_wire::{convert, v1};
use toads_worker::Shutdown;
use tonic::Code;
use tonic::transport::Channel;

struct Session {
    store: Arc<MemoryStore>,
    coordinator: Coordinator,
    client: CensusClient<Channel>,
}

impl Session {
    async fn new(store: MemoryStore) -> Self {
        let store = Arc::new(store);
        let coordinator = Coordinator::start(Config::local(), store.clone())
            .await
            .unwrap();
        let client = CensusClient::connect(coordinator.url()).await.unwrap();
        Self {
            store,
            coordinator,
            client,
        }
    }

    fn worker(&self) -> Shutdown {
        let shutdown = Shutdown::new();
        let config = toads_worker::Config {
            coordinator: self.coordinator.url(),
            ..toads_worker::Config::default()
        };
        tokio::spawn(toads_worker::run(config, shutdown.clone()));
        shutdown
    }

    async fn submit(&mut self, last: u8) -> v1::RunStatus {
        let range = Some(convert::to_range(Variant::Hop, &(1..=last)));
        let request = v1::SubmitRunRequest {
            range,
            keep: v1::Keep::Blocks.into(),
        };
        self.client.submit_run(request).await.unwrap().into_inner()
    }

    async fn watch(&mut self, run: u32) -> Vec<v1::RunStatus> {
        let request = v1::WatchRequest {
            run,
            interval_ms: 20,
        };
        let mut stream = self.client.watch(request).await.unwrap().into_inner();
        let mut seen = Vec::new();
        while let Some(status) = stream.message().await.unwrap() {
            seen.push(status);
        }
        seen
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_from_submission_to_answers() {
    let mut session = Session::new(MemoryStore::new()).await;
    let status = session.submit(6).await;
    assert_eq!(
        (status.run, status.state.as_str(), status.shards_done),
        (1, "stalled: no workers", 0)
    );
    assert_eq!(session.submit(6).await.run, 1, "the same run again");
    let _worker = session.worker();
    let seen = tokio::time::timeout(Duration::from_secs(60), session.watch(1))
        .await
        .unwrap();
    let last = seen.last().unwrap();
    assert_eq!(
        (last.phase(), last.strips_done, last.strips_total),
        (v1::RunPhase::Done, 1092, 1092)
    );
    assert!(
        seen.is_sorted_by_key(|status| status.strips_done),
        "progress is monotone (P22)"
    );

    // The same question to the store and over the wire.
    for question in [
        Question::Summary {
            filters: Filters::default(),
        },
        Question::Strips {
            filters: Filters::default().squares(1..=3),
            limit: None,
            max_text: None,
        },
    ] {
        let mut table = Table::default();
        answer(session.store.as_ref(), &question, &mut table).unwrap();
        let question = serde_json::to_string(&question).unwrap();
        let mut stream = session
            .client
            .query(v1::QueryRequest { question })
            .await
            .unwrap()
            .into_inner();
        let mut lines = Vec::new();
        while let Some(message) = stream.message().await.unwrap() {
            match message.part.unwrap() {
                Part::Columns(columns) => {
                    lines.push(
                        columns
                            .columns
                            .into_iter()
                            .map(|column| column.name)
                            .collect::<Vec<_>>()
                            .join("\t"),
                    );
                }
                Part::Rows(rows) => {
                    lines.extend(rows.rows.into_iter().map(|row| row.cells.join("\t")));
                }
                Part::Note(_) => {}
            }
        }
        assert_eq!(lines.join("\n") + "\n", table.to_tsv());
    }

    let digest = session
        .client
        .digest(v1::DigestRequest { run: 0 })
        .await
        .unwrap()
        .into_inner();
    let expected = store_digest(&session.store.shards(None).unwrap());
    assert_eq!(convert::digest("", &digest.digest).unwrap(), expected);
    let info = session
        .client
        .info(v1::InfoRequest {})
        .await
        .unwrap()
        .into_inner();
    assert!(
        info.entries
            .iter()
            .any(|entry| entry.key == "protocol" && entry.value == "1")
    );
    let range = Some(convert::to_range(Variant::Hop, &(6..=7)));
    let plan = session
        .client
        .plan(v1::PlanRequest { range })
        .await
        .unwrap()
        .into_inner()
        .shards;
    assert_eq!(
        plan.iter().map(|shard| shard.strips).sum::<u64>(),
        729 + 2187
    );
    assert!(
        plan.iter()
            .all(|shard| shard.committed == (shard.shard.unwrap().squares == 6))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paused_runs_rest_and_resumed_ones_go_on() {
    let mut session = Session::new(MemoryStore::new()).await;
    let run = session.submit(7).await.run;
    let status = session
        .client
        .pause(v1::PauseRequest { run })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(status.state, "paused");
    let _worker = session.worker();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let status = session
        .client
        .get_run(v1::GetRunRequest { run })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        (status.state.as_str(), status.shards_done, status.workers),
        ("paused", 0, 1)
    );
    session
        .client
        .resume(v1::ResumeRequest { run })
        .await
        .unwrap();
    assert_eq!(session.watch(run).await.last().unwrap().state, "done");
    let longer = session.submit(11).await.run;
    let status = session
        .client
        .cancel(v1::CancelRequest { run: longer })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(status.state, "cancelled");
    let runs = session
        .client
        .list_runs(v1::ListRunsRequest {})
        .await
        .unwrap()
        .into_inner()
        .runs;
    assert_eq!(
        runs.iter()
            .map(|run| run.state.as_str())
            .collect::<Vec<_>>(),
        ["done", "cancelled"]
    );
    assert_eq!(
        session.submit(11).await.state,
        "running",
        "submitted again it goes on"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_event_log_can_be_read_and_followed() {
    let mut session = Session::new(MemoryStore::new()).await;
    let request = v1::EventsRequest {
        follow: true,
        ..v1::EventsRequest::default()
    };
    let mut follow = session.client.events(request).await.unwrap().into_inner();
    let run = session.submit(3).await.run;
    let _worker = session.worker();
    let mut seen = Vec::new();
    while !seen
        .iter()
        .any(|event: &v1::Event| event.kind == "finished")
    {
        let batch = tokio::time::timeout(Duration::from_secs(30), follow.message())
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        seen.extend(batch.events);
    }
    assert!(
        seen.iter()
            .zip(1..)
            .all(|(event, number)| event.sequence == number),
        "no gaps"
    );
    assert_eq!(session.watch(run).await.last().unwrap().state, "done");
    let request = v1::EventsRequest {
        from: 2,
        limit: 3,
        follow: true,
        since_ms: 0,
    };
    let mut some = session.client.events(request).await.unwrap().into_inner();
    assert_eq!(
        some.message().await.unwrap().unwrap().events[..],
        seen[1..4]
    );
    assert_eq!(some.message().await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p8_quarantine_is_listed_shown_and_requeued() {
    let store = MemoryStore::new();
    let shard = toads_census::Shard::whole(Variant::Hop, Class::new(4, 2, 1).unwrap());
    let failures = vec![FailureRecord {
        worker: "a#1".to_owned(),
        class: FailureClass::Deterministic,
        strip: "TT.F".to_owned(),
        message: "panicked: no".to_owned(),
    }];
    store
        .set_quarantine(
            shard,
            Some(&QuarantineRecord {
                shard,
                failures,
                since_ms: 5,
            }),
        )
        .unwrap();
    let mut session = Session::new(store).await;
    let run = session.submit(4).await.run;
    let _worker = session.worker();
    let last = session.watch(run).await.pop().unwrap();
    assert_eq!(
        (last.phase(), last.quarantined),
        (v1::RunPhase::Quarantined, 1)
    );
    let listed = session
        .client
        .list_quarantine(v1::ListQuarantineRequest {})
        .await
        .unwrap()
        .into_inner()
        .entries;
    let message = convert::to_shard(shard);
    let shown = session
        .client
        .show_quarantine(v1::ShowQuarantineRequest {
            shard: Some(message),
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(listed, std::slice::from_ref(&shown));
    let failure = &shown.failures[0];
    assert_eq!(
        (failure.failure_class(), failure.strip.as_str()),
        (v1::FailureClass::Deterministic, "TT.F")
    );
    let requeued = session
        .client
        .requeue(v1::RequeueRequest { shards: vec![] })
        .await
        .unwrap()
        .into_inner()
        .requeued;
    assert_eq!(requeued, [message]);
    assert_eq!(session.watch(run).await.last().unwrap().state, "done");
    let again = session
        .client
        .show_quarantine(v1::ShowQuarantineRequest {
            shard: Some(message),
        })
        .await
        .unwrap_err();
    assert_eq!(again.code(), Code::NotFound);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_words() {
    let mut session = Session::new(MemoryStore::new()).await;
    let range = Some(v1::Range {
        variant: 1,
        first_squares: 5,
        last_squares: 3,
    });
    let refused = session
        .client
        .submit_run(v1::SubmitRunRequest { range, keep: 1 })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let refused = session
        .client
        .get_run(v1::GetRunRequest { run: 9 })
        .await
        .unwrap_err();
    assert!(
        refused.code() == Code::NotFound && refused.message().contains("no run 9"),
        "{refused}"
    );
    let refused = session
        .client
        .query(v1::QueryRequest {
            question: "{".into(),
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let question = serde_json::to_string(&Question::Value {
        strip: "TXF".into(),
        variant: Variant::Hop,
        max_text: None,
    });
    let mut stream = session
        .client
        .query(v1::QueryRequest {
            question: question.unwrap(),
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        stream.message().await.unwrap_err().code(),
        Code::InvalidArgument
    );
    let refused = session
        .client
        .checkpoint(v1::CheckpointRequest {
            path: "here".into(),
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    session
        .client
        .shutdown(v1::ShutdownRequest { now: true })
        .await
        .unwrap();
    assert!(
        tokio::time::timeout(Duration::from_secs(5), session.coordinator.asked_to_stop())
            .await
            .unwrap()
    );
    // Bounded, although a client is still connected (P25).
    let stopped = tokio::time::timeout(
        Duration::from_secs(10),
        session.coordinator.shutdown(Duration::ZERO),
    )
    .await;
    stopped.expect("it hangs").unwrap();
}
