//! Names of files in the arguments of calls, as numbers: traces have many calls and few names.

use diya_tables::FastHashMap;

/// Names, each kept once.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: FastHashMap<Vec<u8>, u32>,
    texts: Vec<Vec<u8>>,
    /// Calls often name the file of the call before.
    last: u32,
}

impl Names {
    /// Number of a name.
    pub fn number(&mut self, name: &[u8]) -> u32 {
        if self.texts.get(self.last as usize).is_some_and(|last| last == name) {
            return self.last;
        }
        self.last = self.numbers.get(name).copied().unwrap_or_else(|| {
            let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
            self.numbers.insert(name.to_vec(), number);
            self.texts.push(name.to_vec());
            number
        });
        self.last
    }

    /// The name of this number.
    pub fn text(&self, number: u32) -> &[u8] {
        self.texts.get(number as usize).map_or(&[], Vec::as_slice)
    }

    /// All names, each with its number.
    pub fn all(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..).zip(self.texts.iter().map(Vec::as_slice))
    }
}
