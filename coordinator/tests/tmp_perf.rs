//! Temporary.
use std::sync::Arc;
use std::time::{Duration, Instant};
use toads_coordinator::{Config, Coordinator};
use toads_store::{Keep, OpenOptions, RocksStore, Store, store_digest};
use toads_strip::Variant;
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn perf() {
    let squares: u8 = std::env::var("N").unwrap_or("12".into()).parse().unwrap();
    let workers: usize = std::env::var("W").unwrap_or("1".into()).parse().unwrap();
    let threads: usize = std::env::var("T").unwrap_or("2".into()).parse().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(RocksStore::open(&dir.path().join("x.db"), &OpenOptions::creating()).unwrap());
    let coordinator = Coordinator::start(Config::local(), store.clone()).await.unwrap();
    let start = Instant::now();
    let variants = if std::env::var("BOTH").is_ok() { &Variant::ALL[..] } else { &Variant::ALL[..1] };
    let mut runs = vec![];
    for &v in variants { runs.push(coordinator.submit_run(v, 1..=squares, Keep::Blocks).await.unwrap().record.id); }
    let crew: Vec<_> = (0..workers).map(|_| tokio::spawn(toads_worker::run(toads_worker::Config { coordinator: coordinator.url(), threads, memory_bytes: 2 << 30, exit_when_done: true, ..Default::default() }, toads_worker::Shutdown::new()))).collect();
    for run in runs { coordinator.wait_run(run).await.unwrap(); println!("run {run} done {:?}", start.elapsed()); }
    for c in crew { c.await.unwrap().unwrap(); }
    println!("workers gone {:?}", start.elapsed());
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
    println!("stopped {:?} digest {}", start.elapsed(), store_digest(&store.shards(None).unwrap()));
    let events = store.events(1, usize::MAX).unwrap();
    println!("{} events", events.len());
    let t0 = events[0].at_ms;
    for e in events.iter().filter(|e| e.kind != "leased" || e.shard.is_some_and(|s| s.strips() > 100_000)).rev().take(25) { println!("{} {} {:?} {}", e.at_ms - t0, e.kind, e.shard.map(|s| s.to_string()), e.detail); }
    let max: u64 = store.shards(None).unwrap().iter().map(|r| r.evaluate_ms).sum();
    println!("sum evaluate ms {max}; {}", std::fs::read_to_string("/proc/self/status").unwrap().lines().filter(|l| l.starts_with("VmHWM")).collect::<String>());
}
