//! Text in, rows out.

use super::calls::Calls;
use super::exclusive::Exclusive;
use super::phases::Phases;
use super::redundancy::Extents;
use crate::Catalog;
use crate::peers::Peers;
use diya_tables::TableBuilder;

fn calls(text: &str) -> Calls {
    Calls::from_text(text)
}

fn table(name: &str) -> TableBuilder {
    let metric = Catalog::built_in().get(name).expect("is there");
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
        .or_else(|| table.u64(column, row).map(|n| n.to_string()))
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
    Phases::of(&calls(TWO_BURSTS)).write(&Peers::default(), &mut phase);
    assert_eq!(
        rows(&phase, "phase start_s end_s busy_s pause_before_s bytes_read bytes_written ranks"),
        ["0 1 3 2 null 0 300 3", "1 20 20.7 0.7 17 100 0 2"]
    );
}

#[test]
fn thousands_of_steps_are_counted_across_epochs() {
    // Three epochs of 1000 steps each: two reads, and 30 ms of computing.
    let step = |i: u32| {
        let at = f64::from(i) * 0.032 + f64::from(i / 1000) * 10.0;
        let read = |from: f64| format!("0 posix read 0 100 {from} {}\n", from + 1e-3);
        read(at) + &read(at + 1e-3)
    };
    let calls = calls(&(0..3000).map(step).collect::<String>());
    let (mut phase, mut steps) = (table("phase"), table("step_summary"));
    Phases::of(&calls).write(&Peers::default(), &mut phase);
    super::steps::write(&Phases::of(&calls), &mut steps);
    assert_eq!(phase.rows(), 3);
    assert_eq!(rows(&steps, "layer steps period_s busy_s step_bytes"), ["posix 3000 0.032 6 200"]);
}

#[test]
fn a_few_phases_are_no_steps() {
    assert!(Phases::of(&calls(TWO_BURSTS)).steps.is_empty());
}

#[test]
fn one_call_is_one_phase() {
    let mut phase = table("phase");
    Phases::of(&calls("0 posix write 0 10 1 2")).write(&Peers::default(), &mut phase);
    assert_eq!(rows(&phase, "phase calls ranks gap_limit_s"), ["0 1 1 null"]);
}

#[test]
fn opens_are_in_no_phase() {
    assert!(Phases::of(&calls("0 posix open - 0 1 2")).phases.is_empty());
}

#[test]
fn the_last_rank_makes_the_others_wait() {
    let mut stragglers = table("phase_straggler");
    super::stragglers::write(&Phases::of(&calls(TWO_BURSTS)), &Peers::default(), &mut stragglers);
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
    Extents::of(&calls(text)).write_redundancy(&mut redundancy);
    let columns = "op ranks calls extents bytes unique_bytes redundant_bytes same_rank_bytes \
                   across_ranks_bytes";
    assert_eq!(
        rows(&redundancy, columns),
        ["read 2 3 2 300 150 150 100 50", "write 1 1 1 10 10 0 0 0"]
    );
}

#[test]
fn what_another_rank_has_written_since_is_new_data() {
    let refreshed = |text: &str| {
        let mut redundancy = table("redundancy");
        Extents::of(&calls(text)).write_redundancy(&mut redundancy);
        rows(&redundancy, "redundant_bytes refreshed_bytes").remove(0)
    };
    // Two ranks add to one record in turns; rank 0 reads once more what it wrote itself.
    let turns = "
        0 posix read  0 100 1 2
        0 posix write 0 100 2 3
        1 posix read  0 100 3 4
        1 posix write 0 100 4 5
        0 posix read  0 100 5 6
        0 posix write 0 100 6 7
        0 posix read  0 100 7 8
    ";
    assert_eq!(refreshed(turns), "300 200");
    // Writes to another place do not make data new.
    let apart = "
        0 posix read  0   100 1 2
        1 posix write 500 100 2 3
        0 posix read  0   100 3 4
    ";
    assert_eq!(refreshed(apart), "100 0");
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
    let calls = calls(text);
    Exclusive::of(&calls, &Phases::of(&calls)).write(&mut exclusive);
    assert_eq!(
        rows(&exclusive, "layer calls time_s busy_s exclusive_s"),
        ["mpiio 1 10 10 5", "posix 2 5 4 4", "stdio 1 3 3 3"]
    );
}

