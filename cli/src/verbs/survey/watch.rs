//! `toads survey watch`: where a survey stands, until it ends.

use std::time::{Duration, Instant};

use toads_survey::SurveyId;
use toads_wire::{convert, v1};

use super::status::{COLUMNS, all, id_of, pick, row};
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::Table;
use crate::source::{Next, Remote, Source};
use crate::units;

/// Where a survey stands, again and again until it ends
///
/// Columns as of `survey status`. Exit codes: 0 done, 1 cancelled, 4 when the coordinator goes away or no cell is done for
/// longer than --stall-timeout.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads survey watch --coordinator http://127.0.0.1:7433\n  toads survey watch 3f2a --interval 5s --stall-timeout 10m"
)]
pub(crate) struct WatchArgs {
    /// The id of a survey, or its beginning [default: the latest]
    survey: Option<String>,

    /// The shortest time between two rows
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    interval: Duration,

    /// Give up after this long without progress, with exit code 4 [default: wait for ever]
    #[arg(long, value_name = "TIME", env = "TOADS_STALL_TIMEOUT", hide_env_values = true, value_parser = units::duration)]
    stall_timeout: Option<Duration>,
}

/// Runs the verb.
pub(super) fn run(args: &WatchArgs, context: &Context) -> Result<()> {
    let source = Source::reading(context)?;
    let survey = pick(all(&source)?, args.survey.as_deref())?;
    let mut table = Table::open(context.globals.format, COLUMNS)?;
    let Source::Remote(remote) = source else {
        table.row(&row(&survey))?;
        table.close()?;
        console::line("nobody works on this store; `toads survey run` goes on with it");
        return ended(&survey).unwrap_or(Ok(()));
    };
    let mut show = |status: &v1::SurveyStatus| {
        table.row(&row(status))?;
        table.flush()
    };
    let watched = follow(
        &remote,
        id_of(&survey)?,
        args.interval,
        args.stall_timeout,
        &mut show,
    );
    table.close()?;
    watched
}

/// Tells `show` of every change until the survey has ended, and how it ended.
pub(crate) fn follow(
    remote: &Remote,
    survey: SurveyId,
    interval: Duration,
    stall_timeout: Option<Duration>,
    show: &mut dyn FnMut(&v1::SurveyStatus) -> Result<()>,
) -> Result<()> {
    let interval_ms = u32::try_from(interval.as_millis())
        .unwrap_or(u32::MAX)
        .max(1);
    let request = v1::WatchSurveyRequest {
        survey: convert::to_survey_id(survey),
        interval_ms,
    };
    let mut stream =
        remote.call_surveys(|mut client| async move { client.watch(request).await })?;
    let (mut best, mut since) = (None, Instant::now());
    loop {
        let left = stall_timeout.map(|limit| limit.saturating_sub(since.elapsed()));
        let stalled = || {
            Failure::Unreachable(format!(
                "no cell of survey {survey} was done for {}; look at `toads survey status` and at the workers",
                units::show_duration(stall_timeout.unwrap_or_default())
            ))
        };
        let status = match remote.next_within(&mut stream, left)? {
            Next::Message(status) => status,
            Next::TimedOut => return Err(stalled()),
            Next::Ended => {
                let text = "the coordinator ended; the survey goes on when it is started again";
                return Err(Failure::Unreachable(text.into()));
            }
        };
        show(&status)?;
        if let Some(end) = ended(&status) {
            return end;
        }
        let done = Some(status.exact + status.bounded + status.failed);
        if done != best {
            (best, since) = (done, Instant::now());
        } else if stall_timeout.is_some_and(|limit| since.elapsed() >= limit) {
            return Err(stalled());
        }
    }
}

/// How a survey that has ended counts.
fn ended(survey: &v1::SurveyStatus) -> Option<Result<()>> {
    match survey.state.as_str() {
        "done" => Some(Ok(())),
        "cancelled" => Some(Err(Failure::Failed(format!(
            "the survey was cancelled; {} of {} cells are done",
            survey.exact + survey.bounded + survey.failed,
            survey.cells
        )))),
        _ => None,
    }
}
