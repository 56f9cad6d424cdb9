//! What servers and machines write: OpenMetrics, `lctl`, dumps of LMT and TOKIO, topologies.

use diya::Threads;
use diya_fleet::{
    Anonymity, Dataset, IngestOptions, JoinOptions, Joined, Question, Source, ingest, join,
};
use diya_testkit::corpus_log;
use tempfile::TempDir;

fn dataset() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let options = IngestOptions {
        paths: vec![corpus_log("ior_mpiio_coll_hints.darshan")],
        system: "test".to_owned(),
        skips_findings: true,
        ..IngestOptions::default()
    };
    ingest(&folder.path().join("data"), &options).expect("ingested");
    folder
}

fn joined(folder: &TempDir, source: Source, name: &str, text: &[u8]) -> Joined {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    let options = JoinOptions {
        files: vec![(source, path)],
        system: "test".to_owned(),
        zone: jiff::tz::TimeZone::UTC,
        anonymity: Anonymity::default(),
    };
    join(&folder.path().join("data"), &options).expect("no file is fatal")
}

fn csv(folder: &TempDir, sql: &str) -> Vec<String> {
    let dataset = Dataset::open(&folder.path().join("data")).expect("a dataset");
    let rows = dataset.ask(Threads::new(1)).expect("readable").run(sql).expect("an answer");
    let mut text = Vec::new();
    diya_export::write_rows(&mut text, &rows, diya_export::ResultFormat::Csv).expect("CSV");
    let text = String::from_utf8(text).expect("text");
    text.lines().skip(1).map(str::to_owned).collect()
}

const METRICS: &str = "select cast(to_unixtime(start_time) as bigint) as s, server, metric, kind, \
    is_counter, value from server_metric order by s, server, metric";

