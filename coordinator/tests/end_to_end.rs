//! Coordinator and workers in one process, over real loopback sockets, on the in-memory store.

use std::sync::Arc;
use std::time::Duration;

use toads_census::Digest;
use toads_coordinator::{Config, Coordinator, Phase};
use toads_store::{Keep, MemoryStore, Store, store_digest};
use toads_strip::Variant;
use toads_worker::{ExitReason, Shutdown};

fn worker(url: &str, name: &str, threads: usize) -> toads_worker::Config {
    toads_worker::Config {
        coordinator: url.to_owned(),
        name: name.to_owned(),
        threads,
        memory_bytes: 256 << 20,
        exit_when_done: true,
        ..toads_worker::Config::default()
    }
}

/// Runs both variants over 1..=squares with so many workers of so many threads each.
async fn census(
    store: Arc<MemoryStore>,
    squares: u8,
    workers: usize,
    threads: usize,
    keep: Keep,
) -> Digest {
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    let mut runs = Vec::new();
    for variant in Variant::ALL {
        runs.push(
            coordinator
                .submit_run(variant, 1..=squares, keep)
                .await
                .unwrap()
                .record
                .id,
        );
    }
    let crew: Vec<_> = (0..workers)
        .map(|_| {
            tokio::spawn(toads_worker::run(
                worker(&coordinator.url(), "twin", threads),
                Shutdown::new(),
            ))
        })
        .collect();
    for run in runs {
        let summary = tokio::time::timeout(Duration::from_secs(120), coordinator.wait_run(run))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(summary.phase, Phase::Done);
        assert_eq!(
            summary.strips_done,
            (1..=squares).map(|n| 3u64.pow(n.into())).sum::<u64>()
        );
        assert_eq!(summary.shards_done, summary.shards_total);
    }
    for worker in crew {
        assert_eq!(worker.await.unwrap(), Ok(ExitReason::Done));
    }
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
    store_digest(&store.shards(None).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_find_what_one_finds() {
    let one = Arc::new(MemoryStore::new());
    let two = Arc::new(MemoryStore::new());
    let first = census(one.clone(), 8, 1, 1, Keep::Blocks).await;
    let second = census(two.clone(), 8, 2, 2, Keep::Blocks).await;
    assert_eq!(first, second);
    for (a, b) in one
        .shards(None)
        .unwrap()
        .iter()
        .zip(two.shards(None).unwrap())
    {
        assert_eq!(
            (a.shard, a.digest, a.blocks, a.block_bytes),
            (b.shard, b.digest, b.blocks, b.block_bytes)
        );
        assert_eq!(one.tally(a.shard).unwrap(), two.tally(a.shard).unwrap());
        for number in 0..a.blocks {
            assert_eq!(
                one.block(a.shard, number).unwrap(),
                two.block(a.shard, number).unwrap()
            );
        }
    }
    // Both committed each shard once (promises P2 and P12), and the log has no gaps.
    for store in [&one, &two] {
        let events = store.events(1, usize::MAX).unwrap();
        assert!(
            events
                .iter()
                .zip(1..)
                .all(|(event, number)| event.sequence == number)
        );
        let committed = events
            .iter()
            .filter(|event| event.kind == "committed")
            .count();
        assert_eq!(committed, store.shards(None).unwrap().len());
        for kind in [
            "opened",
            "submitted",
            "registered",
            "leased",
            "finished",
            "gone",
            "closed",
        ] {
            assert!(events.iter().any(|event| event.kind == kind), "{kind}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_kept_changes_nothing_and_can_be_added_later() {
    let store = Arc::new(MemoryStore::new());
    let tallies = census(store.clone(), 6, 1, 2, Keep::Tallies).await;
    assert!(
        store
            .shards(None)
            .unwrap()
            .iter()
            .all(|record| record.blocks == 0)
    );
    let blocks = census(store.clone(), 6, 1, 1, Keep::Blocks).await;
    assert_eq!(tallies, blocks);
    assert!(
        store
            .shards(None)
            .unwrap()
            .iter()
            .all(|record| record.blocks > 0)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_longer_run_extends_a_shorter_one_and_commits_nothing_twice() {
    let store = Arc::new(MemoryStore::new());
    census(store.clone(), 5, 1, 1, Keep::Blocks).await;
    let done = store.shards(None).unwrap().len();
    let extended = census(store.clone(), 7, 2, 1, Keep::Blocks).await;
    let fresh = census(Arc::new(MemoryStore::new()), 7, 1, 1, Keep::Blocks).await;
    assert_eq!(extended, fresh);
    let events = store.events(1, usize::MAX).unwrap();
    let committed = events
        .iter()
        .filter(|event| event.kind == "committed")
        .count();
    assert_eq!(committed, store.shards(None).unwrap().len());
    assert!(committed > done);
    // Every start begins above all epochs before it.
    let opened: Vec<_> = events
        .iter()
        .filter(|event| event.kind == "opened")
        .map(|event| event.epoch)
        .collect();
    assert!(opened.is_sorted_by(|a, b| a < b), "{opened:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_coordinator_that_comes_back_finds_its_workers_again() {
    let store = Arc::new(MemoryStore::new());
    let first = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    let addr = first.addr();
    let run = first
        .submit_run(Variant::Hop, 1..=10, Keep::Blocks)
        .await
        .unwrap()
        .record
        .id;
    let crew = tokio::spawn(toads_worker::run(
        worker(&first.url(), "loyal", 1),
        Shutdown::new(),
    ));
    let mut changes = first.changes();
    while first.run(run).unwrap().shards_done < 5 {
        changes.changed().await.unwrap();
    }
    // As if killed: nothing is drained, nothing said.
    drop(first);
    let done = store.shards(None).unwrap().len();
    assert!(
        done < toads_census::plan::shards(Variant::Hop, 1..=10).len(),
        "it was stopped in the middle"
    );
    let config = Config {
        listen: addr,
        ..Config::local()
    };
    let second = loop {
        match Coordinator::start(config.clone(), store.clone()).await {
            Ok(coordinator) => break coordinator,
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    let summary = tokio::time::timeout(Duration::from_secs(60), second.wait_run(run))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(summary.phase, Phase::Done);
    assert_eq!(crew.await.unwrap(), Ok(ExitReason::Done));
    second.shutdown(Duration::from_secs(5)).await.unwrap();
    let undisturbed = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(Config::local(), undisturbed.clone())
        .await
        .unwrap();
    let run = coordinator
        .submit_run(Variant::Hop, 1..=10, Keep::Blocks)
        .await
        .unwrap()
        .record
        .id;
    let crew = tokio::spawn(toads_worker::run(
        worker(&coordinator.url(), "calm", 2),
        Shutdown::new(),
    ));
    coordinator.wait_run(run).await.unwrap();
    crew.await.unwrap().unwrap();
    assert_eq!(
        store_digest(&store.shards(None).unwrap()),
        store_digest(&undisturbed.shards(None).unwrap())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_told_to_drain_gives_back_what_it_holds() {
    let store = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    let run = coordinator
        .submit_run(Variant::Hop, 1..=11, Keep::Blocks)
        .await
        .unwrap()
        .record
        .id;
    let shutdown = Shutdown::new();
    let crew = tokio::spawn(toads_worker::run(
        worker(&coordinator.url(), "leaver", 2),
        shutdown.clone(),
    ));
    let mut changes = coordinator.changes();
    while coordinator.run(run).unwrap().shards_done < 8 {
        changes.changed().await.unwrap();
    }
    shutdown.drain();
    let reason = tokio::time::timeout(Duration::from_secs(20), crew)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(reason, Ok(ExitReason::Drained));
    assert!(coordinator.workers().is_empty());
    let summary = coordinator.run(run).unwrap();
    assert_eq!((summary.leased, summary.phase), (0, Phase::Stalled));
    assert!(coordinator.stalled().is_some());
    let helper = tokio::spawn(toads_worker::run(
        worker(&coordinator.url(), "heir", 2),
        Shutdown::new(),
    ));
    assert_eq!(coordinator.wait_run(run).await.unwrap().phase, Phase::Done);
    helper.await.unwrap().unwrap();
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
}

#[tokio::test]
async fn a_worker_whose_coordinator_is_not_there_says_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let config = toads_worker::Config {
        connect_timeout: Some(Duration::from_millis(300)),
        ..worker(&url, "lost", 1)
    };
    let error = toads_worker::run(config, Shutdown::new())
        .await
        .unwrap_err();
    assert!(
        matches!(&error, toads_worker::WorkerError::Unreachable(text) if text.contains(&url)),
        "{error}"
    );
    let config = worker("not an address", "lost", 1);
    assert!(matches!(
        toads_worker::run(config, Shutdown::new()).await,
        Err(toads_worker::WorkerError::Config(_))
    ));
}

#[tokio::test]
async fn an_open_address_is_refused_unless_told_otherwise() {
    let store = Arc::new(MemoryStore::new());
    let open = Config {
        listen: "0.0.0.0:0".parse().unwrap(),
        ..Config::local()
    };
    let error = Coordinator::start(open.clone(), store.clone())
        .await
        .err()
        .unwrap();
    assert!(error.to_string().contains("--insecure"), "{error}");
    let coordinator = Coordinator::start(
        Config {
            insecure: true,
            ..open
        },
        store,
    )
    .await
    .unwrap();
    coordinator.shutdown(Duration::from_secs(1)).await.unwrap();
}
