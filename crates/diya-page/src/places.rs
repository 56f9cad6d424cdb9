//! Where calls come from: their call stacks, and the regions and steps of the program.

use super::files::Stacks;
use diya_metrics::{Named, Places};
use diya_timeline::{NONE, Place};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Asked by several threads that fill columns.
pub(super) struct Origins {
    pub stacks: Stacks,
    regions: Places,
    known: Mutex<Known>,
}

/// Places so far.
#[derive(Default)]
struct Known {
    /// Number of a place by the numbers of the regions around.
    numbers: HashMap<Vec<usize>, u32>,
    places: Vec<Place>,
    names: Vec<String>,
    name_numbers: HashMap<String, u32>,
}

impl Origins {
    pub fn new(stacks: Stacks, regions: Places) -> Self {
        Self { stacks, regions, known: Mutex::default() }
    }

    /// The place of a call in the program; `None`: in no region.
    pub fn place(&self, of: (i32, i32), thread: Option<u64>, start_s: f64) -> Option<u32> {
        if self.regions.is_empty() {
            return None;
        }
        let around = self.regions.around(of, thread, start_s);
        if around.is_empty() {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Some(known.number(around, &self.regions))
    }

    /// Frames of the stacks, names of regions, places.
    pub fn finish(self) -> (Vec<Vec<String>>, Vec<String>, Vec<Place>) {
        let known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.stacks.all, known.names, known.places)
    }
}

impl Known {
    fn number(&mut self, around: Vec<usize>, regions: &Places) -> u32 {
        if let Some(number) = self.numbers.get(&around) {
            return *number;
        }
        let mut place = Place::default();
        for named in around.iter().filter_map(|number| regions.named(*number)) {
            match named {
                Named::Region(name) => place.regions.push(self.name(name)),
                Named::Step(step) => place.step = place.step.or(Some(step)),
                Named::Epoch(_) => {}
            }
        }
        let number = u32::try_from(self.places.len()).unwrap_or(NONE);
        self.places.push(place);
        self.numbers.insert(around, number);
        number
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(number) = self.name_numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(NONE);
        self.names.push(name.to_owned());
        self.name_numbers.insert(name.to_owned(), number);
        number
    }
}
