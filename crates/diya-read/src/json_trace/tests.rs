//! Events in, calls and regions out.

use crate::{Request, Selection, Serial, read};
use diya_tables::{
    Call, CallRun, TableId, Tables, counter_sample, file, job, op_count, process, read_issue,
    region,
};

fn tables(text: &str) -> Tables {
    let source = text.as_bytes().to_vec();
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "made.json",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a trace");
    tables
}

fn calls(tables: &Tables) -> Vec<(String, CallRun, Call)> {
    let mut all = Vec::new();
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            for call in at..at + run.len {
                let name = run.function.map_or("", |name| tables.calls.name(name));
                all.push((name.to_string(), *run, chunk.call(call)));
            }
            at += run.len;
        }
    }
    all
}

fn issues(tables: &Tables) -> Vec<String> {
    let Some(rows) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    (0..rows.rows()).filter_map(|row| Some(rows.str(read_issue::KIND, row)?.into())).collect()
}

fn regions(tables: &Tables) -> Vec<(String, f64, f64)> {
    let Some(rows) = tables.table(TableId::Region) else { return Vec::new() };
    let row = |row| {
        let times = (rows.f64(region::START_S, row)?, rows.f64(region::END_S, row)?);
        Some((rows.str(region::NAME, row)?.to_string(), times.0, times.1))
    };
    (0..rows.rows()).filter_map(row).collect()
}

#[test]
fn a_call_is_an_event_of_an_io_layer_or_with_a_file_and_the_rest_are_regions() {
    let text = concat!(
        r#"{"displayTimeUnit":"ms","traceEvents":[
{"ph":"M","name":"process_name","pid":1,"args":{"name":"train"}},
{"ph":"X","name":"pread","cat":"posix","ts":10,"dur":5,"pid":1,"tid":2,"#,
        r#""args":{"file":"/d/a","size_bytes":100,"offset_bytes":4096}},
{"ph":"X","name":"read","cat":"python","ts":20,"dur":5,"pid":1,"tid":2,"args":{}},
{"ph":"B","name":"step","cat":"loop","ts":0,"pid":1,"tid":2},
{"ph":"E","ts":40.5,"pid":1,"tid":2},
{"ph":"i","name":"mark","ts":41,"pid":1}
]}"#
    );
    let tables = tables(text);
    let all = calls(&tables);
    assert_eq!(all.len(), 1);
    let (name, run, call) = &all[0];
    assert_eq!((name.as_str(), run.has_offset, call.offset_bytes), ("pread", true, 4096));
    assert_eq!((call.size_bytes, call.requested_bytes, call.thread), (100, None, Some(2)));
    assert!((call.start_s - 10e-6).abs() < 1e-12 && (call.end_s - 15e-6).abs() < 1e-12);
    let expected = [("read".to_string(), 20e-6, 25e-6), ("step".to_string(), 0.0, 40.5e-6)];
    assert_eq!(regions(&tables), expected);
    assert_eq!(issues(&tables), ["misfit"]);
    let jobs = tables.table(TableId::Job).expect("a job");
    assert_eq!((jobs.str(job::FORMAT, 0), jobs.i64(job::START_TIME, 0)), (Some("chrome"), None));
    assert_eq!(jobs.str(job::EXE, 0), Some("train"));
}

/// Series, name, part, place and kind of each sample, its time and value.
fn samples(tables: &Tables) -> Vec<(String, f64, f64)> {
    let Some(rows) = tables.table(TableId::CounterSample) else { return Vec::new() };
    let text = |column, row| rows.str(column, row).unwrap_or("-").to_string();
    let row = |row| {
        let series = rows.i32(counter_sample::SERIES, row)?;
        let [name, part, host] = [counter_sample::NAME, counter_sample::PART, counter_sample::HOST]
            .map(|column| text(column, row));
        let rank = rows.i32(counter_sample::RANK, row)?;
        let of = format!("{series} {name} {part} rank {rank} {host}");
        Some((of, rows.f64(counter_sample::TIME_S, row)?, rows.f64(counter_sample::VALUE, row)?))
    };
    (0..rows.rows()).filter_map(row).collect()
}