#[test]
fn time_of_a_file_in_a_layer_is_without_that_of_the_layers_below() {
    let mut files = table("file_exclusive");
    let text = "
        0 mpiio write 0 10 0  10 1
        0 mpiio write 0 10 20 30 2
        0 posix write 0 10 2  5  1
        1 posix write 0 10 20 30 2
    ";
    let calls = calls(text);
    Exclusive::of(&calls, &Phases::of(&calls)).write_files(&mut files);
    assert_eq!(
        rows(&files, "file_id layer time_s exclusive_s"),
        ["1 posix 3 3", "1 mpiio 10 7", "2 posix 10 10", "2 mpiio 10 10"]
    );
}

#[test]
fn requests_are_told_apart_by_where_they_go() {
    let mut pattern = table("file_rank_pattern");
    // First; consecutive; forward; back to the same bytes; consecutive.
    let text = "
        0 posix write 0   10 0 1
        0 posix write 10  10 1 2
        0 posix write 90  10 2 3
        0 posix write 90  10 3 4
        0 posix write 100 10 4 6
    ";
    super::pattern::compute(&calls(text), &mut pattern);
    let columns = "calls consecutive_calls consecutive_s forward_calls backward_calls \
                   repeated_calls strided_calls stride_bytes";
    assert_eq!(rows(&pattern, columns), ["5 2 3 1 1 1 0 null"]);
}

#[test]
fn a_step_back_inside_or_beside_the_request_before_is_near() {
    let mut pattern = table("file_rank_pattern");
    let text = "
        0 posix read 1000 100 0 1
        0 posix read 1010 100 1 2
        0 posix read 910  100 2 4
        0 posix read 809  100 4 5
    ";
    super::pattern::compute(&calls(text), &mut pattern);
    assert_eq!(rows(&pattern, "backward_calls backward_s near_calls near_s"), ["3 4 2 3"]);
}

#[test]
fn a_fixed_distance_is_a_stride_from_its_third_request_on() {
    let mut pattern = table("file_rank_pattern");
    let text = "
        3 posix read 0   10 0 1
        3 posix read 100 10 1 2
        3 posix read 200 10 2 3
        3 posix read 300 10 3 4
        3 posix read 307 10 4 5
    ";
    super::pattern::compute(&calls(text), &mut pattern);
    let columns = "rank forward_calls backward_calls strided_calls strided_s stride_bytes";
    assert_eq!(rows(&pattern, columns), ["3 3 1 3 3 100"]);
}

#[test]
fn requests_of_several_threads_are_put_in_order() {
    let mut pattern = table("file_rank_pattern");
    let text = "
        0 posix read 0  10 0 1 7 0
        0 posix read 20 10 2 3 7 0
        0 posix read 10 10 1 2 7 1
        0 posix read 30 10 3 4 7 1
    ";
    super::pattern::compute(&calls(text), &mut pattern);
    assert_eq!(rows(&pattern, "calls consecutive_calls backward_calls"), ["4 3 0"]);
}

#[test]
fn each_rank_in_its_own_stretch_is_not_interleaved() {
    let mut interleave = table("file_interleave");
    let segmented = "
        0 posix write 0       1048576 0 1
        1 posix write 1048576 1048576 0 1
        2 posix write 2097152 1048576 0 1
    ";
    Extents::of(&calls(segmented)).write_interleave(&mut interleave);
    let columns = "ranks parts switches interleave_ratio blocks contended_blocks";
    assert_eq!(rows(&interleave, columns), ["3 3 2 0 3 0"]);
}

#[test]
fn ranks_in_turn_share_their_blocks() {
    let mut interleave = table("file_interleave");
    let strided = "
        0 posix write 0   100 0 1
        1 posix write 100 100 0 1
        0 posix write 200 100 1 2
        1 posix write 300 100 1 2
        1 posix write 2000000 100 2 3
    ";
    Extents::of(&calls(strided)).write_interleave(&mut interleave);
    let columns = "parts switches interleave_ratio blocks contended_blocks";
    assert_eq!(rows(&interleave, columns), ["5 3 0.666667 2 1"]);
}

#[test]
fn extents_that_cost_the_most_time_come_first() {
    let mut again = table("redundant_extent");
    let text = "
        0 posix read 0   10 0 1
        4 posix read 0   10 0 1
        3 posix read 500 10 0 9
        3 posix read 500 10 9 12
        0 posix read 900 10 0 99
    ";
    Extents::of(&calls(text)).write_again(&mut again);
    assert_eq!(
        rows(&again, "position offset_bytes calls ranks first_rank time_s"),
        ["1 500 2 1 3 12", "2 0 2 2 0 2"]
    );
}

