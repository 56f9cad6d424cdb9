//! What goes into a pack comes out, and what does not is refused.

use super::notation::store;
use crate::pack::{PackError, PackOptions, pack, unpack};
use crate::*;

const TRACE: &str = "
    0 mpiio write a 0.0-4.0 0+200 1<
    0 posix write a 0.5-1.5 0+100 2<1
    0 posix write a 1.5-6.0 100+5000000000 3<1
    1 posix open  b 0.1-0.2
    1 stdio sync  b 0.3-0.30000001
";

#[test]
fn a_store_comes_back_whole() {
    let store = store(TRACE);
    let packed = pack(&store, PackOptions::default());
    let again = unpack(&packed).unwrap();
    assert_eq!((&again.layers, &again.ops), (&store.layers, &store.ops));
    assert_eq!((&again.tracks, &again.files), (&store.tracks, &store.files));
    assert_eq!((again.holding, again.rows_in_all), (Holding::All, 5));
    let (a, b) = (&again.calls, &store.calls);
    assert_eq!((&a.streams, &a.start_ns), (&b.streams, &b.start_ns));
    assert_eq!((&a.offset_bytes, &a.file), (&b.offset_bytes, &b.file));
    assert_eq!((&a.form, &a.parent), (&b.form, &b.parent));
    for call in 0..b.len() {
        assert_eq!(a.size_bytes.get(call), b.size_bytes.get(call));
        assert_eq!(a.end_ns(call), b.end_ns(call));
    }
}

#[test]
fn a_trace_without_calls_is_a_pack() {
    let again = unpack(&pack(&store(""), PackOptions::default())).unwrap();
    assert!(again.calls.is_empty());
    assert!(again.window_ns().1 > again.window_ns().0);
}

#[test]
fn other_bytes_are_refused_with_the_reason() {
    assert_eq!(unpack(b"PK").unwrap_err(), PackError::NotAPack);
    let packed = pack(&store(TRACE), PackOptions::default());
    let cut = unpack(&packed[..packed.len() - 1]).unwrap_err();
    assert!(matches!(cut, PackError::Damaged(_)), "{cut}");
}

#[test]
fn a_pack_has_the_tree_of_all_calls_also_where_it_holds_some_of_them() {
    let store = store(TRACE);
    for most_bytes in [1, 1 << 20] {
        let unpacked = unpack(&pack(&store, PackOptions { most_bytes })).unwrap();
        for is_nested in [false, true] {
            let held = unpacked.trees[usize::from(is_nested)].get();
            let made = tree(&store, &Filter::default(), is_nested);
            assert_eq!(held, Some(&made));
        }
    }
}

#[test]
fn a_damaged_pack_never_panics() {
    let packed = pack(&store(TRACE), PackOptions::default());
    let small = pack(&store(TRACE), PackOptions { most_bytes: 1 });
    for packed in [packed, small] {
        for at in 8..packed.len() {
            for bits in [0x01, 0x80, 0xff] {
                let mut damaged = packed.clone();
                damaged[at] ^= bits;
                if let Ok(store) = unpack(&damaged) {
                    ask_everything(&store);
                }
            }
        }
    }
}

fn ask_everything(store: &Store) {
    let orders = Orders::default();
    let filter = r#""filter":{"start_s":0,"end_s":10}"#;
    for question in [
        r#"{"method":"describe"}"#.to_owned(),
        format!(
            r#"{{"method":"tile",{filter},"x":{{"of":"time","from":0,"to":10,"cells":5}},
            "y":{{"of":"track","from":0,"to":2,"cells":2}},"planes":["busy_write","longest","bytes"]}}"#
        ),
        format!(r#"{{"method":"area_statistics",{filter},"top":3}}"#),
        format!(r#"{{"method":"call_tree",{filter},"is_nested":true}}"#),
        r#"{"method":"call_tree","filter":{},"is_nested":true}"#.to_owned(),
        r#"{"method":"call","index":0}"#.to_owned(),
    ] {
        let question = Question::parse(question.as_bytes()).unwrap();
        assert!(answer(store, &orders, &question).is_some());
    }
}
