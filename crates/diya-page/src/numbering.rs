//! Numbers for names, and columns whose value seldom changes.

use arrow::array::{Array, StringViewArray};
use std::collections::HashMap;

/// Names in order of their first use.
#[derive(Default)]
pub(super) struct Names {
    pub all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    /// Number of a name.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// Number of the name of the row before: the same one comes thousands of times
/// in turn.
#[derive(Default)]
pub(super) struct Last {
    view: Option<u128>,
    number: Option<u32>,
}

impl Last {
    /// Number of the name in a row; `None`: it has none.
    pub fn at(&mut self, words: &StringViewArray, row: usize, names: &mut Names) -> Option<u32> {
        if words.is_null(row) {
            return None;
        }
        let view = words.views().get(row).copied();
        if view != self.view || view.is_none() {
            self.view = view;
            self.number = Some(names.number(words.value(row)));
        }
        self.number
    }
}
