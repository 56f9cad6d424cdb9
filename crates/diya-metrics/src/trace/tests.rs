//! Text in, rows out.

use super::calls::Call;
use super::{Computation, phases::Phases};
use crate::Catalog;
use diya_tables::{Layer, Op, TableBuilder};

/// `rank layer op offset size start end`, one call per line; `-`: no place.
fn calls(text: &str) -> Vec<Call> {
    let call = |line: &str| {
        let w: Vec<&str> = line.split_whitespace().collect();
        let (start_s, end_s) = (w[5].parse().expect("start"), w[6].parse().expect("end"));
        Call {
            log: 0,
            rank: w[0].parse().expect("rank"),
            layer: Layer::from_name(w[1]).expect("layer"),
            op: Op::from_name(w[2]).expect("op"),
            file_id: 7,
            offset: w[3].parse().ok(),
            size_bytes: w[4].parse().expect("size"),
            start_s,
            end_s,
            busy_s: end_s - start_s,
            calls: 1,
        }
    };
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(call).collect()
}

fn table(name: &str) -> TableBuilder {
    let metric = Catalog::built_in().get(name).expect("is there");
    assert_eq!(metric.computation, Computation::named(name));
    TableBuilder::new(metric.def)
}

/// The cell in a row of the column with this name, as text.
fn cell(table: &TableBuilder, row: usize, name: &str) -> String {
    let column = table.def().column(name).unwrap_or_else(|| panic!("no column {name}"));
    let number = |n: f64| ((n * 1e6).round() / 1e6).to_string();
    table
        .i64(column, row)
        .map(|n| n.to_string())
        .or_else(|| table.i32(column, row).map(|n| n.to_string()))
        .or_else(|| table.f64(column, row).map(number))
        .or_else(|| table.str(column, row).map(str::to_owned))
        .unwrap_or_else(|| "null".into())
}

fn rows(table: &TableBuilder, columns: &str) -> Vec<String> {
    let names: Vec<&str> = columns.split_whitespace().collect();
    let row = |row| names.iter().map(|name| cell(table, row, name)).collect::<Vec<_>>().join(" ");
    (0..table.rows()).map(row).collect()
}

const TWO_BURSTS: &str = "
    0 posix write 0    100 1.0  1.5
    1 posix write 100  100 1.0  1.2
    2 posix write 200  100 1.1  3.0
    0 posix read  0    50  20.0 20.5
    1 posix read  0    50  20.1 20.7
";

#[test]
fn a_long_pause_of_all_ranks_ends_a_phase() {
    let mut phase = table("phase");
    Phases::of(&calls(TWO_BURSTS)).write(&mut phase);
    assert_eq!(
        rows(&phase, "phase start_s end_s busy_s pause_before_s bytes_read bytes_written ranks"),
        ["0 1 3 2 null 0 300 3", "1 20 20.7 0.7 17 100 0 2"]
    );
}

#[test]
fn one_call_is_one_phase() {
    let mut phase = table("phase");
    Phases::of(&calls("0 posix write 0 10 1 2")).write(&mut phase);
    assert_eq!(rows(&phase, "phase calls ranks gap_limit_s"), ["0 1 1 null"]);
}

#[test]
fn opens_are_in_no_phase() {
    assert!(Phases::of(&calls("0 posix open - 0 1 2")).phases.is_empty());
}

#[test]
fn the_last_rank_makes_the_others_wait() {
    let mut stragglers = table("phase_straggler");
    super::stragglers::write(&Phases::of(&calls(TWO_BURSTS)), &mut stragglers);
    let columns = "phase slowest_rank slowest_io_s fastest_rank median_io_s last_rank waited_s";
    assert_eq!(rows(&stragglers, columns), ["0 2 1.9 1 0.5 2 1.5", "1 1 0.6 0 0.55 1 0.1"]);
}

#[test]
fn each_rank_of_a_phase_has_its_longest_call() {
    let mut ranks = table("phase_rank");
    let text = "0 posix write 0 9 1 2\n0 posix write 0 4 2 5\n1 posix write 0 1 1 2";
    Phases::of(&calls(text)).write_ranks(&mut ranks);
    assert_eq!(
        rows(&ranks, "rank calls bytes io_s longest_s longest_bytes"),
        ["0 2 13 4 3 4", "1 1 1 1 1 1"]
    );
}

#[test]
fn bytes_moved_twice_are_told_apart_by_rank() {
    let mut redundancy = table("redundancy");
    // Rank 0 reads 0..100 twice, rank 1 reads 50..150 once.
    let text = "
        0 posix read 0  100 1 2
        0 posix read 0  100 2 3
        1 posix read 50 100 1 2
        0 posix write 0 10 5 6
    ";
    super::redundancy::compute(&calls(text), &mut redundancy);
    let columns = "op ranks calls extents bytes unique_bytes redundant_bytes same_rank_bytes \
                   across_ranks_bytes";
    assert_eq!(
        rows(&redundancy, columns),
        ["read 2 3 2 300 150 150 100 50", "write 1 1 1 10 10 0 0 0"]
    );
}

#[test]
fn time_below_a_layer_is_not_its_own() {
    let mut exclusive = table("exclusive_time");
    let text = "
        0 mpiio write 0 10 0 10
        0 posix write 0 10 2 5
        0 posix write 0 10 4 6
        0 stdio write 0 10 9 12
    ";
    super::exclusive::compute(&calls(text), &mut exclusive);
    assert_eq!(
        rows(&exclusive, "layer calls time_s busy_s exclusive_s"),
        ["mpiio 1 10 10 5", "posix 2 5 4 4", "stdio 1 3 3 3"]
    );
}

#[test]
fn several_ranks_that_sit_in_one_call_each_are_named_together() {
    use std::fmt::Write as _;
    let mut text = String::new();
    for rank in 0..30 {
        let start = f64::from(rank) * 0.001;
        writeln!(text, "{rank} posix write {rank}000 500 {start} {}", start + 0.002).expect("text");
    }
    text.push_str("7 posix write 9000 500 0.1 0.7\n8 posix write 9500 500 0.1 0.6\n");
    let calls = calls(&text);
    let mut table = table("stuck_call");
    super::stuck::write(&calls, &Phases::of(&calls), &mut table);
    let found = rows(&table, "phase rank calls longest_s longest_bytes stuck_ranks phase_ranks");
    assert_eq!(found, ["1 7 1 0.6 500 2 2", "1 8 1 0.5 500 2 2"]);
}

#[test]
fn a_class_of_few_calls_tells_no_expectation() {
    let calls = calls("0 posix write 0 500 0 0.002\n1 posix write 500 500 0 0.5\n");
    let mut table = table("stuck_call");
    super::stuck::write(&calls, &Phases::of(&calls), &mut table);
    assert_eq!(table.rows(), 0);
}