#[test]
fn each_value_of_a_counter_is_a_series_in_the_order_of_time() {
    let text = r#"[
{"ph":"C","name":"memory","ts":20,"pid":1,"args":{"free":"2","used":7.5}},
{"ph":"C","name":"memory","ts":10,"pid":1,"args":{"used":3,"unit":"GB"}},
{"ph":"C","name":"load","ts":15,"pid":2,"id":"a","args":{"value":1}},
{"ph":"C","name":"nothing","ts":15,"pid":2}
]"#;
    let tables = tables(text);
    let row = |of: &str, time_s, value| (of.to_string(), time_s, value);
    let expected = [
        row("0 memory free rank 0 -", 10e-6, 2.0),
        row("1 memory used rank 0 -", 0.0, 3.0),
        row("1 memory used rank 0 -", 10e-6, 7.5),
        row("2 load[a] - rank 1 -", 5e-6, 1.0),
    ];
    assert_eq!(samples(&tables), expected);
    // The counter without a value.
    assert_eq!(issues(&tables), ["misfit"]);
}

#[test]
fn counters_of_dftracer_have_their_node() {
    let text = format!(
        "{DFTRACER}\n{}",
        concat!(
            r#"{"name":"cpu","cat":"psutil","type":7,"ts":1795444950833299,"ph":2,"pid":9,"tid":9,"#,
            r#""args":{"hhash":"68","user_pct":12.5}}"#
        )
    );
    let found = samples(&tables(&text));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0.as_str(), found[0].2), ("0 cpu user_pct rank 0 node1", 12.5));
}

#[test]
fn steps_of_a_profiler_of_pytorch_are_numbered() {
    let text = r#"[
{"ph":"X","name":"ProfilerStep#12","cat":"user_annotation","ts":0,"dur":10,"pid":1,"tid":2},
{"ph":"X","name":"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__","ts":4,"dur":6,"pid":1,"tid":2}
]"#;
    let tables = tables(text);
    let rows = tables.table(TableId::Region).expect("regions");
    let of = |row| {
        (
            rows.str(region::NAME, row),
            rows.str(region::CATEGORY, row),
            rows.i64(region::NUMBER, row),
        )
    };
    assert_eq!(of(0), (Some("ProfilerStep"), Some("step"), Some(12)));
    assert_eq!((of(1).1, of(1).2), (None, None));
}

#[test]
fn calls_inside_calls_have_parents() {
    let text = concat!(
        r#"[
{"ph":"X","name":"MPI_File_write_at","cat":"mpiio","ts":10,"dur":50,"pid":1,"tid":2,"#,
        r#""args":{"file":"/d/a","size_bytes":8}},
{"ph":"X","name":"pwrite","cat":"posix","ts":20,"dur":30,"pid":1,"tid":2,"args":{"file":"/d/a","size_bytes":8}}
]"#
    );
    let tables = tables(text);
    let all = calls(&tables);
    assert_eq!(all[1].2.parent_id, all[0].2.call_id);
    let sums = tables.table(TableId::OpCount).expect("sums");
    let of = |name| (0..sums.rows()).find(|row| sums.str(op_count::FUNCTION, *row) == Some(name));
    let outer = of("MPI_File_write_at").expect("its sums");
    let exclusive_s = sums.f64(op_count::EXCLUSIVE_S, outer).expect("a time");
    assert!((exclusive_s - 20e-6).abs() < 1e-12);
}

