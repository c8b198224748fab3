//! Workers that share a survey, through restarts, panics and budgets.

use super::*;

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
