//! What can go wrong with a query, in words that do not speak of the engine.

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;

/// Something is wrong with a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is not valid SQL, or names something that is not there.
    #[error("{0}")]
    Sql(String),
    /// A table that is not there.
    #[error("there is no table {0:?} (`diya tables` lists all)")]
    NoTable(String),
    /// The query ran into a limit or a fault while running.
    #[error("the query failed while running: {0}")]
    Running(String),
    /// The engine could not be started.
    #[error("the SQL engine did not start: {0}")]
    Start(String),
}

/// What a run failed with.
pub(crate) fn running(error: DataFusionError) -> QueryError {
    if let DataFusionError::ResourcesExhausted(_) = error.find_root() {
        let what =
            "it needs more memory than half of what is free; is a join without its condition?";
        return QueryError::Running(what.to_owned());
    }
    QueryError::Running(first_cause(&error))
}

/// What is wrong with a text.
pub(crate) fn explain(error: DataFusionError) -> QueryError {
    let text = first_cause(&error);
    let table = text.strip_prefix("table '").and_then(|rest| rest.strip_suffix("' not found"));
    match table {
        Some(name) => QueryError::NoTable(name.to_owned()),
        None => QueryError::Sql(text),
    }
}

/// What went wrong, without the engine's words about itself.
fn first_cause(error: &DataFusionError) -> String {
    let root = error.find_root();
    if let DataFusionError::SchemaError(cause, _) = root
        && let SchemaError::FieldNotFound { field, valid_fields } = cause.as_ref()
    {
        return no_column(field.name(), valid_fields.iter().map(|f| f.name()));
    }
    if let DataFusionError::SQL(cause, _) = root {
        let words = cause.to_string();
        return format!(
            "this is not valid SQL: {}",
            words.trim_start_matches("sql parser error: ")
        );
    }
    let text = root.strip_backtrace();
    let own = ["Error during planning: ", "Schema error: ", "SQL error: ", "Execution error: "];
    let plain = own.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(&text);
    plain.replace("datafusion.public.", "")
}

/// So many names of columns are read before the right one is found in the list of all.
const FEW_COLUMNS: usize = 40;

/// Names the columns that a person may have meant; a table can have hundreds.
fn no_column<'n>(name: &str, columns: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = columns.collect();
    let is_near = |c: &&str| c.contains(name) || strsim::jaro_winkler(c, name) > 0.8;
    let mut near: Vec<&str> = all.iter().copied().filter(is_near).collect();
    near.sort_by(|a, b| strsim::jaro_winkler(b, name).total_cmp(&strsim::jaro_winkler(a, name)));
    near.dedup();
    near.truncate(5);
    let hint = match near.is_empty() {
        false => format!("; near it: {}", near.join(", ")),
        true if all.len() <= FEW_COLUMNS => format!("; those that are: {}", all.join(", ")),
        true => String::new(),
    };
    format!("there is no column {name:?}{hint} (`diya tables TABLE` lists all)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_is_not_there_is_answered_with_those_near_it() {
        let text = no_column("byte_read", ["opens", "bytes_read", "bytes_written"].into_iter());
        assert!(text.contains("near it: bytes_read"), "{text}");
        let text = no_column("duration_s", ["start_time", "end_time"].into_iter());
        assert!(text.contains("those that are: start_time, end_time"), "{text}");
    }
}
