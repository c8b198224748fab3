//! What is, read off when somebody asks.

use toads_census::fingerprint;
use toads_store::FORMAT_VERSION;
use toads_wire::PROTOCOL;

use super::text::Page;
use crate::core::Core;
use crate::scheduler::Scheduler;

/// The whole page. Cost: one pass over the lease table and one over the surveys, under their lock.
pub(crate) fn render(core: &Core) -> String {
    let mut page = Page::default();
    build(core, &mut page);
    shards(core, &mut page);
    store(core, &mut page);
    queues(core, &mut page);
    cells(core, &mut page);
    core.counters.show(&mut page);
    page.finish()
}

fn build(core: &Core, page: &mut Page) {
    let name = "toads_build_info";
    page.family(name, "gauge", "What this coordinator is; always 1.");
    let labels = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("protocol", &PROTOCOL.to_string()),
        ("store_format", &FORMAT_VERSION.to_string()),
        ("fingerprint", &fingerprint().to_string()),
        ("protection", &core.protection.to_string()),
    ];
    page.sample(name, &labels, 1.0);
    page.gauge(
        "toads_uptime_seconds",
        "Since this coordinator started.",
        core.now_ms() as f64 / 1000.0,
    );
    page.gauge(
        "toads_ready",
        "What /readyz says: 1 ready, 0 not.",
        f64::from(u8::from(core.not_ready().is_empty())),
    );
    if let Some(bytes) = resident_bytes() {
        page.gauge(
            "toads_resident_bytes",
            "Memory of this process that is in use.",
            bytes as f64,
        );
    }
}

fn shards(core: &Core, page: &mut Page) {
    let figures = core.peek(Scheduler::figures);
    page.gauges(
        "toads_shards",
        "state",
        "Shards of all runs, by state; idle are those of paused or cancelled runs.",
        &[
            ("ready", figures.ready as f64),
            ("leased", figures.leased as f64),
            ("committed", figures.committed as f64),
            ("quarantined", figures.quarantined as f64),
            ("idle", figures.idle as f64),
        ],
    );
    page.gauge(
        "toads_oldest_lease_age_seconds",
        "Since the oldest lease that is out was given; 0 without leases.",
        figures.oldest_lease_ms as f64 / 1000.0,
    );
    page.gauge(
        "toads_audits_waiting",
        "Committed shards that wait for another process to compute them once more.",
        figures.audits_waiting as f64,
    );
    page.gauge("toads_workers", "Workers alive.", figures.workers as f64);
    page.gauge(
        "toads_strips_per_second",
        "Strips evaluated per second lately, mirrors counted.",
        figures.strips_per_s,
    );
    page.gauge(
        "toads_stalled_seconds",
        "For how long there has been work and no worker; 0 while that is not so.",
        figures.stalled_ms as f64 / 1000.0,
    );
}

fn store(core: &Core, page: &mut Page) {
    let pressure = core.pressure();
    page.gauges(
        "toads_store_stall",
        "kind",
        "Whether RocksDB stops or delays writes.",
        &[
            ("stopped", f64::from(u8::from(pressure.is_stopped))),
            ("delayed", f64::from(u8::from(pressure.is_delayed()))),
        ],
    );
    page.gauge(
        "toads_store_pending_compaction_bytes",
        "What RocksDB has yet to rewrite.",
        pressure.pending_compaction_bytes as f64,
    );
}

fn queues(core: &Core, page: &mut Page) {
    let depths = core.depths();
    let depths: Vec<_> = depths
        .iter()
        .map(|&(name, depth)| (name, depth as f64))
        .collect();
    page.gauges(
        "toads_queue_depth",
        "queue",
        "What waits or is being done: jobs of the writer, events, submissions, look-ups, questions.",
        &depths,
    );
}

fn cells(core: &Core, page: &mut Page) {
    let mut sums = [0u64; 5];
    for summary in core.survey_summaries() {
        let counts = summary.counts;
        let open = counts.cells - counts.done() - counts.leased;
        let parts = [
            open,
            counts.leased,
            counts.exact,
            counts.bounded,
            counts.failed,
        ];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += u64::from(part);
        }
    }
    let [open, leased, exact, bounded, failed] = sums.map(|sum| sum as f64);
    page.gauges(
        "toads_survey_cells",
        "state",
        "Cells of all surveys, by state.",
        &[
            ("open", open),
            ("leased", leased),
            ("exact", exact),
            ("bounded", bounded),
            ("failed", failed),
        ],
    );
}

/// `None` where the system does not say.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}
