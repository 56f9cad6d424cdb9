//! Plans of small logs.

use diya::OpenOptions;
use diya::input::Input;
use diya_replay::{Plan, Transform, plan, read};

/// A plan of lines `PID MICROSECONDS CALL` of strace; each call takes 10 microseconds.
pub fn planned(calls: &str, transform: &str) -> Plan {
    let mut text = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [pid, at, call] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let at: u64 = at.parse().unwrap();
        text += &format!("{pid} 1700000000.{at:06} {call} <0.000010>\n");
    }
    let input = Input::from_bytes("calls.strace", text.into_bytes());
    let transforms: Vec<Transform> =
        transform.split_whitespace().map(|t| t.parse().unwrap()).collect();
    plan(read(&input, &OpenOptions::default()).unwrap(), &transforms, 1)
}
