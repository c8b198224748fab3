//! What a worker hears of its submission.

use std::time::Duration;

use toads_wire::v1::{RefusalReason, SubmitResponse, Verdict};

pub(super) fn committed() -> SubmitResponse {
    verdict(Verdict::Committed, "")
}

pub(super) fn duplicate() -> SubmitResponse {
    verdict(Verdict::Duplicate, "committed before, with the same digest")
}

pub(super) fn refused(reason: RefusalReason, what: &str) -> SubmitResponse {
    SubmitResponse {
        reason: reason.into(),
        ..verdict(Verdict::Refused, what)
    }
}

pub(super) fn busy(retry_after: Duration) -> SubmitResponse {
    SubmitResponse {
        retry_after_ms: retry_after.as_millis() as u32,
        ..verdict(Verdict::Busy, "busy; the same again in a moment")
    }
}

pub(super) fn stale() -> SubmitResponse {
    verdict(
        Verdict::Stale,
        "the lease is not yours any more; the shard is leased to another worker or done",
    )
}

pub(super) fn conflict() -> SubmitResponse {
    let what = "the shard is committed with another digest; both results are in quarantine now";
    SubmitResponse {
        reason: RefusalReason::DigestConflict.into(),
        ..verdict(Verdict::Refused, what)
    }
}

fn verdict(verdict: Verdict, message: &str) -> SubmitResponse {
    SubmitResponse {
        verdict: verdict.into(),
        message: message.to_owned(),
        ..SubmitResponse::default()
    }
}
