//! Questions and answers as they are on the wire.

use super::notation::store;
use crate::{AreaQuestion, Filter, Orders, Place, Question, ReportQuestion, answer, area};
use serde_json::Value;

const TRACE: &str = "
    0 mpiio write a 0.0-4.0 0+200
    0 posix write a 0.5-1.5 0+100
    1 posix read  b 0.5-1.5 0+100
";

/// Head of the answer, and the bytes behind it.
fn ask(orders: &Orders, question: &str) -> (Value, Vec<u8>) {
    let question = Question::parse(question.as_bytes()).unwrap();
    let bytes = answer(&store(TRACE), orders, &question).unwrap().bytes();
    assert_eq!(&bytes[..4], b"DYA1");
    let head = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let columns = bytes[(8 + head).next_multiple_of(8)..].to_vec();
    (serde_json::from_slice(&bytes[8..8 + head]).unwrap(), columns)
}

fn f32s(column: &Value, bytes: &[u8]) -> Vec<f32> {
    let part = |at: usize| column["$column"][at].as_u64().unwrap() as usize;
    assert_eq!(column["$column"][0], "f32");
    let bytes = &bytes[part(1)..part(1) + part(2) * 4];
    bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

const TILE: &str = r#"{"method":"tile","filter":{"layers":["posix"]},
    "x":{"of":"time","from":0,"to":2,"cells":2,"log":false},
    "y":{"of":"track","from":0,"to":2,"cells":2,"log":false},
    "planes":["busy_read","busy_write","longest"],"order":ORDER}"#;