const OPENMETRICS: &str = "\
# TYPE lustre_read_bytes counter
# HELP lustre_read_bytes Bytes read.
lustre_read_bytes_total{target=\"s-OST0001\",instance=\"oss1:9169\"} 1.5e9 1795173700.5
lustre_busy_ratio{instance=\"a \\\"b\\\"\"} 0.5 1795173700 # {trace=\"x\"} 1
lustre_busy_ratio{instance=\"oss1\"} 0.5
lustre_busy_ratio 0.5 1795173700
lustre_busy_ratio{instance=\"oss1 0.5 1795173700
# EOF
lustre_busy_ratio{instance=\"late\"} 1 1795173700
";

#[test]
fn openmetrics_has_a_row_for_each_value_with_a_time() {
    let folder = dataset();
    let done = joined(&folder, Source::Servers, "m.txt", OPENMETRICS.as_bytes());
    assert_eq!((done.rows, done.bad_lines), (2, 3));
    assert!(done.first_bad.expect("said").starts_with("line 5: no time stamp"));
    assert_eq!(
        csv(&folder, METRICS),
        [
            "1795173700,\"a \"\"b\"\"\",lustre_busy_ratio,busy,false,0.5",
            "1795173700,s-OST0001,lustre_read_bytes_total,read_bytes,true,1500000000.0",
        ]
    );
}

const LCTL: &str = "\
obdfilter.s-OST0001.stats=
snapshot_time             1795173700.25 secs.nsecs
read_bytes                12 samples [bytes] 4096 1048576 998877
statfs                    7 samples [usecs] 1 9 30
ping                      samples
obdfilter.s-OST0001.job_stats=
job_stats:
- job_id:          ior.500
  snapshot_time:   1795173700
  read_bytes:      { samples:           2, unit: bytes, min:    4096, max:    8192, sum:           12288 }
  write_bytes:     { samples:           0, unit: bytes, min:       0, max:       0, sum:               0 }
obdfilter.s-OST0001.brw_stats=
snapshot_time:         1795173700.25 (secs.nsecs)

                           read      |     write
disk I/O size          ios   % cum % |  ios         % cum %
4K:                     12  50  50   |    3   0   0
";

#[test]
fn lctl_gives_counters_of_servers_of_jobs_and_of_sizes() {
    let folder = dataset();
    let done = joined(&folder, Source::Servers, "lctl.txt", LCTL.as_bytes());
    assert_eq!((done.rows, done.bad_lines), (8, 1));
    let rows =
        csv(&folder, "select metric, kind, ost_id, value from server_metric order by metric");
    assert_eq!(
        rows,
        [
            "brw/disk_i_o_size/4K/read,other,1,12.0",
            "brw/disk_i_o_size/4K/write,other,1,3.0",
            "job/ior.500/read_bytes,other,1,12288.0",
            "job/ior.500/read_bytes_samples,other,1,2.0",
            "read_bytes,read_bytes,1,998877.0",
            "read_bytes_samples,read_bytes,1,12.0",
            "statfs_samples,requests,1,7.0",
            "statfs_usecs,requests,1,30.0",
        ]
    );
}

const LMT: &str = "\
CREATE TABLE `OST_DATA` (
  `OST_ID` int(10) NOT NULL,
  `TS_ID` int(10) unsigned NOT NULL,
  `READ_BYTES` bigint(20) DEFAULT NULL,
  `PCT_CPU` float DEFAULT NULL,
  PRIMARY KEY (`TS_ID`,`OST_ID`)
) ENGINE=MyISAM;
INSERT INTO `OST_DATA` VALUES (1,7,100,3.5),(2,7,NULL,1),(9,7,1,1);
INSERT INTO `OST_DATA` VALUES (1,8,'open;
CREATE TABLE `OST_INFO` (
  `OST_ID` int(10) NOT NULL,
  `OSS_ID` int(10) NOT NULL,
  `OST_NAME` varchar(128) DEFAULT NULL
) ENGINE=MyISAM;
INSERT INTO `OST_INFO` VALUES (1,1,'s-OST0001'),(2,1,'it\\'s, (odd)');
CREATE TABLE `TIMESTAMP_INFO` (
  `TS_ID` int(10) unsigned NOT NULL,
  `TIMESTAMP` datetime NOT NULL
) ENGINE=MyISAM;
INSERT INTO `TIMESTAMP_INFO` VALUES (7,'2026-11-20 11:21:40');
";

#[test]
fn a_dump_of_lmt_has_names_and_times_from_its_tables() {
    let folder = dataset();
    let done = joined(&folder, Source::Servers, "lmt.sql", LMT.as_bytes());
    assert_eq!((done.rows, done.bad_lines), (3, 2));
    assert_eq!(
        csv(&folder, METRICS),
        [
            "1795173700,\"it's, (odd)\",pct_cpu,busy,false,1.0",
            "1795173700,s-OST0001,pct_cpu,busy,false,3.5",
            "1795173700,s-OST0001,read_bytes,read_bytes,true,100.0",
        ]
    );
    let part = LMT.split("CREATE TABLE `TIMESTAMP_INFO`").next().expect("a part");
    let done = joined(&folder, Source::Servers, "part.sql", part.as_bytes());
    assert!(done.first_refused.expect("said").contains("TIMESTAMP_INFO"));
}

const TOKIO: &str = "\
HDF5 \"day.hdf5\" {
GROUP \"/\" {
   GROUP \"datatargets\" {
      DATASET \"readbytes\" {
         DATATYPE  H5T_IEEE_F64LE
         DATASPACE  SIMPLE { ( 2, 2 ) / ( 2, 2 ) }
         DATA {
         (0,0): 4096, -0,
         (1,0): 8192, 1
         }
         ATTRIBUTE \"columns\" {
            DATATYPE  H5T_STRING {
               STRSIZE 12;
            }
            DATASPACE  SIMPLE { ( 2 ) / ( 2 ) }
            DATA {
            (0): \"s-OST0001\", \"s-OST0002\"
            }
         }
      }
      DATASET \"timestamps\" {
         DATATYPE  H5T_STD_I64LE
         DATA {
         (0): 1795173700, 1795173705
         }
      }
   }
}
}
";

#[test]
fn h5dump_of_tokio_is_a_value_for_each_time_and_target() {
    let folder = dataset();
    let done = joined(&folder, Source::Servers, "tokio.txt", TOKIO.as_bytes());
    assert_eq!((done.rows, done.bad_lines), (3, 0));
    assert_eq!(
        csv(&folder, METRICS),
        [
            "1795173700,s-OST0001,readbytes,read_bytes,false,4096.0",
            "1795173705,s-OST0001,readbytes,read_bytes,false,8192.0",
            "1795173705,s-OST0002,readbytes,read_bytes,false,1.0",
        ]
    );
    let wrong = TOKIO.replace("(1,0): 8192, 1", "(1,0): 8192");
    let done = joined(&folder, Source::Servers, "wrong.txt", wrong.as_bytes());
    assert!(done.first_refused.expect("said").contains("h5dump"));
}

