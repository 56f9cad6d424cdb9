//! The calls the recorder knows, by their number in a segment.

use crate::generated::FUNCTIONS;
use crate::{Layer, Op};

/// A function the recorder knows, as `schema/functions` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    /// Number in a segment.
    pub number: u16,
    /// Name shown to people.
    pub name: &'static str,
    /// Layer.
    pub layer: Layer,
    /// Operation.
    pub op: Op,
    /// Made by all ranks together; `None`: the function alone does not say.
    pub is_collective: Option<bool>,
    /// Returns before the data have moved.
    pub is_nonblocking: bool,
    /// One half of a split collective call.
    pub is_split: bool,
    /// The end of an asynchronous request, found by another call: it takes no time
    /// of its own; `aux` of its row says for how many nanoseconds the request was in flight.
    pub is_completion: bool,
}

impl Function {
    /// All functions, by number.
    pub const ALL: &[Self] = FUNCTIONS;

    /// A function without further traits.
    pub const fn plain(number: u16, name: &'static str, layer: Layer, op: Op) -> Self {
        Self {
            number,
            name,
            layer,
            op,
            is_collective: None,
            is_nonblocking: false,
            is_split: false,
            is_completion: false,
        }
    }

    /// The function with this number; a newer recorder may know more than this program.
    #[inline]
    pub fn of(number: u16) -> Option<&'static Self> {
        let index = *INDEX.get(usize::from(number))?;
        FUNCTIONS.get(usize::from(index))
    }
}

/// One more than the largest number.
const NUMBERS: usize = match FUNCTIONS {
    [.., last] => last.number as usize + 1,
    [] => 0,
};

/// Where in the list a function is, by its number: asked several times per call.
static INDEX: [u16; NUMBERS] = index();

const fn index() -> [u16; NUMBERS] {
    let mut index = [u16::MAX; NUMBERS];
    let mut at = 0;
    while at < FUNCTIONS.len() {
        index[FUNCTIONS[at].number as usize] = at as u16;
        at += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_leads_to_its_function() {
        for function in Function::ALL {
            assert_eq!(Function::of(function.number), Some(function));
        }
        assert_eq!((Function::of(0), Function::of(u16::MAX)), (None, None));
    }
}
