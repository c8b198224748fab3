//! Surveys: coordinator and workers in one process, over real loopback sockets, on the in-memory store.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use toads_coordinator::{Config, Coordinator, SurveyPhase};
use toads_store::{Keep, MemoryStore, Store};
use toads_strip::{Strip, Variant};
use toads_survey::{
    Budget, Cell, CellControl, CellEvaluator, CellOutcome, CellRecord, ClassEvaluator, Evaluation,
    EvaluatorSource, Question, Resources, Survey,
};
use toads_wire::v1::surveys_client::SurveysClient;
use toads_wire::v1::workers_client::WorkersClient;
use toads_wire::{PROTOCOL, convert, v1};
use toads_worker::{ExitReason, Shutdown};

const LIMIT: Duration = Duration::from_secs(60);

fn worker(url: &str, name: &str, evaluator: EvaluatorSource) -> toads_worker::Config {
    toads_worker::Config {
        coordinator: url.to_owned(),
        name: name.to_owned(),
        threads: 1,
        memory_bytes: 64 << 20,
        exit_when_done: true,
        drain_grace: Duration::from_secs(1),
        evaluator,
        ..toads_worker::Config::default()
    }
}

/// T^a .^b F^c for all small a, b and c.
fn survey(variant: Variant) -> Survey {
    let mut cells = Vec::new();
    for a in 1..=3 {
        for b in 1..=3 {
            for c in 1..=3 {
                let strip = format!("T^{a} .^{b} F^{c}");
                cells.push(Cell::new([("a", a), ("b", b), ("c", c)], strip));
            }
        }
    }
    Survey::new("T^a .^b F^c", variant, Budget::default(), cells).unwrap()
}

/// The outcomes as one evaluator finds them, one after the other.
fn plainly(survey: &Survey) -> Vec<CellOutcome> {
    let evaluator = ClassEvaluator::new(Resources {
        threads: 1,
        memory_bytes: 64 << 20,
    });
    let outcome = |cell: &Cell| {
        let strip = cell.squares().unwrap();
        let question = Question {
            variant: survey.variant(),
            strip: &strip,
            budget: survey.budget(),
        };
        evaluator
            .evaluate(&question, &CellControl::default())
            .outcome
    };
    survey.cells().iter().map(outcome).collect()
}

fn outcomes(cells: &[(u32, CellRecord)]) -> Vec<CellOutcome> {
    cells.iter().map(|(_, cell)| cell.outcome.clone()).collect()
}

