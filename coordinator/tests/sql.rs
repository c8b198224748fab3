//! SQL over a real socket: the same rows as at hand, in messages of bounded size, until nobody waits any more.

use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use toads_coordinator::{Config, Coordinator};
use toads_dataset::{Cell, Question, SqlLimits, Table, answer};
use toads_store::{Keep, MemoryStore, RunRecord, RunState, Store};
use toads_strip::Variant;
use toads_wire::v1::census_client::CensusClient;
use toads_wire::v1::query_response::Part;
use toads_wire::{MAX_MESSAGE_BYTES, v1};
use tonic::transport::Channel;
use tonic::{Code, Status};

/// A coordinator that answers one question at a time, over a store with a few runs.
async fn session() -> (Arc<MemoryStore>, Coordinator, CensusClient<Channel>) {
    let store = Arc::new(MemoryStore::new());
    for id in 1..=3 {
        let run = RunRecord {
            id,
            variant: Variant::Hop,
            first_n: 1,
            last_n: 4,
            keep: Keep::Blocks,
            state: RunState::Cancelled,
            created_ms: 1,
        };
        store.put_run(&run).unwrap();
    }
    let config = Config {
        max_queries: 1,
        ..Config::local()
    };
    let coordinator = Coordinator::start(config, store.clone()).await.unwrap();
    let client = CensusClient::connect(coordinator.url()).await.unwrap();
    (store, coordinator, client)
}

fn question(statement: &str) -> Question {
    Question::Sql {
        statement: statement.to_owned(),
        limits: SqlLimits::default(),
    }
}

/// The messages of an answer.
async fn ask(
    client: &mut CensusClient<Channel>,
    question: &Question,
) -> Result<Vec<v1::QueryResponse>, Status> {
    let question = serde_json::to_string(question).unwrap();
    let mut stream = client
        .query(v1::QueryRequest { question })
        .await?
        .into_inner();
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await? {
        messages.push(message);
    }
    Ok(messages)
}

fn rows(messages: &[v1::QueryResponse]) -> Vec<Vec<Cell>> {
    let rows = messages
        .iter()
        .flat_map(|message| match message.part.as_ref().unwrap() {
            Part::Rows(rows) => &rows.rows[..],
            _ => &[],
        });
    let cell = |text: &String| serde_json::from_str(text).unwrap_or(Cell::Empty);
    rows.map(|row| row.cells.iter().map(cell).collect())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_keep_their_types_and_messages_their_bound() {
    let (store, _coordinator, mut client) = session().await;
    for statement in [
        "select run, variant, run / 2.0, null, '17', x'ff' from runs order by run desc",
        "with recursive t(a) as (select 1 union all select a + 1 from t where a < 200000) select a, 'some text to fill messages' from t",
    ] {
        let mut table = Table::default();
        answer(store.as_ref(), &question(statement), &mut table).unwrap();
        let messages = ask(&mut client, &question(statement)).await.unwrap();
        assert!(
            messages
                .iter()
                .all(|message| message.encoded_len() <= MAX_MESSAGE_BYTES)
        );
        assert_eq!(rows(&messages), table.rows);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slips_and_limits_are_told() {
    let (_store, _coordinator, mut client) = session().await;
    let refused = ask(&mut client, &question("select * from nowhere"))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert!(
        refused.message().contains("the tables are strips"),
        "{refused}"
    );
    let refused = ask(
        &mut client,
        &question("select printf('%.*c', 2000000, 'x')"),
    )
    .await
    .unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
    let refused = ask(&mut client, &question("delete from runs"))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_ends_when_nobody_waits_for_it() {
    let (_store, _coordinator, mut client) = session().await;
    let endless = "select 'begun' union all
        select max(a) from (with recursive t(a) as (select 1 union all select a + 1 from t) select a from t)";
    let limits = SqlLimits {
        timeout_ms: 3_600_000,
        ..SqlLimits::default()
    };
    let endless = Question::Sql {
        statement: endless.to_owned(),
        limits,
    };
    let question_json = serde_json::to_string(&endless).unwrap();
    let request = v1::QueryRequest {
        question: question_json,
    };
    let mut stream = client.query(request).await.unwrap().into_inner();
    assert!(
        stream.message().await.unwrap().is_some(),
        "the columns come"
    );
    drop(stream);
    // There is one place for questions: the next one is answered only if the first one ended.
    let count = question("select count(*) from runs");
    let next = tokio::time::timeout(Duration::from_secs(30), ask(&mut client, &count));
    let messages = next.await.expect("the statement goes on").unwrap();
    assert_eq!(rows(&messages), [[Cell::from(3i64)]]);
}
