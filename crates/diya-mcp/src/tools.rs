//! The tools: names, descriptions, arguments, and who answers.

use crate::answers::{Answer, Desk};
use crate::arguments::{
    CompareQuestion, ExplainQuestion, Logs, PlotQuestion, ReportQuestion, SqlQuestion,
};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Tools with their arguments: description, name, type of the arguments, and what answers.
macro_rules! tools {
    ($($name:literal $about:literal $args:ty => $run:expr,)*) => {
        /// All tools.
        pub fn list() -> Vec<Tool> {
            vec![$(
                Tool::new($name, $about, JsonObject::new())
                    .with_input_schema::<$args>()
                    .with_annotations(ToolAnnotations::new().read_only(true).open_world(false)),
            )*]
        }

        /// The answer of the tool with this name; `None`: there is none.
        pub fn answer(
            desk: &Desk,
            name: &str,
            arguments: JsonObject,
            is_cancelled: &dyn Fn() -> bool,
        ) -> Option<Answer> {
            match name {
                $($name => {
                    let run: fn(&Desk, &$args, &dyn Fn() -> bool) -> Answer = $run;
                    let asked = asked::<$args>($name, arguments);
                    Some(asked.and_then(|asked| run(desk, &asked, is_cancelled)))
                })*
                _ => None,
            }
        }
    };
}

tools! {
    "open" "What logs are: program, processes, run time, calls, bytes and time of each layer, and \
        what is missing in them. Start here." Logs => |desk, asked, _| desk.open(asked),
    "report" "Diagnosis of a job as text: where the run time went, findings with estimated savings \
        in seconds, evidence and fixes." ReportQuestion => |desk, asked, _| desk.report(asked),
    "findings" "The findings of a job as JSON: estimated saving in seconds with its range, files, \
        source lines, fixes, and how to verify them." Logs => |desk, asked, _| desk.findings(asked),
    "explain" "What a check, a table or a metric means, with columns and units; without a name, \
        all tables and metrics." ExplainQuestion => |desk, asked, _| desk.explain(asked),
    "sql" "Rows of a `select` statement on tables and metrics of logs, such as `call`, `file`, \
        `job_io`, `phase`. Names of columns end in their unit. Nothing can be changed."
        SqlQuestion => |desk, asked, is_cancelled| desk.sql(asked, is_cancelled),
    "compare" "What differs between two runs: whether B is faster than A by more than the \
        run-to-run variation, and why." CompareQuestion => |desk, asked, _| desk.compare(asked),
    "plot" "One view of a job as a PNG picture." PlotQuestion => |desk, asked, _| desk.plot(asked),
}

/// The arguments as a type, or what is wrong with them.
fn asked<T: DeserializeOwned>(name: &str, arguments: JsonObject) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|reason| format!("the arguments of `{name}` cannot be used: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Jobs;
    use diya::Threads;
    use diya::diagnose::CheckSet;

    fn desk() -> Desk {
        Desk { jobs: Jobs::new(Threads::new(1)), checks: CheckSet::builtin().unwrap() }
    }

    fn reason(name: &str, arguments: Value) -> String {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        answer(&desk(), name, arguments, &|| true).unwrap().unwrap_err()
    }

    #[test]
    fn every_tool_describes_its_arguments() {
        for tool in list() {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        assert!(reason("report", serde_json::json!({})).contains("missing field `logs`"));
        let text = reason("report", serde_json::json!({ "logs": ["a"], "detial": "brief" }));
        assert!(text.contains("unknown field `detial`"), "{text}");
        let text = reason("explain", serde_json::json!({ "name": "PX10" }));
        assert!(text.contains("nearest: PX10"), "{text}");
    }

    #[test]
    fn a_long_query_is_refused_before_it_is_read() {
        let query = "x".repeat(100_000);
        let text = reason("sql", serde_json::json!({ "logs": ["/nowhere"], "query": query }));
        assert!(text.starts_with("the query has 100000 bytes"), "{text}");
    }

    #[test]
    fn an_unknown_tool_has_no_answer() {
        assert!(answer(&desk(), "delete", JsonObject::new(), &|| true).is_none());
    }
}
