//! Workers by hand: results that come late, twice, or contradict each other.

use toads_wire::v1::surveys_client::SurveysClient;
use toads_wire::v1::workers_client::WorkersClient;
use toads_wire::{PROTOCOL, convert, v1};

use super::*;

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
