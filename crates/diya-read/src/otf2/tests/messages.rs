//! Messages in, rows and counts out.

use super::builder::{Events, Field, Made, record};
use super::kinds;
use diya_tables::{TableId, Tables, communicator, message, message_count};

use Field::{Byte, Short, Text};

const RECV: u64 = 20;
const ALLREDUCE: u64 = 21;
const ISEND: u64 = 22;
const WAITALL: u64 = 23;
const LATER: u64 = 30;

/// Regions of functions of MPI, and a communicator (7) of the only rank.
fn definitions() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let names = ["MPI_Recv", "MPI_Allreduce", "MPI_Isend", "MPI_Waitall"];
    for (at, name) in (0..).zip(names) {
        all.push(record(10, &[Short(200 + at), Text(name)]));
        let start = [Short(RECV + at), Short(200 + at), Short(0), Byte(0), Short(0)];
        let end = [Short(0), Short(0), Short(200 + at), Byte(28), Byte(4), Short(0)];
        all.push(record(15, &[&start[..], &end].concat()));
    }
    // A function of MPI that is not known.
    all.push(record(10, &[Short(190), Text("MPI_Later")]));
    all.push(record(10, &[Short(191), Text("mpi")]));
    all.push(record(6, &[Byte(4), Short(191), Byte(1)]));
    let start = [Short(LATER), Short(190), Short(0), Byte(0), Short(0), Short(0), Short(0)];
    all.push(record(15, &[&start[..], &[Short(190), Byte(28), Byte(4), Short(0)]].concat()));
    // Locations of ranks, ranks of a communicator: the old kind, members, the kind, the paradigm.
    for (id, old, kind) in [(0, 6, 4), (1, 4, 5)] {
        let start = [Short(id), Short(0), Byte(old), Short(1), Short(0)];
        all.push(record(18, &[&start[..], &[Byte(kind), Byte(4), Short(0)]].concat()));
    }
    all.push(record(22, &[Short(7), Short(0), Short(1), Short(u64::MAX), Short(0)]));
    all
}

/// Function, communicator, peer, what it waits for, tag, number, bytes.
fn rows(tables: &Tables) -> Vec<String> {
    let Some(of) = tables.table(TableId::Message) else { return Vec::new() };
    let row = |row| {
        let text = |column| of.str(column, row).unwrap_or("-").to_owned();
        let number = |number: Option<i64>| number.map_or("-".to_owned(), |n| n.to_string());
        [
            text(message::FUNCTION),
            number(of.i64(message::COMMUNICATOR, row)),
            number(of.i32(message::PEER, row).map(i64::from)),
            text(message::WAITS_FOR),
            number(of.i32(message::TAG, row).map(i64::from)),
            number(of.i64(message::SEQUENCE, row)),
            number(of.i64(message::BYTES, row)),
        ]
        .join(" ")
    };
    (0..of.rows()).map(row).collect()
}

#[test]
fn calls_about_messages_have_their_peers_and_numbers() {
    let line = [Short(0), Short(7), Short(9), Short(4096)];
    let events = Events::default()
        .enter(500, LATER)
        .record(600, 23, &[Byte(11), Short(7), Short(u64::MAX), Short(8), Short(8)])
        .leave(700, LATER)
        .enter(1_000, RECV)
        .record(80_000, 18, &line)
        .leave(90_000, RECV)
        // Too short for a row, but the second collective call.
        .enter(100_000, ALLREDUCE)
        .record(101_000, 23, &[Byte(11), Short(7), Short(u64::MAX), Short(8), Short(8)])
        .leave(101_000, ALLREDUCE)
        .enter(200_000, ALLREDUCE)
        .record(290_000, 23, &[Byte(11), Short(7), Short(u64::MAX), Short(8), Short(8)])
        .leave(290_000, ALLREDUCE)
        .enter(300_000, ISEND)
        .record(301_000, 15, &[&line[..], &[Short(77)]].concat())
        .leave(302_000, ISEND)
        .enter(310_000, WAITALL)
        .number(400_000, 16, 77)
        .leave(400_000, WAITALL);
    let tables = Made::with_definitions(&[events], &definitions()).tables();
    assert!(kinds(&tables).is_empty(), "{:?}", kinds(&tables));
    assert_eq!(
        rows(&tables),
        ["MPI_Recv 8 0 - 9 - 4096", "MPI_Allreduce 8 - - - 3 8", "MPI_Waitall 8 0 sends - - 0"]
    );
    let counts = tables.table(TableId::MessageCount).expect("counts");
    let count = |row| {
        let name = counts.str(message_count::FUNCTION, row).unwrap_or_default();
        format!("{name} {:?}", counts.i64(message_count::CALLS, row).unwrap_or(0))
    };
    let counted: Vec<String> = (0..counts.rows()).map(count).collect();
    assert_eq!(counted, ["MPI_Allreduce 2", "MPI_Isend 1", "MPI_Recv 1", "MPI_Waitall 1"]);
    let comms = tables.table(TableId::Communicator).expect("a communicator");
    let world = (comms.u64(communicator::KEY, 0), comms.i32(communicator::SIZE, 0));
    assert_eq!((comms.rows(), world), (1, (Some(1), Some(1))));
}

#[test]
fn messages_without_definitions_are_no_reason_to_fail() {
    let line = [Short(5), Short(99), Short(9), Short(u64::MAX)];
    let events = Events::default()
        .enter(1_000, RECV)
        .record(80_000, 18, &line)
        .leave(90_000, RECV)
        .number(91_000, 16, 12345)
        .record(92_000, 14, &[Short(1)]);
    let tables = Made::with_definitions(&[events], &definitions()).tables();
    assert_eq!(rows(&tables), ["MPI_Recv 100 5 - 9 - 9223372036854775807"]);
    assert!(kinds(&tables).contains(&"corrupt".to_owned()), "{:?}", kinds(&tables));
}
