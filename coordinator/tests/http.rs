//! Health, readiness and figures over HTTP.

#![allow(clippy::float_cmp)] // metrics are counts, exact as floats

#[path = "support/http.rs"]
mod ask;
mod support;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ask::get;
use support::Faulty;
use toads_coordinator::{Config, Coordinator};
use toads_store::{Keep, MemoryStore, Pressure};
use toads_strip::Variant;
use toads_worker::Shutdown;

fn config() -> Config {
    Config {
        http: Some(([127, 0, 0, 1], 0).into()),
        ..Config::local()
    }
}

/// The value of a sample, such as `toads_shards{state="ready"}`.
#[track_caller]
fn sample(page: &str, name: &str) -> f64 {
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let line = line.unwrap_or_else(|| panic!("no {name} in\n{page}"));
    line.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_figures_follow_a_census() {
    let store = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(config(), store).await.unwrap();
    let url = coordinator.http_url().unwrap();
    assert_eq!(get(&url, "/healthz").await, (200, "alive\n".to_owned()));
    assert_eq!(get(&url, "/readyz").await, (200, "ready\n".to_owned()));
    let run = coordinator
        .submit_run(Variant::Hop, 1..=5, Keep::Blocks)
        .await
        .unwrap();
    let shards = run.shards_total as f64;
    let (status, before) = get(&url, "/metrics").await;
    assert_eq!(status, 200);
    assert_eq!(sample(&before, "toads_shards{state=\"ready\"}"), shards);
    assert_eq!(sample(&before, "toads_workers"), 0.0);
    assert_eq!(sample(&before, "toads_ready"), 1.0);
    let worker = toads_worker::Config {
        coordinator: coordinator.url(),
        memory_bytes: 256 << 20,
        exit_when_done: true,
        ..toads_worker::Config::default()
    };
    toads_worker::run(worker, Shutdown::new()).await.unwrap();
    let (_, after) = get(&url, "/metrics").await;
    for (name, value) in [
        ("toads_shards{state=\"ready\"}", 0.0),
        ("toads_shards{state=\"committed\"}", shards),
        ("toads_events_total{kind=\"committed\"}", shards),
        ("toads_events_total{kind=\"registered\"}", 1.0),
        ("toads_events_total{kind=\"expired\"}", 0.0),
        ("toads_strips_committed_total", 363.0),
        (
            "toads_commits_refused_total{reason=\"digest_conflict\"}",
            0.0,
        ),
        (
            "toads_handshakes_refused_total{reason=\"fingerprint\"}",
            0.0,
        ),
        ("toads_calls_denied_total{reason=\"wrong_token\"}", 0.0),
        ("toads_store_stall{kind=\"stopped\"}", 0.0),
        ("toads_queue_depth{queue=\"submissions\"}", 0.0),
        ("toads_survey_cells{state=\"open\"}", 0.0),
    ] {
        assert_eq!(sample(&after, name), value, "{name}");
    }
    assert!(sample(&after, "toads_resident_bytes") > 1e6);
    assert!(after.contains("toads_build_info{version=\""), "{after}");
    // Every family is announced once, and every line is a comment or a sample.
    let mut families: Vec<_> = after
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .collect();
    let count = families.len();
    families.sort_unstable();
    families.dedup();
    assert_eq!(families.len(), count);
    assert_eq!(get(&url, "/nothing").await.0, 404);
    coordinator.shutdown(Duration::from_secs(1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn not_ready_while_the_store_has_stopped_or_everything_ends() {
    let faulty = Arc::new(Faulty::new(Arc::new(MemoryStore::new())));
    let coordinator = Coordinator::start(config(), faulty.clone()).await.unwrap();
    let url = coordinator.http_url().unwrap();
    *faulty.pressure.lock().unwrap() = Pressure {
        is_stopped: true,
        ..Pressure::default()
    };
    until(async || get(&url, "/readyz").await.0 == 503).await;
    let (_, why) = get(&url, "/readyz").await;
    assert!(why.contains("the store has stopped writes"), "{why}");
    *faulty.pressure.lock().unwrap() = Pressure::default();
    until(async || get(&url, "/readyz").await.0 == 200).await;
    coordinator.drain();
    assert_eq!(get(&url, "/readyz").await, (503, "draining\n".to_owned()));
    assert_eq!(get(&url, "/healthz").await.0, 200);
    assert_eq!(faulty.refused.load(Ordering::Relaxed), 0);
}

async fn until(condition: impl AsyncFn() -> bool) {
    while !condition().await {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
