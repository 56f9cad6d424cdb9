//! Text in, samples out.

use super::*;

fn read(text: &str) -> Samples {
    let mut samples = Samples::default();
    samples.append("metrics", text).unwrap_or_else(|e| panic!("{e}"));
    samples
}

/// Name, unit, kind, direction, host, target, index of the target, samples.
fn shown(samples: &Samples) -> Vec<String> {
    let text = |of: Option<&str>| of.unwrap_or("-").to_owned();
    let line = |s: &Series| {
        let ost = s.ost_id.map_or("-".into(), |id| id.to_string());
        let [unit, op] = [text(s.unit.as_deref()), text(s.op)];
        let [host, target] = [text(s.host.as_deref()), text(s.target.as_deref())];
        let (name, kind) = (&s.name, s.kind.name());
        format!("{name} {unit} {kind} {op} {host} {target} {ost} {:?}", s.samples)
    };
    samples.set.series().iter().map(line).collect()
}

#[test]
fn an_answer_of_prometheus_is_read() {
    let json = r#"{"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"__name__": "lustre_write_bytes_total", "target": "fs-OST000e",
                    "instance": "oss1:9100"},
         "values": [[1700000000, "100"], [1700000060.5, "300"], [1700000120, "NaN"]]}]}}"#;
    let samples = "[(1700000000.0, 100.0), (1700000060.5, 300.0)]";
    let line = format!("lustre_write_bytes_total bytes counter write oss1 fs-OST000e 14 {samples}");
    assert_eq!(shown(&read(json)), [line]);
}

#[test]
fn open_metrics_are_read_up_to_their_end() {
    let text = "# TYPE disk_busy gauge\n# UNIT disk_busy ratio\n\
                disk_busy{host=\"a\\\"b\",op=\"read\"} 0.5 1700000060\n\
                disk_busy{host=\"a\\\"b\",op=\"read\"} 0.25 1700000000 # {id=\"7\"} 1\n\
                # EOF\nnonsense\n";
    let samples = "[(1700000000.0, 0.25), (1700000060.0, 0.5)]";
    assert_eq!(shown(&read(text)), [format!("disk_busy ratio gauge read a\"b - - {samples}")]);
}

#[test]
fn long_csv_is_read_with_its_labels() {
    let csv = "time,name,value,unit,kind,target\n\
               2023-11-14T22:13:20Z,rate,5,bytes/s,gauge,fs-OST00ff\n\
               1700000060000,rate,7,bytes/s,gauge,\"fs-OST00ff\"\n";
    let samples = "[(1700000000.0, 5.0), (1700000060.0, 7.0)]";
    assert_eq!(shown(&read(csv)), [format!("rate bytes/s gauge - - fs-OST00ff 255 {samples}")]);
}

#[test]
fn files_that_overlap_count_each_moment_once() {
    let mut samples = read("x_total 1 100\nx_total 2 200\n");
    samples.append("more", "x_total 2 200\nx_total 3 300\n").expect("is right");
    assert_eq!(samples.len(), 3);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, line) in [
        ("x_total 1 100\nx_total what 200\n", 2),
        ("x_total 1\n", 1),
        ("x_total{a=\"b 1 100\n", 1),
        ("{a} 1 100\n", 1),
        ("time,name,value\n1,a,x\n", 2),
        ("time,name,value\n1,a\n", 2),
        ("time,name,value\nnever,a,1\n", 2),
        ("{\"status\": \"error\", \"error\": \"too many samples\"}", 1),
        ("{\"data\": {\n\"result\": [7]}}", 2),
        ("{\"result\": [\n{\"metric\": {\"__name__\": \"a\"}, \"values\": [[1, []]]}]}", 2),
        ("[1, 2", 1),
    ] {
        let read = Samples::default().append("f", text);
        match read {
            Err(ContextError::Format { line: found, .. }) => assert_eq!(found, line, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn hostile_bytes_never_panic() {
    let seeds = [
        "{\"data\":{\"result\":[{\"metric\":{\"a\":\"b\"},\"values\":[[1,\"2\"]]}]}}",
        "a_total{b=\"c\\\\d\"} 1 2 # {x=\"y\"} 3\n# EOF\n",
        "time,name,value,é\n\"1\"\"\",a,2,ü\n",
    ];
    for seed in seeds {
        for cut in (0..seed.len()).filter(|at| seed.is_char_boundary(*at)) {
            for sign in ["", "\"", "}", "\\", "é", "9e999", ",", "{"] {
                let text = format!("{}{sign}{}", &seed[..cut], &seed[cut..]);
                let _ = Samples::default().append("f", &text);
                let _ = Samples::default().append("f", &text[..cut]);
                let _ = crate::context::Topology::parse("f", &text);
            }
        }
    }
}

#[test]
fn a_run_gets_its_samples_and_one_to_either_side() {
    let samples =
        read("x_total 1 100\nx_total 2 200\nx_total 3 300\nx_total 4 400\nx_total 5 500\n");
    let mut tables = Tables::new();
    let series = &samples.set.series()[0];
    push(&Run { log: 7, start_s: 250.0, end_s: 350.0 }, 0, series, &mut tables);
    let table = tables.take(TableId::ServerMetric).expect("has rows");
    let time = table.def().column("time_s").expect("is there");
    let times: Vec<_> = (0..table.rows()).filter_map(|row| table.f64(time, row)).collect();
    assert_eq!(times, [-50.0, 50.0, 150.0]);
}
