//! The tables and their columns, as the prompt tells them.

use toads_dataset::sql::{ColumnSpec, Holds, TableSpec, tables};

/// The names of the tables, one a line.
pub(super) fn names() -> String {
    tables()
        .iter()
        .fold(String::new(), |text, table| text + table.name + "\n")
}

/// The columns of a table, or of all tables; `None` where there is no such table.
pub(super) fn columns(name: &str) -> Option<String> {
    let tables = tables();
    let mut named = tables
        .iter()
        .filter(|table| name.is_empty() || table.name.eq_ignore_ascii_case(name))
        .peekable();
    named.peek()?;
    Some(named.map(of).collect())
}

fn of(table: &TableSpec) -> String {
    let columns: Vec<_> = table.columns.iter().map(column).collect();
    format!("{}({})\n", table.name, columns.join(", "))
}

fn column(column: &ColumnSpec) -> String {
    let holds = match column.holds {
        Holds::Integer => "integer",
        Holds::Text => "text",
        Holds::Fraction => "fraction",
    };
    format!("{} {holds}", column.name)
}
