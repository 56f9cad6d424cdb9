//! Metrics in, samples out.

use super::builder::{Events, Field, Made, record};
use super::kinds;
use diya_tables::{TableId, Tables, counter_sample};
use std::fmt::Debug;

use Field::{Byte, Short, Text};

/// Types of values.
const UNSIGNED: u8 = 4;
const SIGNED: u8 = 8;
const DOUBLE: u8 = 10;

/// Accumulated since the start; absolute, until the next one; relative, since the last one.
const ACCUMULATED: u8 = 0;
const ABSOLUTE_NEXT: u8 = 0x31;
const RELATIVE_LAST: u8 = 0x22;

/// A member: number, name, mode, exponent of ten, unit.
fn member(id: u64, name: u64, mode: u8, exponent: u64, unit: u64) -> Vec<u8> {
    let start = [Short(id), Short(name), Short(0), Byte(3), Byte(mode), Byte(UNSIGNED), Byte(1)];
    record(19, &[&start[..], &[Short(exponent), Short(unit)]].concat())
}

fn class(id: u64, members: &[u64]) -> Vec<u8> {
    let count = u8::try_from(members.len()).expect("few");
    let members: Vec<Field> = members.iter().map(|member| Short(*member)).collect();
    record(20, &[&[Short(id), Byte(count)], &members[..], &[Byte(0), Byte(1)]].concat())
}

/// Number, class, what it is of.
fn instance(id: u64, class: u64, scope: u8, of: u64) -> Vec<u8> {
    record(21, &[Short(id), Short(class), Short(0), Byte(scope), Short(of)])
}

fn definitions() -> Vec<Vec<u8>> {
    let text = |id, text| record(10, &[Short(id), Text(text)]);
    let mut all = vec![text(101, "cycles"), text(102, "power"), text(103, "W"), text(104, "sent")];
    all.push(member(1, 101, ACCUMULATED, 0, 0xffff_ffff));
    all.push(member(2, 102, ABSOLUTE_NEXT, 3, 103));
    all.push(member(3, 104, RELATIVE_LAST, 0, 0xffff_ffff));
    all.extend([class(10, &[1, 2]), class(11, &[3]), class(12, &[3, 99])]);
    // Of the first location, of the process, of its node, of something that is not there.
    all.extend([instance(20, 11, 0, 0), instance(21, 11, 1, 0), instance(22, 11, 2, 0)]);
    all.push(instance(23, 11, 1, 7));
    all
}

fn metric(events: Events, tick: u64, metric: u64, values: &[(u8, u64)]) -> Events {
    let count = u8::try_from(values.len()).expect("few");
    let values = values.iter().flat_map(|(kind, bits)| [Byte(*kind), Short(*bits)]);
    let start = [Short(metric), Byte(count)];
    events.record(tick, 31, &start.into_iter().chain(values).collect::<Vec<_>>())
}

/// Series, name, part, unit, kind and time that a value is of.
fn series(tables: &Tables) -> Vec<String> {
    let Some(rows) = tables.table(TableId::CounterSample) else { return Vec::new() };
    let texts = [
        counter_sample::NAME,
        counter_sample::PART,
        counter_sample::UNIT,
        counter_sample::KIND,
        counter_sample::HOLDS,
        counter_sample::HOST,
    ];
    let number = |number: Option<&dyn Debug>| number.map_or("-".into(), |n| format!("{n:?}"));
    let row = |row| {
        let process = rows.i32(counter_sample::PROCESS, row);
        let thread = rows.u64(counter_sample::THREAD, row);
        let place =
            [number(process.as_ref().map(|n| n as _)), number(thread.as_ref().map(|n| n as _))];
        let words: Vec<&str> =
            texts.iter().map(|column| rows.str(*column, row).unwrap_or("-")).collect();
        let value = rows.f64(counter_sample::VALUE, row).expect("a value");
        format!("{} {} = {value}", words.join(" "), place.join(" "))
    };
    (0..rows.rows()).map(row).collect()
}

#[test]
fn a_metric_of_a_class_is_of_its_thread_and_counted_in_its_unit() {
    let events =
        metric(Events::default(), 1000, 10, &[(UNSIGNED, 500), (DOUBLE, 1.5f64.to_bits())]);
    let events = metric(events, 1200, 10, &[(SIGNED, u64::MAX - 6), (DOUBLE, 0)]);
    let tables = Made::with_definitions(&[events], &definitions()).tables();
    let expected = [
        "cycles - - counter point host 0 0 = 500",
        "cycles - - counter point host 0 0 = -7",
        "power - W gauge next host 0 0 = 1500",
        "power - W gauge next host 0 0 = 0",
    ];
    assert_eq!(series(&tables), expected);
    let rows = tables.table(TableId::CounterSample).expect("samples");
    assert_eq!(rows.f64(counter_sample::TIME_S, 1), Some(2e-7));
    assert!(kinds(&tables).is_empty(), "{:?}", kinds(&tables));
}

#[test]
fn an_instance_is_of_what_it_says() {
    let mut events = Events::default();
    for (tick, id) in (1000..).zip(20..24) {
        events = metric(events, tick, id, &[(UNSIGNED, id)]);
    }
    let tables = Made::with_definitions(&[Events::default(), events], &definitions()).tables();
    let expected = [
        "sent - - change last host 0 0 = 20",
        "sent - - change last host 0 - = 21",
        "sent - - change last host - - = 22",
        "sent group 7 - change last - - - = 23",
    ];
    assert_eq!(series(&tables), expected);
}

#[test]
fn values_without_a_definition_are_counted() {
    let events = metric(Events::default(), 1000, 77, &[(UNSIGNED, 1)]);
    // One member of this class is not there.
    let events = metric(events, 1100, 12, &[(UNSIGNED, 1), (UNSIGNED, 2)]);
    let tables = Made::with_definitions(&[events], &definitions()).tables();
    assert_eq!((series(&tables), kinds(&tables)), (Vec::new(), vec!["missing_name".to_string()]));
}
