//! The command's own figure of merit: a number in what it prints, which passes through.

use crate::failure::Failure;
use regex::Regex;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Longer lines are read in parts.
const LINE_BYTES: u64 = 64 << 10;

/// Time for the last output after the command has ended: what it left running may hold the pipe.
const TIME_TO_END: Duration = Duration::from_secs(2);

/// The pattern of a figure.
#[derive(Debug, Clone)]
pub struct Pattern(Regex);

impl Pattern {
    /// Its first group is the number, else all of it.
    pub fn new(text: &str) -> Result<Self, Failure> {
        Regex::new(text).map(Self).map_err(|error| {
            let why = error.to_string();
            let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
            Failure::Input(format!(
                "--metric {text}: no regular expression: {why}; an example: 'bandwidth: ([0-9.]+)'"
            ))
        })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        self.0.as_str()
    }

    fn figure(&self, line: &str) -> Option<f64> {
        let found = self.0.captures_iter(line).last()?;
        found.get(1).or_else(|| found.get(0))?.as_str().trim().parse().ok()
    }
}

/// Threads that pass the output of a run on.
pub struct Passing {
    figures: Receiver<Option<f64>>,
    streams: usize,
}

impl Passing {
    /// Of a child whose output and messages are pipes.
    pub fn start(child: &mut Child, pattern: &Pattern, is_to_stderr: bool) -> Self {
        let (sender, figures) = channel();
        let mut streams = 0;
        let mut start = |from: Option<Box<dyn Read + Send>>, to: Box<dyn Write + Send>| {
            if let Some(from) = from {
                let (pattern, sender) = (pattern.clone(), sender.clone());
                std::thread::spawn(move || pass(from, to, &pattern, &sender));
                streams += 1;
            }
        };
        let out: Box<dyn Write + Send> = match is_to_stderr {
            true => Box::new(std::io::stderr()),
            false => Box::new(std::io::stdout()),
        };
        start(child.stdout.take().map(|from| Box::new(from) as _), out);
        start(child.stderr.take().map(|from| Box::new(from) as _), Box::new(std::io::stderr()));
        Self { figures, streams }
    }

    /// The last figure that was printed.
    pub fn figure(self) -> Option<f64> {
        let mut last = None;
        let mut ended = 0;
        while ended < self.streams {
            match self.figures.recv_timeout(TIME_TO_END) {
                Ok(Some(figure)) => last = Some(figure),
                Ok(None) => ended += 1,
                Err(_) => break,
            }
        }
        last
    }
}

fn pass(from: impl Read, mut to: impl Write, pattern: &Pattern, sender: &Sender<Option<f64>>) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while let Ok(1..) = from.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
        // Who read our output may have gone; the command goes on.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        let text = String::from_utf8_lossy(&line);
        if let Some(figure) = pattern.figure(text.trim_end()) {
            let _ = sender.send(Some(figure));
        }
        line.clear();
    }
    let _ = sender.send(None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_counts_and_every_byte_passes() {
        let said = b"bandwidth: 10.5 MB/s\n\xff\x1b[1m\nbandwidth: 12 MB/s\nno end".as_slice();
        let pattern = Pattern::new("bandwidth: ([0-9.]+)").expect("a pattern");
        let (sender, figures) = channel();
        let mut passed = Vec::new();
        pass(said, &mut passed, &pattern, &sender);
        assert_eq!(passed, said);
        let got: Vec<_> = figures.try_iter().collect();
        assert_eq!(got, [Some(10.5), Some(12.0), None]);
    }

    #[test]
    fn a_pattern_without_a_group_is_the_number() {
        let pattern = Pattern::new(r"[0-9.]+e?[0-9]*$").expect("a pattern");
        assert_eq!(pattern.figure("rate 1.5e3"), Some(1500.0));
        assert_eq!(pattern.figure("rate ."), None);
    }

    #[test]
    fn a_wrong_pattern_is_named_with_an_example() {
        let error = Pattern::new("(").expect_err("refused").to_string();
        assert!(error.contains("--metric (") && error.contains("bandwidth"), "{error}");
    }
}
