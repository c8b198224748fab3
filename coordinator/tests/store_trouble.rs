//! Slow, busy and full stores: nothing is lost, nothing grows without bound, and a new start goes on (P14, P23).

#[path = "support/http.rs"]
mod http;
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use http::get;
use support::Faulty;
use toads_coordinator::{Config, Coordinator, CoordinatorError, Phase};
use toads_store::{Keep, MemoryStore, Pressure, Store, store_digest};
use toads_strip::Variant;
use toads_worker::Shutdown;

const SQUARES: u8 = 7;

fn crew(
    coordinator: &Coordinator,
    workers: usize,
    shutdown: &Shutdown,
) -> Vec<tokio::task::JoinHandle<()>> {
    let start = |number: usize| {
        let config = toads_worker::Config {
            coordinator: coordinator.url(),
            name: format!("w{number}"),
            memory_bytes: 64 << 20,
            drain_grace: Duration::from_secs(1),
            ..toads_worker::Config::default()
        };
        let run = toads_worker::run(config, shutdown.clone());
        tokio::spawn(async move {
            run.await.unwrap();
        })
    };
    (0..workers).map(start).collect()
}

async fn finish(store: Arc<dyn Store>, config: Config, workers: usize) {
    let coordinator = Coordinator::start(config, store).await.unwrap();
    let run = coordinator
        .submit_run(Variant::Hop, 1..=SQUARES, Keep::Blocks)
        .await
        .unwrap()
        .record
        .id;
    let shutdown = Shutdown::new();
    let crew = crew(&coordinator, workers, &shutdown);
    let ended = tokio::time::timeout(Duration::from_secs(120), coordinator.wait_run(run)).await;
    assert_eq!(ended.expect("it hangs").unwrap().phase, Phase::Done);
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
    shutdown.now();
    for worker in crew {
        worker.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p14_many_workers_against_a_slow_and_busy_store_lose_nothing() {
    let plain = Arc::new(MemoryStore::new());
    finish(plain.clone(), Config::local(), 1).await;
    let inner = Arc::new(MemoryStore::new());
    let slow = Faulty {
        delay: Duration::from_millis(3),
        busy_every: 7,
        ..Faulty::new(inner.clone())
    };
    let slow = Arc::new(slow);
    let config = Config {
        max_submissions: 2,
        write_queue: 2,
        busy_wait: Duration::from_millis(10),
        ..Config::local()
    };
    finish(slow.clone(), config, 16).await;
    assert!(slow.refused.load(Ordering::Relaxed) > 0, "the fault struck");
    assert_eq!(
        store_digest(&inner.shards(None).unwrap()),
        store_digest(&plain.shards(None).unwrap())
    );
    let events = inner.events(1, usize::MAX).unwrap();
    let of = |kind: &str| events.iter().filter(|event| event.kind == kind).count();
    assert_eq!(of("committed"), inner.shards(None).unwrap().len());
    assert_eq!(
        (
            of("failed"),
            of("refused"),
            of("quarantined"),
            of("expired")
        ),
        (0, 0, 0, 0)
    );
}

/// While the engine has stopped writes, workers are told to come again, and do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p14_a_store_that_has_stopped_writes_keeps_workers_waiting() {
    let inner = Arc::new(MemoryStore::new());
    let store = Arc::new(Faulty::new(inner.clone()));
    let press = |is_stopped, delayed_bytes_per_s| {
        *store.pressure.lock().unwrap() = Pressure {
            is_stopped,
            delayed_bytes_per_s,
            pending_compaction_bytes: 0,
        };
    };
    press(true, 0);
    let config = Config {
        http: Some(([127, 0, 0, 1], 0).into()),
        tick: Duration::from_millis(5),
        stalled_retry_after: Duration::from_millis(20),
        ..Config::local()
    };
    let coordinator = Coordinator::start(config, store.clone()).await.unwrap();
    let url = coordinator.http_url().unwrap();
    let says = async |line: &str| get(&url, "/metrics").await.1.contains(line);
    while !says("toads_store_stall{kind=\"stopped\"} 1\n").await {}
    let run = coordinator.submit_run(Variant::Hop, 1..=SQUARES, Keep::Blocks);
    let run = run.await.unwrap().record.id;
    let shutdown = Shutdown::new();
    let crew = crew(&coordinator, 3, &shutdown);
    while says("toads_busy_answers_total{reason=\"stalled\"} 0\n").await {}
    assert_eq!(inner.shards(None).unwrap().len(), 0, "nothing was taken");
    // It catches up, slowly at first.
    press(false, 1 << 20);
    while inner.shards(None).unwrap().len() < 5 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    press(false, 0);
    let ended = tokio::time::timeout(Duration::from_secs(120), coordinator.wait_run(run)).await;
    assert_eq!(ended.expect("it hangs").unwrap().phase, Phase::Done);
    shutdown.now();
    coordinator.shutdown(Duration::from_secs(1)).await.unwrap();
    for worker in crew {
        worker.await.unwrap();
    }
    let committed = inner.events(1, usize::MAX).unwrap();
    let committed = committed.iter().filter(|event| event.kind == "committed");
    assert_eq!(committed.count(), inner.shards(None).unwrap().len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p23_a_full_disk_stops_cleanly_and_a_new_start_goes_on() {
    let inner = Arc::new(MemoryStore::new());
    let full = Arc::new(Faulty {
        room: AtomicU32::new(9),
        ..Faulty::new(inner.clone())
    });
    let coordinator = Coordinator::start(Config::local(), full).await.unwrap();
    let run = coordinator
        .submit_run(Variant::Hop, 1..=SQUARES, Keep::Blocks)
        .await
        .unwrap()
        .record
        .id;
    let shutdown = Shutdown::new();
    let crew = crew(&coordinator, 2, &shutdown);
    let why = tokio::time::timeout(Duration::from_secs(30), coordinator.failed())
        .await
        .expect("it hangs");
    assert!(why.contains("no space left"), "{why}");
    let error = coordinator.wait_run(run).await.unwrap_err();
    assert!(matches!(error, CoordinatorError::Stopped(_)), "{error}");
    // Workers are not sent away: they wait for the next coordinator.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(crew.iter().all(|worker| !worker.is_finished()));
    shutdown.now();
    coordinator
        .shutdown(Duration::from_millis(100))
        .await
        .unwrap();
    for worker in crew {
        worker.await.unwrap();
    }
    assert_eq!(inner.shards(None).unwrap().len(), 9);
    // Somebody makes room.
    finish(inner.clone(), Config::local(), 2).await;
    let plain = Arc::new(MemoryStore::new());
    finish(plain.clone(), Config::local(), 1).await;
    assert_eq!(
        store_digest(&inner.shards(None).unwrap()),
        store_digest(&plain.shards(None).unwrap())
    );
    let committed = inner
        .events(1, usize::MAX)
        .unwrap()
        .iter()
        .filter(|event| event.kind == "committed")
        .count();
    assert_eq!(
        committed,
        inner.shards(None).unwrap().len(),
        "nothing was committed twice (P12)"
    );
}