const SCONTROL: &str = "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-2]\n\
    SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n3.site.org\n\
    SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=s[1-2]\n";
const YAML: &str = "- topology: t\n  tree:\n    switches:\n      - switch: top\n        children: s[1-2]\n\
    \x20     - switch: s1\n        nodes: n[1-2]\n      - switch: s2\n        nodes: n3\n";

#[test]
fn forms_of_a_topology_give_the_same_places_once() {
    let folder = dataset();
    let conf =
        "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n3\nSwitchName=top Switches=s[1-2]\n";
    assert_eq!(joined(&folder, Source::Topology, "topology.conf", conf.as_bytes()).rows, 3);
    let done = joined(&folder, Source::Topology, "topology.yaml", YAML.as_bytes());
    assert_eq!((done.rows, done.old_rows), (0, 3));
    let sql = "select host, leaf, node_group from node_place order by host";
    assert_eq!(csv(&folder, sql), ["n1,s1,top", "n2,s1,top", "n3,s2,top"]);
    let other = dataset();
    let done = joined(&other, Source::Topology, "scontrol.txt", SCONTROL.as_bytes());
    assert_eq!((done.rows, csv(&other, sql)), (3, csv(&folder, sql)));
    for wrong in ["SwitchName=s1 Nodes=n[1-", "", "host,colour\nn1,red\n", "- nodes: n1\n"] {
        let done = joined(&folder, Source::Topology, "wrong", wrong.as_bytes());
        assert_eq!((done.refused, done.rows), (1, 0), "{wrong}");
    }
}

/// The question `slow-groups` over rows that are written here.
fn slow_groups(folder: &TempDir, of_slow: f64, hosts: usize, jobs: usize) -> Vec<String> {
    let all = Question::built_in().expect("readable");
    let question = all.iter().find(|of| of.name == "slow-groups").expect("it is there");
    let (mut places, mut ranks) = (Vec::new(), Vec::new());
    for at in 0..2 * hosts {
        let leaf = if at < hosts { "a" } else { "b" };
        places.push(format!("('sys', 'n{at}', '{leaf}', 'top', 'rack', 1, 1)"));
        // What was said before does not count.
        places.push(format!("('sys', 'n{at}', 'old', 'top', 'rack', 0, 2)"));
        for job in 0..jobs {
            let io_s = if leaf == "a" { of_slow } else { 1.0 };
            ranks.push(format!("('sys', {job}, 'n{at}.site.org', {at}, {io_s:?}, 1000)"));
        }
    }
    let rows = format!(
        "with node_place(system, host, leaf, node_group, enclosure, start_time, row_hash) \
           as (values {}), \
         rank_host(system, log_hash, host, rank, io_s, bytes) as (values {}), node as (",
        places.join(", "),
        ranks.join(", ")
    );
    let sql = question.statement(&[]).expect("no parameter is set");
    csv(folder, &sql.replacen("with node as (", &rows, 1))
}

#[test]
fn a_slow_group_needs_three_hosts_a_ratio_and_more_than_one_job() {
    let folder = dataset();
    assert_eq!(slow_groups(&folder, 2.0, 3, 2), ["sys,leaf,a,3,2,2,2.0"]);
    for (slow, hosts, jobs) in [(1.4, 3, 2), (2.0, 2, 2), (2.0, 3, 1)] {
        assert!(slow_groups(&folder, slow, hosts, jobs).is_empty(), "{slow} {hosts} {jobs}");
    }
}

/// Cut and overwritten files end with rows or a reason, never with an error or a panic.
#[test]
fn damaged_files_are_never_fatal() {
    let folder = dataset();
    for (source, text) in [
        (Source::Servers, OPENMETRICS),
        (Source::Servers, LCTL),
        (Source::Servers, LMT),
        (Source::Servers, TOKIO),
        (Source::Topology, SCONTROL),
        (Source::Topology, YAML),
    ] {
        for at in (0..text.len()).step_by(101) {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = [0, 255, b'(', b'{', b'"', b'\''][at % 6];
            let done = joined(&folder, source, &format!("flip{at}"), &bytes);
            assert_eq!(done.files + done.known + done.refused, 1);
            joined(&folder, source, &format!("cut{at}"), &text.as_bytes()[..at]);
        }
    }
}
