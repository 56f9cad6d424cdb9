//! Ranks in turn, and ranks that only look like it.

use super::*;

/// Four ranks; `start_s`: when a rank writes in a round of 10 s.
fn rounds(files: u64, start_s: impl Fn(i32, i32) -> f64) -> Vec<Rounds> {
    so_many_rounds(4, files, start_s)
}

fn so_many_rounds(all: i32, files: u64, start_s: impl Fn(i32, i32) -> f64) -> Vec<Rounds> {
    let mut text = String::new();
    for round in 0..all {
        for rank in 0..4 {
            let at_s = f64::from(round) * 10.0 + start_s(round, rank);
            text += &format!("{rank} posix write 0 9 {at_s} {}\n", at_s + 1.0);
        }
    }
    let mut calls = Calls::from_text(&text);
    for stream in &mut calls.streams {
        stream.file_id = if files == 1 { 7 } else { stream.rank as u64 };
    }
    Rounds::in_files(&calls, &Peers::default(), &HashSet::default())
}

#[test]
fn turns_that_overlap_by_more_than_a_tenth_show_no_order() {
    // Two ranks read their own files in 20 us each, always at once.
    let mut text = String::new();
    for round in 0..100 {
        let at_s = f64::from(round) * 2.2e-5;
        for (rank, from_s) in [(0, at_s), (1, at_s + 1e-5)] {
            text += &format!("{rank} posix read 0 9 {from_s} {}\n", from_s + 2e-5);
        }
    }
    let mut calls = Calls::from_text(&text);
    calls.streams.iter_mut().for_each(|stream| stream.file_id = stream.rank as u64);
    let all = Rounds::in_files(&calls, &Peers::default(), &HashSet::default());
    assert!(!all.iter().any(Rounds::is_chain), "{all:?}");
}

#[test]
fn ranks_that_hand_on_a_token_wait() {
    let all = rounds(4, |_, rank| f64::from(rank) * 1.5);
    assert!(all[0].is_chain());
    assert_eq!((all[0].rounds, all[0].turns_s, all[0].between_s), (4, 16.0, 6.0));
    assert_eq!(Rounds::waits(&all).next(), Some((0, Layer::Posix, 6.0)));
}

#[test]
fn a_single_round_without_pauses_is_an_order() {
    assert!(so_many_rounds(1, 4, |_, rank| f64::from(rank) * 1.05)[0].is_chain());
    assert!(!so_many_rounds(1, 4, |_, rank| f64::from(rank) * 1.5)[0].is_chain());
}

#[test]
fn ranks_that_write_now_and_then_while_others_compute_do_not() {
    assert!(!rounds(4, |_, rank| f64::from(rank) * 2.5)[0].is_chain());
    assert!(so_many_rounds(12, 4, |_, rank| f64::from(rank) * 2.5)[0].is_chain());
}

#[test]
fn ranks_that_open_one_file_in_turn_wait_however_short_the_turns_are() {
    assert!(rounds(1, |_, rank| f64::from(rank) * 2.5)[0].is_chain());
}

#[test]
fn two_ranks_in_turn_are_an_order_when_they_hand_on_often_or_at_once() {
    let two = |all: i32, pause_s: f64| {
        let mut text = String::new();
        for turn in 0..2 * all {
            let at_s = f64::from(turn) * (1.0 + pause_s);
            text += &format!("{} posix write 0 9 {at_s} {}\n", turn % 2, at_s + 1.0);
        }
        let mut calls = Calls::from_text(&text);
        calls.streams.iter_mut().for_each(|stream| stream.file_id = stream.rank as u64);
        Rounds::in_files(&calls, &Peers::default(), &HashSet::default())[0].is_chain()
    };
    assert!(two(12, 0.05));
    assert!(!two(4, 0.2) && !two(12, 1.0));
    // At once three times in a row is no chance either.
    assert!(two(3, 0.05) && !two(2, 0.0));
}

#[test]
fn ranks_at_the_same_time_or_in_any_order_make_no_rounds() {
    assert!(rounds(1, |_, rank| f64::from(rank) * 0.5).is_empty());
    let shuffled = |round: i32, rank: i32| f64::from((rank * 3 + round) % 4) * 1.5;
    assert!(rounds(1, shuffled).iter().all(|rounds| !rounds.is_chain()));
}
