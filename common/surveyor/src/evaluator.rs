//! The surveyor as the evaluator of a worker that takes cells of surveys.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use toads_survey::{
    Bound, CellControl, CellEvaluator, CellOutcome, Evaluation, Exact, Question, Relation,
    Resources,
};

use super::{Budget, Finding, Surveyor};

/// How often the off switch of a cell is looked at while play goes on.
const LOOK: Duration = Duration::from_millis(50);

/// Evaluates a cell as `toads table` does.
#[derive(Clone, Copy, Debug)]
pub struct StripEvaluator {
    resources: Resources,
}

impl StripEvaluator {
    /// With these threads and this memory for one cell at a time.
    pub fn new(resources: Resources) -> Self {
        Self { resources }
    }

    /// The nodes of a question are positions remembered, nodes of play, and a tenth of the strips of a class; 0 is no limit.
    fn budget(&self, nodes: u64) -> Budget {
        let nodes = if nodes == 0 { u64::MAX } else { nodes };
        Budget {
            memory: self.resources.memory_bytes,
            threads: self.resources.threads.max(1),
            positions: usize::try_from(nodes).unwrap_or(usize::MAX),
            class: nodes.saturating_mul(10),
            nodes,
        }
    }
}

impl CellEvaluator for StripEvaluator {
    fn evaluate(&self, question: &Question<'_>, control: &CellControl) -> Evaluation {
        let budget = self.budget(question.budget.nodes);
        let arena = budget.arena();
        let mut surveyor = Surveyor::new(&arena, question.variant, budget);
        let play = surveyor.control();
        let (done, is_done) = channel::<()>();
        let found = std::thread::scope(|scope| {
            let play = &play;
            scope.spawn(move || {
                while is_done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    control.nodes().fetch_max(play.nodes(), Ordering::Relaxed);
                    if control.is_over() {
                        play.stop();
                    }
                }
            });
            let found = surveyor.survey_under(question.strip, control.kernel());
            drop(done);
            found
        });
        let outcome = match found {
            Ok(Finding::Bounded { relations, .. }) if relations.is_empty() => {
                CellOutcome::failed(nothing(question.budget.nodes))
            }
            Ok(finding) => outcome(finding),
            Err(error) => CellOutcome::failed(error),
        };
        Evaluation {
            outcome,
            nodes: play.nodes().max(1),
        }
    }
}

/// What would help.
fn nothing(nodes: u64) -> String {
    if nodes == 0 {
        "nothing was found in the time; give the survey more of it, or the workers more --memory"
            .to_owned()
    } else {
        format!(
            "nothing was found within the budget of {nodes} nodes; give the survey more, or the workers more --memory"
        )
    }
}

fn outcome(finding: Finding) -> CellOutcome {
    match finding {
        Finding::Exact {
            value,
            id,
            kind,
            how,
        } => CellOutcome::Exact {
            value: Exact {
                text: value,
                id,
                kind: kind.map_or_else(|| "large".to_owned(), |kind| kind.to_string()),
            },
            how: how.to_string(),
        },
        Finding::Bounded { relations, .. } => CellOutcome::Bounded {
            bounds: relations.into_iter().map(bound).collect(),
            how: "play".to_owned(),
        },
    }
}

fn bound((relation, value): (toads_game::Relation, String)) -> Bound {
    let relation = match relation {
        toads_game::Relation::Greater => Relation::Greater,
        toads_game::Relation::Less => Relation::Less,
        toads_game::Relation::Confused => Relation::Confused,
        // Equal would have been exact; what holds either way is said.
        toads_game::Relation::Equal => Relation::GreaterOrEqual,
    };
    Bound { relation, value }
}
