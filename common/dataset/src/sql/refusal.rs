//! What SQLite says of a statement, in one line with what to do.

use rusqlite::{Error, ErrorCode};

use super::tables::{TableSpec, tables};
use crate::error::DatasetError;

/// Why a statement is refused; an empty one where the connection could not begin.
pub(super) fn refusal(error: &Error, statement: &str, memory: u64) -> DatasetError {
    let (code, said) = match error {
        Error::SqliteFailure(code, said) => (Some(code.code), said.clone()),
        Error::SqlInputError { error, msg, .. } => (Some(error.code), Some(msg.clone())),
        _ => (None, None),
    };
    let said = said.unwrap_or_else(|| error.to_string());
    let hint = match code {
        Some(ErrorCode::OutOfMemory) => {
            return DatasetError::Question(format!(
                "the statement needs more than {} KiB to sort or group; ask about fewer n or classes, or give --memory more",
                memory >> 10
            ));
        }
        Some(ErrorCode::AuthorizationForStatementDenied) => {
            "nothing can be changed or attached here: write a select".to_owned()
        }
        _ if said.starts_with("no such table") => {
            let names: Vec<_> = tables().iter().map(|table| table.name).collect();
            format!("the tables are {}", names.join(", "))
        }
        _ if said.starts_with("no such column") => columns(statement),
        _ => String::new(),
    };
    let hint = if hint.is_empty() {
        hint
    } else {
        format!("; {hint}")
    };
    DatasetError::Question(format!(
        "SQL: {}{hint}",
        said.replace(char::is_control, " ")
    ))
}

/// The columns of the tables that a statement names, or of all.
fn columns(statement: &str) -> String {
    let lower = statement.to_lowercase();
    let named = |table: &TableSpec| lower.contains(table.name);
    let all = tables();
    let mut tables: Vec<&TableSpec> = all.iter().filter(|table| named(table)).collect();
    if tables.is_empty() {
        tables = all.iter().collect();
    }
    let listed = |table: &&TableSpec| {
        let names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
        format!("{} has {}", table.name, names.join(", "))
    };
    tables.iter().map(listed).collect::<Vec<_>>().join("; ")
}
