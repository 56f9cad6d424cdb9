//! Damaged segments: what can be read is read, the rest is reported.

use super::builder::{Builder, Record, name};
use super::{function, issues, tables, write};
use crate::segment::ops;

fn sound() -> Vec<u8> {
    let records = [name(7, "/scratch/a"), write(0, 1000), write(4096, 2000)];
    Builder::new(5).window(5, 0, &records).window(6, 0, &records).bytes()
}

#[test]
fn a_cut_segment_gives_what_is_left() {
    let whole = sound();
    for cut in (0..whole.len()).step_by(7) {
        let (_, calls) = tables(vec![whole[..cut].to_vec()]);
        assert!(calls.len() <= 4);
    }
    assert_eq!(tables(vec![whole]).1.len(), 4);
}

#[test]
fn no_flipped_bit_ends_the_program() {
    let whole = sound();
    for at in 0..whole.len().min(8192 + 300) {
        for bit in [0, 3, 7] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            tables(vec![damaged]);
        }
    }
}

#[test]
fn a_bad_record_ends_its_window_and_no_other() {
    let broken = vec![0x02, 0xff, 0xff, 0x03];
    let records = [name(7, "/scratch/a"), write(0, 1000), broken];
    let after = [write(4096, 2000)];
    let (tables, calls) =
        tables(vec![Builder::new(5).window(5, 0, &records).window(5, 1, &after).bytes()]);
    assert_eq!(calls.len(), 2);
    assert_eq!(issues(&tables)[0].0, "corrupt");
}

#[test]
fn a_window_that_was_taken_but_not_begun_is_skipped() {
    let whole = sound();
    let mut holed = whole[..8192].to_vec();
    holed.extend([0; 4096]);
    holed.extend(&whole[8192..]);
    let (tables, calls) = tables(vec![holed]);
    assert_eq!(calls.len(), 4);
    assert!(issues(&tables).is_empty(), "{:?}", issues(&tables));
}

#[test]
fn a_file_without_a_name_is_unknown_and_its_calls_stay() {
    let call = Record {
        slot: 0,
        function: function("write", ops::WRITE),
        file: 99,
        depth: 0,
        offset: None,
        size: 5,
        result: None,
        start: 0,
        duration: 0,
    };
    let (tables, calls) = tables(vec![Builder::new(5).window(5, 0, &[call.bytes()]).bytes()]);
    assert_eq!(calls.len(), 1);
    let files = tables.table(diya_tables::TableId::File).expect("has files");
    assert_eq!(files.str(diya_tables::file::PATH, 0), Some("<unknown>"));
}

#[test]
fn an_empty_file_is_a_process_that_was_killed_at_once() {
    let (tables, _) = tables(vec![Vec::new(), vec![0; 8192]]);
    assert!(issues(&tables).is_empty());
}