#[test]
fn a_thread_that_is_free_leaves_the_io_in_the_background() {
    let mut overlap = table("overlap");
    let text = "
        0 posix write 0 10 0 4 7 0
        0 posix write 0 10 3 9 7 1
        1 posix write 0 10 0 5 7 2
    ";
    super::overlap::compute(&calls(text), &mut overlap);
    assert_eq!(
        rows(&overlap, "rank threads most_at_once io_s summed_s blocking_s background_s"),
        ["0 2 2 9 10 1 8", "1 1 1 5 5 5 0"]
    );
}

#[test]
fn a_slow_node_stands_out_among_requests_alike() {
    // Large requests take long everywhere: that is not what makes a node slow.
    let line = |rank: usize, size: usize, seconds: f64, at: usize| {
        let host = if rank < 4 { "a" } else { "b" };
        format!("{rank} posix read 0 {size} {at} {} 7 {rank} {host}\n", at as f64 + seconds)
    };
    let mut text = String::new();
    for rank in 0..8 {
        let times = if rank < 4 { 1.0 } else { 8.0 };
        (0..5).for_each(|at| text.push_str(&line(rank, 100, 0.001 * times, at)));
        (5..8).for_each(|at| text.push_str(&line(rank, 1 << 20, 0.1 * times, at)));
        (8..14).for_each(|at| text.push_str(&line(0, 100, 0.001, at)));
    }
    let latencies = super::latency::Latencies::of(&calls(&text));
    let (mut hosts, mut tests) = (table("host_latency"), table("latency_test"));
    latencies.write_hosts(&mut hosts);
    latencies.write_tests(&[], &mut tests);
    let slowdown = |row| hosts.f64(hosts.def().column("slowdown_ratio").expect("is there"), row);
    assert_eq!(rows(&hosts, "host ranks calls"), ["a 4 80", "b 4 32"]);
    assert!((slowdown(0).expect("is known") - 1.0).abs() < 0.2, "{:?}", slowdown(0));
    assert!((slowdown(1).expect("is known") - 8.0).abs() < 1.5, "{:?}", slowdown(1));
    assert_eq!(rows(&tests, "kind groups members slowest"), ["host 2 8 b"]);
    let chance = tests.f64(tests.def().column("chance_ratio").expect("is there"), 0);
    assert!(chance.expect("is known") < 0.03, "{chance:?}");
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

#[test]
fn what_is_worked_on_in_parts_comes_to_the_same() {
    use std::fmt::Write as _;
    let mut text = String::new();
    let mut noise = 7_u64;
    for call in 0..400 {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (rank, offset) = ((noise >> 40) % 5, ((noise >> 33) % 64) << 18);
        let layer = if call % 3 == 0 { "mpiio" } else { "posix" };
        let start = f64::from(call) * 0.25;
        writeln!(text, "{rank} {layer} write {offset} 300000 {start} {}", start + 0.7)
            .expect("text");
    }
    let calls = calls(&text);
    let phases = Phases::of(&calls);
    let of_extents = |most: usize| {
        let extents = Extents::within(&calls, most);
        let mut tables = [table("redundancy"), table("redundant_extent"), table("file_interleave")];
        extents.write_redundancy(&mut tables[0]);
        extents.write_again(&mut tables[1]);
        extents.write_interleave(&mut tables[2]);
        tables.map(|table| rows(&table, &names(&table)))
    };
    assert_eq!(of_extents(40), of_extents(1000));
    let of_ranks = |most: usize| {
        let exclusive = Exclusive::within(&calls, &phases, most);
        let mut tables =
            [table("exclusive_time"), table("file_exclusive"), table("phase_exclusive")];
        exclusive.write(&mut tables[0]);
        exclusive.write_files(&mut tables[1]);
        exclusive.write_phases(&phases, &mut tables[2]);
        tables.map(|table| rows(&table, &names(&table)))
    };
    assert_eq!(of_ranks(100), of_ranks(1000));
}

/// The columns of a table.
fn names(table: &TableBuilder) -> String {
    table.def().columns.iter().map(|column| column.name).collect::<Vec<_>>().join(" ")
}
