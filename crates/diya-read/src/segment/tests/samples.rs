//! Samples of the processor.

use super::builder::{Builder, definition, varint, zigzag};
use super::{issues, tables, tables_of};
use crate::segment::{Resolver, SourceFrame};
use diya_tables::{TableId, Tables, processor_sample};

const SECOND: u64 = 1_000_000_000;

/// A module from 0x1000 to 0x2000 whose code begins at 0x200 of its file.
fn module() -> Vec<u8> {
    let numbers = [0x1000u64, 0x2000, 0x200].map(u64::to_le_bytes).concat();
    definition(0x08, &[&numbers[..], &[0], b"/lib/libz.so.1"].concat())
}

/// Time in microseconds since the start of the process, address.
fn samples(tid: u64, period_ns: u64, lost: u64, taken: &[(u64, u64)]) -> Vec<u8> {
    let mut payload = [tid, period_ns, lost].map(varint).concat();
    let (mut time, mut place) = (0, 0i64);
    for (us, address) in taken {
        let mono_ns = 100 * SECOND + us * 1000;
        payload.extend(varint(mono_ns - time));
        payload.extend(zigzag(*address as i64 - place));
        (time, place) = (mono_ns, *address as i64);
    }
    definition(0x1c, &payload)
}

/// Thread, microseconds, weight in microseconds, module, address.
fn rows(tables: &Tables) -> Vec<(u64, f64, f64, Option<String>, u64)> {
    let Some(rows) = tables.table(TableId::ProcessorSample) else { return Vec::new() };
    let us = |column, row| (rows.f64(column, row).unwrap_or(-1.0) * 1e6).round();
    let row = |row| {
        let module = rows.str(processor_sample::MODULE, row).map(str::to_owned);
        let whole = |column| rows.u64(column, row).unwrap_or_default();
        let (time_us, weight_us) =
            (us(processor_sample::TIME_S, row), us(processor_sample::WEIGHT_S, row));
        let thread = whole(processor_sample::THREAD);
        (thread, time_us, weight_us, module, whole(processor_sample::ADDRESS))
    };
    (0..rows.rows()).map(row).collect()
}

#[test]
fn a_sample_has_its_thread_time_and_place() {
    let taken = samples(6, 1_000_000, 0, &[(2000, 0x1800), (3500, 0x9000)]);
    let (tables, _) = tables(vec![Builder::new(5).window(5, 0, &[module(), taken]).bytes()]);
    let libz = Some("/lib/libz.so.1".to_owned());
    assert_eq!(
        rows(&tables),
        [(6, 2000.0, 1000.0, libz, 0xa00), (6, 3500.0, 1000.0, None, 0x9000)]
    );
    assert_eq!(issues(&tables), []);
}

#[test]
fn those_before_stand_for_what_was_lost() {
    let first = samples(5, 1_000_000, 0, &[(1000, 0x1800), (2000, 0x1800)]);
    let other = samples(6, 1_000_000, 0, &[(1500, 0x1800)]);
    let next = samples(5, 2_000_000, 3, &[(9000, 0x1800)]);
    let records = [module(), first, other, next];
    let (tables, _) = tables(vec![Builder::new(5).window(5, 0, &records).bytes()]);
    let weights: Vec<_> = rows(&tables).iter().map(|row| (row.0, row.2)).collect();
    assert_eq!(weights, [(5, 4000.0), (5, 4000.0), (5, 2000.0), (6, 1000.0)]);
}

#[test]
fn a_system_that_permits_none_is_said() {
    let refused = samples(5, 0, 0, &[]);
    let (tables, _) = tables(vec![Builder::new(5).window(5, 0, &[refused]).bytes()]);
    assert!(rows(&tables).is_empty());
    let kinds: Vec<_> = issues(&tables).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["not_sampled"]);
}

#[test]
fn numbers_that_make_no_sense_are_read_without_harm() {
    let wild = samples(5, u64::MAX, u64::MAX, &[(0, 0x1800), (1, u64::MAX >> 1)]);
    let mut cut = samples(5, 1_000_000, 0, &[(1000, 0x1800)]);
    cut.pop();
    let end = definition(0x1c, &[5]);
    for records in [vec![module(), wild], vec![module(), cut], vec![end]] {
        let (tables, _) = tables(vec![Builder::new(5).window(5, 0, &records).bytes()]);
        let weights = rows(&tables).into_iter().map(|row| row.2);
        assert!(weights.into_iter().all(f64::is_finite));
    }
}

/// Every address is in a header of the system, in a function that was inlined into another.
struct Inlined;

impl Resolver for Inlined {
    fn frames(&self, _: &str, _: Option<&str>, _: u64) -> Vec<SourceFrame> {
        let frame = |function: &str, file: &str, line| SourceFrame {
            function: Some(function.to_owned()),
            file: Some(file.to_owned()),
            line: Some(line),
            is_inlined: false,
        };
        vec![
            frame("std::max", "/usr/include/c++/12/bits/stl_algo.h", 3),
            frame("io::relax(int)", "/home/me/a.cpp", 40),
        ]
    }
}

#[test]
fn a_sample_of_the_program_names_its_line_and_one_of_the_system_none() {
    let numbers = [0x3000u64, 0x4000, 0].map(u64::to_le_bytes).concat();
    let own = definition(0x08, &[&numbers[..], &[0], b"/home/me/solver"].concat());
    let taken = samples(6, 1_000_000, 0, &[(2000, 0x1800), (3500, 0x3100)]);
    let segment = Builder::new(5).window(5, 0, &[module(), own, taken]).bytes();
    let (tables, _) = tables_of(vec![segment], &Inlined);
    let rows = tables.table(TableId::ProcessorSample).expect("was sampled");
    let lines: Vec<_> = (0..2).map(|row| rows.str(processor_sample::SOURCE, row)).collect();
    assert_eq!(lines, [None, Some("io::relax (/home/me/a.cpp:40)")]);
}