/// Events of a kind that are about cells, without what comes after the cell.
fn cell_events(store: &dyn Store, kind: &str) -> Vec<String> {
    let events = store.events(1, usize::MAX).unwrap().into_iter();
    events
        .filter(|event| event.kind == kind && event.detail.starts_with("cell "))
        .map(|event| {
            event
                .detail
                .split(':')
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Waits a little before each answer, and counts the answers.
struct Slow {
    inner: ClassEvaluator,
    pause: Duration,
    answers: Arc<AtomicUsize>,
}

impl CellEvaluator for Slow {
    fn evaluate(&self, question: &Question<'_>, control: &CellControl) -> Evaluation {
        let end = std::time::Instant::now() + self.pause;
        while std::time::Instant::now() < end && !control.is_over() {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.answers.fetch_add(1, Ordering::Relaxed);
        self.inner.evaluate(question, control)
    }
}

fn slow(pause: Duration, answers: &Arc<AtomicUsize>) -> EvaluatorSource {
    let answers = Arc::clone(answers);
    EvaluatorSource::new(move |resources| {
        Box::new(Slow {
            inner: ClassEvaluator::new(resources),
            pause,
            answers: Arc::clone(&answers),
        })
    })
}

async fn ended(coordinator: &Coordinator, survey: &Survey) -> SurveyPhase {
    let waited = tokio::time::timeout(LIMIT, coordinator.wait_survey(survey.id()));
    waited.await.unwrap().unwrap().phase
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_share_a_survey_and_find_what_one_finds() {
    for variant in Variant::ALL {
        let survey = survey(variant);
        let store = Arc::new(MemoryStore::new());
        let coordinator = Coordinator::start(Config::local(), store.clone())
            .await
            .unwrap();
        coordinator
            .submit_survey(survey.clone(), false)
            .await
            .unwrap();
        let answers = Arc::default();
        let crew: Vec<_> = ["one", "two"]
            .map(|name| {
                let evaluator = slow(Duration::from_millis(5), &answers);
                let config = worker(&coordinator.url(), name, evaluator);
                tokio::spawn(toads_worker::run(config, Shutdown::new()))
            })
            .into_iter()
            .collect();
        assert_eq!(ended(&coordinator, &survey).await, SurveyPhase::Done);
        for worker in crew {
            assert_eq!(worker.await.unwrap(), Ok(ExitReason::Done));
        }
        coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
        let cells = store.cells(survey.id()).unwrap();
        assert_eq!(outcomes(&cells), plainly(&survey));
        let workers: BTreeSet<_> = cells.iter().map(|(_, cell)| &cell.worker).collect();
        assert_eq!(workers.len(), 2, "{workers:?}");
        assert_eq!(
            answers.load(Ordering::Relaxed),
            cells.len(),
            "each cell once"
        );
        assert_eq!(cell_events(store.as_ref(), "committed").len(), cells.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_leases_nothing_that_is_done_and_a_drained_worker_gives_its_cell_back() {
    let survey = survey(Variant::Hop);
    let store = Arc::new(MemoryStore::new());
    let answers = Arc::default();
    // A coordinator and a worker that stop somewhere in the middle.
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    let shutdown = Shutdown::new();
    let evaluator = slow(Duration::from_millis(20), &answers);
    let config = worker(&coordinator.url(), "first", evaluator);
    let first = tokio::spawn(toads_worker::run(config, shutdown.clone()));
    while store.cells(survey.id()).unwrap().len() < 5 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    shutdown.now();
    assert_eq!(first.await.unwrap(), Ok(ExitReason::Stopped));
    let counts = coordinator.survey(survey.id()).unwrap().counts;
    assert_eq!(counts.leased, 0, "given back, not left to run out");
    coordinator.shutdown(Duration::from_secs(1)).await.unwrap();
    let before = store.cells(survey.id()).unwrap();
    assert!(before.len() < survey.cells().len());

    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    // A counter of its own: an evaluation that was stopped may still count after its worker has ended.
    let answers = Arc::default();
    let evaluator = slow(Duration::ZERO, &answers);
    let config = worker(&coordinator.url(), "second", evaluator);
    let second = tokio::spawn(toads_worker::run(config, Shutdown::new()));
    assert_eq!(ended(&coordinator, &survey).await, SurveyPhase::Done);
    assert_eq!(second.await.unwrap(), Ok(ExitReason::Done));
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
    let cells = store.cells(survey.id()).unwrap();
    assert_eq!(outcomes(&cells), plainly(&survey));
    assert!(
        before.iter().all(|cell| cells.contains(cell)),
        "what was done stayed as it was"
    );
    assert_eq!(answers.load(Ordering::Relaxed), cells.len() - before.len());
    let committed = cell_events(store.as_ref(), "committed");
    let distinct: BTreeSet<_> = committed.iter().collect();
    assert_eq!(
        (committed.len(), distinct.len()),
        (cells.len(), cells.len())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_come_first_and_a_panic_is_an_outcome_that_can_be_tried_again() {
    struct Panics;
    impl CellEvaluator for Panics {
        fn evaluate(&self, question: &Question<'_>, _: &CellControl) -> Evaluation {
            panic!("{} is too much", question.strip)
        }
    }
    let survey = survey(Variant::Hopless);
    let store = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    coordinator
        .submit_run(Variant::Hop, 1..=5, Keep::Blocks)
        .await
        .unwrap();
    let panics = EvaluatorSource::new(|_| Box::new(Panics));
    let config = worker(&coordinator.url(), "panics", panics);
    assert_eq!(
        toads_worker::run(config, Shutdown::new()).await,
        Ok(ExitReason::Done)
    );
    let counts = coordinator.survey(survey.id()).unwrap().counts;
    assert_eq!(counts.failed, counts.cells);
    let events = store.events(1, usize::MAX).unwrap();
    let first_cell = events
        .iter()
        .position(|event| event.detail.starts_with("cell "));
    let last_shard = events
        .iter()
        .rposition(|event| event.kind == "leased" && event.shard.is_some());
    assert!(last_shard < first_cell, "{last_shard:?} {first_cell:?}");
    let CellOutcome::Failed { message } = &store.cells(survey.id()).unwrap()[0].1.outcome else {
        panic!("it cannot have been evaluated");
    };
    assert!(message.contains("T.F is too much"), "{message}");

    // Asked again, nothing happens; asked to try again, the failures go.
    let again = coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    assert_eq!(again.phase, SurveyPhase::Done);
    let again = coordinator
        .submit_survey(survey.clone(), true)
        .await
        .unwrap();
    assert_eq!(again.counts.failed, 0);
    // Asked again meanwhile, without: what is being tried again goes on.
    let again = coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    assert_eq!(again.counts.failed, 0);
    let config = worker(&coordinator.url(), "sound", EvaluatorSource::default());
    assert_eq!(
        toads_worker::run(config, Shutdown::new()).await,
        Ok(ExitReason::Done)
    );
    assert_eq!(
        outcomes(&store.cells(survey.id()).unwrap()),
        plainly(&survey)
    );
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_the_budget_ends_an_evaluation() {
    struct Endless;
    impl CellEvaluator for Endless {
        fn evaluate(&self, _: &Question<'_>, control: &CellControl) -> Evaluation {
            while !control.is_over() {
                control.nodes().fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
            let outcome = CellOutcome::failed("not found in time");
            let nodes = control.nodes().load(Ordering::Relaxed);
            Evaluation { outcome, nodes }
        }
    }
    let budget = Budget {
        nodes: 0,
        milliseconds: 50,
    };
    let cells = vec![Cell::new([("a", 1)], "T.F"), Cell::new([("a", 2)], "TT.F")];
    let survey = Survey::new("x", Variant::Hop, budget, cells).unwrap();
    let store = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    let config = worker(
        &coordinator.url(),
        "endless",
        EvaluatorSource::new(|_| Box::new(Endless)),
    );
    assert_eq!(
        toads_worker::run(config, Shutdown::new()).await,
        Ok(ExitReason::Done)
    );
    for (_, cell) in store.cells(survey.id()).unwrap() {
        assert!(
            cell.effort.milliseconds >= 50 && cell.effort.nodes > 0,
            "{cell:?}"
        );
    }
    coordinator.shutdown(Duration::from_secs(5)).await.unwrap();
}

/// A worker by hand: registered, with both clients.
struct ByHand {
    surveys: SurveysClient<tonic::transport::Channel>,
    workers: WorkersClient<tonic::transport::Channel>,
    key: v1::WorkerKey,
}

impl ByHand {
    async fn register(url: &str, name: &str) -> Self {
        let mut workers = WorkersClient::connect(url.to_owned()).await.unwrap();
        let surveys = SurveysClient::connect(url.to_owned()).await.unwrap();
        let request = v1::RegisterRequest {
            name: name.to_owned(),
            protocol: PROTOCOL,
            fingerprint: convert::to_digest(toads_census::fingerprint()),
            threads: 1,
            ..v1::RegisterRequest::default()
        };
        let response = workers.register(request).await.unwrap().into_inner();
        Self {
            surveys,
            workers,
            key: response.worker.unwrap(),
        }
    }

    async fn lease(&mut self) -> v1::LeaseCellResponse {
        let worker = Some(self.key);
        let answer = self.surveys.lease(v1::LeaseCellRequest { worker });
        answer.await.unwrap().into_inner()
    }

    async fn complete(
        &mut self,
        key: &v1::CellLeaseKey,
        outcome: &CellOutcome,
    ) -> Result<v1::CellVerdict, tonic::Status> {
        let request = v1::CompleteCellRequest {
            worker: Some(self.key),
            key: Some(key.clone()),
            result: Some(convert::to_result(outcome, toads_survey::Effort::default())),
        };
        let response = self.surveys.complete(request).await?.into_inner();
        Ok(response.verdict())
    }

    async fn renew(&mut self, key: &v1::CellLeaseKey) -> v1::RenewCellResponse {
        let request = v1::RenewCellRequest {
            worker: Some(self.key),
            key: Some(key.clone()),
            nodes: 1,
        };
        self.surveys.renew(request).await.unwrap().into_inner()
    }
}

#[tokio::test]
async fn stale_and_repeated_results_are_harmless_and_two_values_raise_an_alarm() {
    let cells = vec![Cell::new([("a", 1)], "T.F"), Cell::new([("a", 2)], "TT.F")];
    let survey = Survey::new("x", Variant::Hop, Budget::default(), cells).unwrap();
    let outcomes = plainly(&survey);
    let store = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    let mut first = ByHand::register(&coordinator.url(), "first").await;
    let mut second = ByHand::register(&coordinator.url(), "second").await;
    let lease = first.lease().await;
    assert_eq!(
        (lease.next(), lease.strip.as_str()),
        (v1::Next::Work, "T . F")
    );
    let key = lease.key.unwrap();
    // The first says goodbye, the second gets the cell; the first comes back with a failure, then with the value.
    let goodbye = v1::GoodbyeRequest {
        worker: Some(first.key),
        reason: "a test".into(),
    };
    first.workers.goodbye(goodbye).await.unwrap();
    let again = second.lease().await.key.unwrap();
    assert_eq!(again.index, key.index);
    assert!(again.epoch > key.epoch);
    let mut first = ByHand::register(&coordinator.url(), "first").await;
    let failed = CellOutcome::failed("no memory");
    assert_eq!(
        first.complete(&key, &failed).await.unwrap(),
        v1::CellVerdict::Stale
    );
    assert!(!first.renew(&key).await.current, "the second has it");
    assert_eq!(
        first.complete(&key, &outcomes[0]).await.unwrap(),
        v1::CellVerdict::Stored
    );
    assert!(!second.renew(&again).await.current, "it is done");
    assert_eq!(
        second.complete(&again, &outcomes[0]).await.unwrap(),
        v1::CellVerdict::Known
    );
    assert_eq!(
        second.complete(&again, &failed).await.unwrap(),
        v1::CellVerdict::Known
    );
    assert_eq!(
        second.complete(&again, &outcomes[1]).await.unwrap(),
        v1::CellVerdict::Conflict
    );
    let stored = store.cells(survey.id()).unwrap();
    assert_eq!(stored[0].1.outcome, outcomes[0]);
    // A cell that there is not, and a worker that nobody knows.
    let nowhere = v1::CellLeaseKey { index: 9, ..key };
    let refused = second.complete(&nowhere, &outcomes[0]).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::InvalidArgument, "{refused}");
    second.key.instance ^= 1;
    let unknown = second.complete(&again, &outcomes[0]).await.unwrap_err();
    assert_eq!(unknown.code(), tonic::Code::NotFound, "{unknown}");
    coordinator.shutdown(Duration::ZERO).await.unwrap();
}

#[tokio::test]
async fn a_worker_that_worked_through_a_restart_keeps_its_cell() {
    let survey = survey(Variant::Hop);
    let store = Arc::new(MemoryStore::new());
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    coordinator
        .submit_survey(survey.clone(), false)
        .await
        .unwrap();
    let mut worker = ByHand::register(&coordinator.url(), "by hand").await;
    let key = worker.lease().await.key.unwrap();
    coordinator.shutdown(Duration::ZERO).await.unwrap();
    let coordinator = Coordinator::start(Config::local(), store.clone())
        .await
        .unwrap();
    let mut worker = ByHand::register(&coordinator.url(), "by hand").await;
    let renewed = worker.renew(&key).await;
    assert!(renewed.current && renewed.epoch > key.epoch, "{renewed:?}");
    let mut other = ByHand::register(&coordinator.url(), "other").await;
    assert_ne!(other.lease().await.key.unwrap().index, key.index);
    // Cancelled: nobody may go on, and nothing is leased.
    let mut people = SurveysClient::connect(coordinator.url()).await.unwrap();
    let cancel = v1::CancelSurveyRequest {
        survey: key.survey.clone(),
    };
    let status = people.cancel(cancel).await.unwrap().into_inner();
    assert_eq!((status.state.as_str(), status.leased), ("cancelled", 0));
    let key = v1::CellLeaseKey {
        epoch: renewed.epoch,
        ..key
    };
    assert!(!worker.renew(&key).await.current);
    assert_eq!(worker.lease().await.next(), v1::Next::Done);
    // A person who watches hears of every change, and of the end.
    let watch = v1::WatchSurveyRequest {
        survey: key.survey.clone(),
        interval_ms: 20,
    };
    let mut watched = people.watch(watch).await.unwrap().into_inner();
    assert_eq!(watched.message().await.unwrap().unwrap().state, "cancelled");
    assert!(watched.message().await.unwrap().is_none());
    // And reads all cells.
    let strip = Strip::parse("T . F").unwrap();
    let read = v1::ReadSurveyRequest { survey: key.survey };
    let mut read = people.read(read).await.unwrap().into_inner();
    let cells = read.message().await.unwrap().unwrap().cells;
    assert_eq!(cells.len(), survey.cells().len());
    let first = convert::cell(cells[0].cell.as_ref().unwrap());
    assert_eq!(first.squares().unwrap(), strip);
    assert!(cells.iter().all(|cell| cell.record.is_none()));
    coordinator.shutdown(Duration::ZERO).await.unwrap();
}
