//! The task that looks at the deadlines.

use tracing::warn;

use crate::core::Core;

/// Looks at the deadlines, for ever.
pub(crate) async fn tick(core: Core) {
    let mut interval = tokio::time::interval(core.config.tick);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        let quarantined = core.with(|scheduler, now| {
            let shards = scheduler.tick(now);
            let all = scheduler.quarantined();
            all.into_iter()
                .filter(|(shard, _)| shards.contains(shard))
                .collect::<Vec<_>>()
        });
        core.reap_cells();
        core.look_at_store().await;
        for (shard, failures) in quarantined {
            if let Err(error) = core.store_quarantine(shard, failures, false).await {
                warn!(%shard, %error, "the quarantine of a shard could not be stored");
            }
        }
    }
}