#[test]
fn a_tile_comes_as_columns() {
    let orders = Orders::default();
    let (head, columns) = ask(&orders, &TILE.replace("ORDER", "null"));
    assert_eq!((&head["width"], &head["is_exact"]), (&Value::from(2), &Value::from(true)));
    assert_eq!(f32s(&head["planes"]["busy_write"], &columns), [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(f32s(&head["planes"]["busy_read"], &columns), [0.0, 0.0, 0.5, 0.5]);
}

#[test]
fn an_order_is_remembered_by_its_id() {
    let orders = Orders::default();
    let by_id = TILE.replace("ORDER", r#"{"id":"o1","tracks":null}"#);
    assert_eq!(ask(&orders, &by_id).0["error"], "unknown order");
    ask(&orders, &TILE.replace("ORDER", r#"{"id":"o1","tracks":[1,0,77]}"#));
    let (head, columns) = ask(&orders, &by_id);
    assert_eq!(f32s(&head["planes"]["busy_write"], &columns), [0.0, 0.0, 0.5, 0.5]);
}

#[test]
fn a_call_comes_with_what_it_became() {
    let question = r#"{"method":"nearest_call","filter":{},"track":0,"at_s":3,"tolerance_s":0}"#;
    let (head, _) = ask(&Orders::default(), question);
    let detail = &head["detail"];
    assert_eq!(detail["calls"]["count"], 2);
    assert_eq!(
        (&detail["is_nesting_inferred"], &detail["is_collective"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(detail["targets"], serde_json::json!([10, 11]));
}

#[test]
fn what_cannot_be_answered_is_said_in_words() {
    let orders = Orders::default();
    let error = |question: &str| ask(&orders, question).0["error"].as_str().unwrap().to_owned();
    assert_eq!(error(r#"{"method":"call","index":99}"#), "there is no call 99");
    assert!(
        error(&TILE.replace("ORDER", "null").replace("\"to\":2", "\"to\":0")).contains("empty")
    );
    let wrong = TILE.replace("ORDER", "null").replace("longest", "shortest");
    assert!(Question::parse(wrong.as_bytes()).unwrap_err().contains("shortest"));
    assert!(answer(&store(TRACE), &orders, &Question::Report(ReportQuestion {})).is_none());
}

#[test]
fn describe_tells_what_there_is() {
    let (head, _) = ask(&Orders::default(), r#"{"method":"describe"}"#);
    assert_eq!(head["layers"], serde_json::json!(["mpiio", "posix"]));
    assert_eq!(head["op_kinds"], serde_json::json!(["read", "write"]));
    assert_eq!(head["holding"]["kind"], "all");
    assert_eq!(head["files"][1]["path"], "b");
    assert_eq!(head["files"][1]["stripe_count"], 2);
    assert_eq!(head["window"]["end_s"], 4.0);
}

#[test]
fn layers_that_stand_side_by_side_both_count() {
    let trace = "
        0 posix write a 0.0-1.0 0+100
        0 stdio write b 2.0-4.0 0+50
    ";
    let store = store(trace);
    let question = Question::AreaStatistics(AreaQuestion { top: 5, ..AreaQuestion::default() });
    let bytes = answer(&store, &Orders::default(), &question).unwrap().bytes();
    let head = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&bytes[8..8 + head]).unwrap();
    assert_eq!(
        (&head["tracks"][0]["time_s"], &head["tracks"][0]["bytes"]),
        (&3.0.into(), &150.0.into())
    );
}

#[test]
fn calls_are_found_by_function_error_and_duration() {
    let mut store = store(TRACE);
    store.functions = vec!["pwrite64".to_owned()];
    store.errors = vec!["ENOSPC".to_owned()];
    let write = store.ops.iter().position(|op| op == "write").unwrap();
    (store.forms[write].function, store.forms[write].error) = (Some(0), Some(0));
    let found = |filter: &str| {
        let question = format!(r#"{{"method":"calls","filter":{filter},"by":"start","limit":9}}"#);
        let question = Question::parse(question.as_bytes()).unwrap();
        let bytes = answer(&store, &Orders::default(), &question).unwrap().bytes();
        let head = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&bytes[8..8 + head]).unwrap();
        head["count_in_all"].as_u64().unwrap()
    };
    let area = area(&store, &Filter::default(), 9);
    let of: Vec<(u8, &str, u64)> = (area.functions.iter())
        .map(|row| (row.layer, row.name.as_str(), row.total.calls))
        .collect();
    assert_eq!(of, [(0, "pwrite64", 1), (1, "pwrite64", 1), (1, "read", 1)]);
    assert_eq!(found(r#"{"functions":["pwrite64"]}"#), 2);
    // Without the name of a function a call has the name of its operation.
    assert_eq!(found(r#"{"functions":["read","write"]}"#), 1);
    assert_eq!(found(r#"{"functions":[]}"#), 0);
    assert_eq!(found(r#"{"errors":["ENOSPC"]}"#), 2);
    assert_eq!(found(r#"{"errors":["EIO"]}"#), 0);
    assert_eq!(found(r#"{"longer_s":1.0}"#), 1);
    assert_eq!(found(r#"{"longer_s":0.999}"#), 3);
    assert_eq!(found(r#"{"longer_s":-1}"#), 3);
    assert_eq!(found(r#"{"functions":["pwrite64"],"layers":["posix"],"longer_s":0.5}"#), 1);
    assert_eq!(found(r#"{"frame":"main"}"#), 0, "no call of this trace has a stack");
    assert_eq!(found(r#"{"regions":["solve"]}"#), 0, "no call of this trace is in a region");
}

#[test]
fn calls_are_found_by_region_and_step() {
    let mut store = store(TRACE);
    store.regions = vec!["save".to_owned(), "solve".to_owned()];
    let place = |regions: &[u32], step| Place { regions: regions.to_vec(), step };
    store.places = vec![place(&[0, 1], Some(3)), place(&[1], Some(4))];
    store.calls.place = vec![0, 1, crate::NONE];
    let store = crate::pack::unpack(&crate::pack::pack(&store, Default::default())).unwrap();
    let found = |filter: &str| {
        let question = format!(r#"{{"method":"calls","filter":{filter},"by":"start","limit":9}}"#);
        let question = Question::parse(question.as_bytes()).unwrap();
        let bytes = answer(&store, &Orders::default(), &question).unwrap().bytes();
        let head = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&bytes[8..8 + head]).unwrap();
        head["count_in_all"].as_u64().unwrap()
    };
    assert_eq!(found(r#"{"regions":["solve"]}"#), 2, "at any depth");
    assert_eq!(found(r#"{"regions":["save"]}"#), 1);
    assert_eq!(found(r#"{"regions":["other"]}"#), 0);
    assert_eq!(found(r#"{"steps":[9,4]}"#), 1);
    assert_eq!(found(r#"{"regions":["save"],"steps":[4]}"#), 0);
    assert_eq!(found("{}"), 3);
    assert_eq!(store.steps(), Some((3, 4)));
}

#[test]
fn calls_are_found_by_size_and_by_a_frame_of_their_stack() {
    let mut store = store(TRACE);
    let sizes: Vec<u64> = (0..store.calls.len()).map(|c| store.calls.size_bytes.value(c)).collect();
    let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
    let of_size = |range: std::ops::Range<u64>| {
        let filter = Filter { sizes_bytes: Some(range), ..Filter::default() };
        let calls = |stream| filter.calls(&store, stream).count();
        filter.streams(&store).map(|stream| calls(*stream)).sum::<usize>()
    };
    let counted = |range: std::ops::Range<u64>| sizes.iter().filter(|s| range.contains(s)).count();
    for range in [0..u64::MAX, *most..most + 1, 0..*most, *least..*least] {
        assert_eq!(of_size(range.clone()), counted(range));
    }
    store.stacks = vec![vec!["write".to_owned(), "main".to_owned()], vec!["main".to_owned()]];
    store.calls.stack = (0..store.calls.len()).map(|call| (call > 0).into()).collect();
    let question = |frame: &str| {
        let asked = format!(
            r#"{{"method":"calls","filter":{{"frame":"{frame}"}},"by":"start","limit":9}}"#
        );
        let bytes = answer(&store, &Orders::default(), &Question::parse(asked.as_bytes()).unwrap());
        let bytes = bytes.unwrap().bytes();
        let head = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&bytes[8..8 + head]).unwrap();
        head["count_in_all"].as_u64().unwrap()
    };
    assert_eq!(question("main"), store.calls.len() as u64);
    assert_eq!([question("write"), question("exit")], [1, 0]);
}
