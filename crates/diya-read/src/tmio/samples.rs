//! The objects of a mode: `read_sync`, `write_async_t` and so on, with their lists.

use super::tokens::{Token, Tokens};
use crate::SourceError;

/// Objects nest four deep; a damaged file may do so without end.
const MAX_DEPTH: usize = 16;

/// What an object of TMIO is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    pub name: &'static str,
    pub is_write: bool,
    /// What the program would need, not what was measured.
    pub is_required: bool,
}

impl Mode {
    /// Whether a rank waits for each request.
    pub fn is_blocking(self) -> bool {
        self.name.ends_with("_sync")
    }
}

/// The modes. An object without one (FTIO reads it) is of writes.
pub(super) const MODES: [Mode; 8] = {
    const fn mode(name: &'static str, is_write: bool, is_required: bool) -> Mode {
        Mode { name, is_write, is_required }
    }
    [
        mode("read_sync", false, false),
        mode("read_async_t", false, false),
        mode("read_async_b", false, true),
        mode("read_async", false, false),
        mode("write_sync", true, false),
        mode("write_async_t", true, false),
        mode("write_async_b", true, true),
        mode("write_async", true, false),
    ]
};

/// The numbers of an object that are used.
#[derive(Debug, Default, Clone)]
pub(super) struct Sample {
    pub ranks: Option<f64>,
    pub total_bytes: Option<f64>,
    pub most_phases: Option<f64>,
    pub most_ops: Option<f64>,
    pub most_ops_in_phase: Option<f64>,
    /// Versions that count in MB have this member.
    pub is_megabytes: bool,
    /// Phases of ranks.
    pub phases: Series,
    /// Single requests.
    pub requests: Series,
    /// Bandwidth of the whole program: from each time to the next.
    pub whole: Series,
}

/// Bandwidths with their times.
#[derive(Debug, Default, Clone)]
pub(super) struct Series {
    pub bandwidth: Vec<f64>,
    pub start_s: Vec<f64>,
    pub end_s: Vec<f64>,
}

impl Series {
    /// Adds a bandwidth with its time.
    pub fn push(&mut self, bandwidth: f64, start_s: f64, end_s: f64) {
        self.bandwidth.push(bandwidth);
        self.start_s.push(start_s);
        self.end_s.push(end_s);
    }
}

impl Sample {
    fn number(&mut self, name: &str, number: f64) {
        let slot = match name {
            "number_of_ranks" => &mut self.ranks,
            "total_bytes" => &mut self.total_bytes,
            "max_io_phases_per_rank" => &mut self.most_phases,
            "max_io_ops_per_rank" => &mut self.most_ops,
            "max_io_ops_in_phase" => &mut self.most_ops_in_phase,
            "max_transfersize_over_ranks" => {
                self.is_megabytes = true;
                return;
            }
            _ => return,
        };
        *slot = Some(number);
    }

    fn list(&mut self, name: &str) -> Option<&mut Vec<f64>> {
        Some(match name {
            "b_rank_avr" => &mut self.phases.bandwidth,
            "t_rank_s" => &mut self.phases.start_s,
            "t_rank_e" => &mut self.phases.end_s,
            "b_ind" => &mut self.requests.bandwidth,
            "t_ind_s" => &mut self.requests.start_s,
            "t_ind_e" => &mut self.requests.end_s,
            "b_overlap_avr" => &mut self.whole.bandwidth,
            "t_overlap" => &mut self.whole.start_s,
            _ => return None,
        })
    }
}

/// What stopped or disturbed the reading.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Places that make no sense: the first, and how many.
    pub damage: Option<u64>,
    pub damaged: u64,
    /// The file ends inside an object.
    pub is_cut: bool,
}

impl Found {
    pub fn add(&mut self, offset: u64) {
        self.damage.get_or_insert(offset);
        self.damaged += 1;
    }
}

/// Gives each object of a mode to `take`, in their order.
pub(super) fn samples(
    tokens: &mut Tokens<'_>,
    mut take: impl FnMut(Mode, &Sample),
) -> Result<Found, SourceError> {
    let mut found = Found::default();
    // Names of the objects and lists around; a list of numbers is the last.
    let mut around: Vec<String> = Vec::new();
    let mut key = String::new();
    let mut sample = Sample::default();
    let mut mode = None;
    let mut finish = |mode: &mut Option<Mode>, sample: &mut Sample| {
        let done = std::mem::take(sample);
        let plain = MODES[4];
        let has_lists = !done.phases.start_s.is_empty() || !done.whole.start_s.is_empty();
        if let Some(mode) = mode.take().or(has_lists.then_some(plain)) {
            take(mode, &done);
        }
    };
    loop {
        let offset = tokens.offset();
        match tokens.next_token()? {
            Token::End => break,
            Token::Damage => found.add(offset),
            Token::Comma | Token::Colon | Token::Word => {}
            Token::Text(text) => key = text,
            Token::Number(number) => {
                let name = around.last().map_or("", String::as_str);
                match sample.list(name) {
                    Some(list) => list.push(number),
                    None => sample.number(&key, number),
                }
            }
            Token::Object { is_first } => {
                if is_first && !around.is_empty() {
                    // A line of JSON lines begins: the end of the one before is lost.
                    found.add(offset);
                    finish(&mut mode, &mut sample);
                    around.clear();
                }
                if let Some(begun) = MODES.into_iter().find(|mode| mode.name == key) {
                    mode = Some(begun);
                }
                open(&mut around, &mut key, &mut found, offset);
            }
            Token::List => open(&mut around, &mut key, &mut found, offset),
            Token::Close => {
                let name = around.pop();
                let is_mode = mode.is_some_and(|mode| name.as_deref() == Some(mode.name));
                if is_mode || around.is_empty() {
                    finish(&mut mode, &mut sample);
                }
                key.clear();
            }
        }
    }
    found.is_cut = !around.is_empty();
    finish(&mut mode, &mut sample);
    Ok(found)
}

fn open(around: &mut Vec<String>, key: &mut String, found: &mut Found, offset: u64) {
    if around.len() < MAX_DEPTH {
        around.push(std::mem::take(key));
    } else {
        found.add(offset);
    }
}
