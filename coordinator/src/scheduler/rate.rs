//! Strips per second: what was evaluated lately, from beats and commits.

use toads_census::Shard;

use super::Scheduler;
use super::runs::Run;

/// How far back the rate of a run looks.
const RATE_WINDOW_MS: u64 = 30_000;

impl Scheduler {
    /// Notes that so many strips of a shard were evaluated, for the rates of its runs.
    pub(super) fn count_strips(&mut self, shard: Shard, strips: u64) {
        if strips == 0 {
            return;
        }
        let answered = strips * (shard.strips_answered() / shard.strips());
        let now = self.now;
        let Some(entry) = self.shards.get(&shard) else {
            return;
        };
        for id in &entry.runs {
            if let Some(run) = self.runs.get_mut(id) {
                run.recent.push_back((now, answered));
                while run
                    .recent
                    .front()
                    .is_some_and(|&(then, _)| now - then > RATE_WINDOW_MS)
                {
                    run.recent.pop_front();
                }
                // Bursts of tiny shards: fold what falls into the same tenth of a second.
                if let [.., (earlier, sum), (last, strips)] = run.recent.make_contiguous()
                    && earlier.0 / 100 == last.0 / 100
                {
                    *sum += *strips;
                    run.recent.pop_back();
                }
            }
        }
    }

    /// Strips per second of a run lately, mirrors counted; 0 while unknown.
    pub(super) fn rate(&self, run: &Run) -> f64 {
        let recent = || {
            run.recent
                .iter()
                .filter(|&&(then, _)| self.now - then <= RATE_WINDOW_MS)
        };
        let Some(&(first, _)) = recent().next() else {
            return 0.0;
        };
        let strips: u64 = recent().map(|&(_, strips)| strips).sum();
        strips as f64 * 1000.0 / (self.now - first).max(1_000) as f64
    }
}