/// As DFTracer 2.2 writes it, shortened.
const DFTRACER: &str = concat!(
    r#"{"name":"HH","cat":"dftracer","type":1,"pid":9,"tid":9,"ph":4,"#,
    r#""args":{"hhash":"68","name":"node1","value":"68"}}
{"name":"FH","cat":"dftracer","pid":9,"tid":9,"ph":4,"args":{"hhash":"68","name":"/d","value":"01"}}
{"name":"SH","cat":"dftracer","pid":9,"tid":9,"ph":4,"args":{"hhash":"68","name":"./app;-n;2","value":"7d"}}
{"id":1,"name":"start","cat":"dftracer","pid":9,"tid":9,"ts":1795444950828524,"dur":0,"ph":1,"#,
    r#""args":{"hhash":"68","ppid":5,"cmd_hash":"7d","version":20003,"cwd":"01"}}
{"name":"FH","cat":"dftracer","pid":9,"tid":9,"ph":4,"args":{"hhash":"68","name":"data.bin","value":"10"}}
{"id":2,"name":"open","cat":"POSIX","pid":9,"tid":9,"ts":1795444950830793,"dur":2445,"ph":1,"#,
    r#""args":{"hhash":"68","flags":578,"fhash":"10"}}
{"id":3,"name":"write","cat":"POSIX","pid":9,"tid":9,"ts":1795444950833260,"dur":22,"ph":1,"#,
    r#""args":{"hhash":"68","ret":1000,"count":4096,"fhash":"10"}}
{"id":4,"name":"read","cat":"POSIX","pid":9,"tid":9,"ts":1795444950833290,"dur":7,"ph":1,"#,
    r#""args":{"hhash":"68","ret":-1,"count":4096,"fhash":"10"}}
{"id":5,"name":"step","cat":"TRAIN","pid":9,"tid":9,"ts":1795444950833300,"dur":10,"ph":1,"args":{"hhash":"68"}}
"#
);
const DFTRACER_END: &str = concat!(
    r#"{"id":6,"name":"end","cat":"dftracer","pid":9,"tid":9,"ts":1795444950859320,"dur":0,"ph":1,"#,
    r#""args":{"hhash":"68"}}
"#
);

#[test]
fn hashes_of_dftracer_become_paths_hosts_and_command_lines() {
    let tables = tables(&format!("{DFTRACER}{DFTRACER_END}"));
    let jobs = tables.table(TableId::Job).expect("a job");
    assert_eq!(jobs.str(job::FORMAT, 0), Some("dftracer"));
    assert_eq!(jobs.str(job::LIBRARY_VERSION, 0), Some("2.0.3"));
    assert_eq!(jobs.i64(job::START_TIME, 0), Some(1_795_444_950_828_524_000));
    let rows = tables.table(TableId::Process).expect("a process");
    assert_eq!(rows.str(process::COMMAND_LINE, 0), Some("./app -n 2"));
    assert_eq!(
        (rows.str(process::HOST, 0), rows.str(process::EXE, 0)),
        (Some("node1"), Some("./app"))
    );
    assert_eq!(rows.str(process::ENDED, 0), Some("exited"));
    let files = tables.table(TableId::File).expect("a file");
    assert_eq!(files.str(file::PATH, 0), Some("/d/data.bin"));
    let all = calls(&tables);
    let write = &all[1];
    assert_eq!((write.2.size_bytes, write.2.requested_bytes), (1000, Some(4096)));
    assert!(!write.1.has_offset && write.1.error.is_none());
    assert_eq!(all[2].1.error.map(|id| tables.calls.name(id)), Some("unknown"));
    assert_eq!((regions(&tables).len(), issues(&tables)), (1, Vec::new()));
}

#[test]
fn a_trace_that_is_cut_or_damaged_says_so() {
    assert_eq!(issues(&tables(DFTRACER)), ["unfinished"]);
    let (whole, _) = DFTRACER.split_at(DFTRACER.len() - 20);
    assert_eq!(issues(&tables(whole)), ["corrupt", "unfinished"]);
    let flipped = DFTRACER.replacen("\"ret\":1000", "\"ret\":10}0", 1);
    let tables = tables(&format!("{flipped}{DFTRACER_END}"));
    assert_eq!((issues(&tables), calls(&tables).len()), (vec!["corrupt".to_string()], 2));
    assert_eq!(issues(&super::tests::tables("[{\"ph\":\"X\",\"ts\":1,\"dur\":1}")), ["unfinished"]);
}

#[test]
fn early_versions_name_the_file_and_use_letters() {
    let text = "[\n{\"id\":\"0\",\"name\":\"open64\",\"cat\":\"POSIX\",\"pid\":\"4\",\"tid\":\"5\",\"ts\":1000,\
                \"dur\":3,\"ph\":\"X\",\"args\":{\"hostname\":\"n\",\"fname\":\"/d/a\",\"flags\":0}}\n";
    let tables = tables(text);
    let all = calls(&tables);
    assert_eq!((all[0].0.as_str(), all[0].2.aux, all[0].2.thread), ("open", Some(0), Some(5)));
}

#[test]
fn traces_of_tensorflow_have_steps() {
    let text = "[{\"ph\":\"X\",\"name\":\"train\",\"ts\":1,\"dur\":5,\"pid\":1,\"tid\":2,\
                \"args\":{\"step_num\":\"3\",\"_r\":\"1\"}}]";
    let tables = tables(text);
    let rows = tables.table(TableId::Region).expect("a region");
    assert_eq!(rows.str(region::CATEGORY, 0), Some("step"));
    assert_eq!((rows.str(region::NAME, 0), rows.i64(region::NUMBER, 0)), (Some("train"), Some(3)));
}

/// Bytes of the reads, and kinds of issues.
fn reads(text: &str) -> (Vec<i64>, Vec<String>) {
    let tables = tables(text);
    let all = calls(&tables).into_iter().filter(|(name, ..)| name == "read");
    (all.map(|(_, _, call)| call.size_bytes).collect(), issues(&tables))
}

#[test]
fn values_that_nobody_needs_cost_no_event() {
    let event = |rest: &str| {
        format!(
            r#"{{"ph":"X","cat":"posix","name":"read","pid":0,"tid":"s 7","ts":5,"dur":5,{rest}}}"#
        )
    };
    for rest in [
        r#""args":{"fname":"/a","ret":9,"x":nan,"y":-Infinity}"#,
        r#""args":{"fname":"/a","ret":9,},"#,
        r#""args":{"fname":"/a","ret":"9"},"args2":[1,]"#,
        r#""args":{"fname":"C:\data","ret":9.0},"tts":inf"#,
    ] {
        let text = format!("[{},{}]", event(rest), event(rest));
        assert_eq!(reads(&text), (vec![9, 9], vec![]), "{rest}");
    }
}

#[test]
fn times_can_be_texts_and_a_mark_can_come_first() {
    let text = "\u{feff}{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"posix\",\"name\":\"read\",\
                \"ts\":\"1000\",\"dur\":\"500.5\",\"args\":{\"fname\":\"/a\",\"ret\":\"4096\"}},{}]}";
    assert_eq!(reads(text), (vec![4096], vec![]));
    let tables = tables(text);
    let (_, _, call) = calls(&tables).remove(0);
    assert!((call.end_s - call.start_s - 500.5e-6).abs() < 1e-12);
}

#[test]
fn a_call_without_a_length_is_a_call() {
    let text = r#"[{"ph":"X","cat":"posix","name":"read","ts":5,"args":{"fname":"/a","ret":9}}]"#;
    assert_eq!(reads(text), (vec![9], vec!["untimed".to_string()]));
}

#[test]
fn members_behind_the_events_do_not_open_the_list_again() {
    assert_eq!(issues(&tables(r#"{"traceEvents":[],"x":{}}"#)), Vec::<String>::new());
    let text = r#"{"traceEvents":[{"ph":"X","name":"f","ts":1,"dur":1}],"x":{"a":[{}]},"y":"["}"#;
    assert_eq!(issues(&tables(text)), Vec::<String>::new());
    let text = r#"{"traceEvents":[{"ph":"X","name":"f","ts":1,"dur":1},"#;
    assert_eq!(issues(&tables(text)), ["unfinished"]);
}

#[test]
fn a_call_is_of_the_layer_that_its_category_names() {
    let text = concat!(
        r#"[{"ph":"X","cat":"mpiio","name":"write","ts":5,"dur":1,"args":{"file":"/a","ret":9}},"#,
        r#"{"ph":"X","cat":"posix","name":"write","ts":6,"dur":1,"args":{"file":"/a","ret":9}}]"#
    );
    let all = calls(&tables(text));
    let layers: Vec<_> = all.iter().map(|(_, run, _)| run.layer).collect();
    assert_eq!(layers, [diya_model::Layer::Mpiio, diya_model::Layer::Posix]);
}
