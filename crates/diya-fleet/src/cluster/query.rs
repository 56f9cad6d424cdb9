//! One statement, run by a cluster.

use super::{ClusterAt, ClusterError};
use crate::Dataset;
use arrow::ipc::reader::StreamReader;
use diya_query::Rows;
use std::io::{BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

impl Dataset {
    /// Runs a statement by the cluster of this file.
    pub fn ask_cluster(
        &self,
        file: &Path,
        program: &Path,
        sql: &str,
    ) -> Result<Rows, ClusterError> {
        let at = ClusterAt::read(file)?;
        if !at.answers() {
            return Err(ClusterError::Gone { address: at.address, path: file.to_path_buf() });
        }
        diya_query::bounded(sql).map_err(|error| ClusterError::Query(error.to_string()))?;
        let job = serde_json::json!({
            "token": at.token,
            "scheduler": at.address,
            "partitions": at.cores,
            "sql": sql,
            "tables": self.tables_for_others()?,
        });
        let failed = |source| ClusterError::Program { path: program.to_path_buf(), source };
        let mut client = Command::new(program)
            .arg("query")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        // A client that ended before it read its job says why on standard error.
        let _ = client.stdin.take().map(|mut input| writeln!(input, "{job}"));
        let messages = client.stderr.take().map(|mut errors| {
            std::thread::spawn(move || {
                let mut text = String::new();
                let _ = errors.read_to_string(&mut text);
                text
            })
        });
        let rows = client.stdout.take().map(|output| read(BufReader::new(output)));
        let status = client.wait().map_err(failed)?;
        let text = messages.and_then(|thread| thread.join().ok()).unwrap_or_default();
        match rows {
            Some(Ok(rows)) if status.success() => Ok(rows),
            Some(Err(error)) if status.success() => Err(ClusterError::Query(error.to_string())),
            _ if !at.answers() => {
                Err(ClusterError::Ended("the statement was not finished".to_owned()))
            }
            _ => Err(ClusterError::Query(in_words(&text))),
        }
    }
}

fn read(output: impl std::io::Read) -> Result<Rows, arrow::error::ArrowError> {
    let reader = StreamReader::try_new(output, None)?;
    let schema = reader.schema();
    Ok(Rows { schema, batches: reader.collect::<Result<_, _>>()? })
}

/// What a client said, without the engine's words about itself.
fn in_words(text: &str) -> String {
    const OWN: [&str; 4] =
        ["Error during planning: ", "Schema error: ", "SQL error: ", "Execution error: "];
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if said.is_empty() {
        return "its client ended without a word".to_owned();
    }
    let plain = OWN.iter().find_map(|prefix| said.strip_prefix(prefix)).unwrap_or(&said);
    plain.replace("datafusion.public.", "")
}
