//! Definitions by their numbers, which are mostly 0, 1, 2, ...

/// Rows by number; of equal numbers the first one counts.
#[derive(Debug)]
pub(super) struct ById<T> {
    rows: Vec<(u64, T)>,
}

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T> ById<T> {
    /// Adds a row; `sort` has to follow before one is asked for.
    pub fn push(&mut self, id: u64, row: T) {
        self.rows.push((id, row));
    }

    /// Orders the rows.
    pub fn sort(&mut self) {
        self.rows.sort_by_key(|(id, _)| *id);
        self.rows.dedup_by_key(|(id, _)| *id);
    }

    /// The row of this number.
    pub fn get(&self, id: u64) -> Option<&T> {
        let direct = usize::try_from(id).ok().and_then(|at| self.rows.get(at));
        if let Some((found, row)) = direct
            && *found == id
        {
            return Some(row);
        }
        let at = self.rows.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.rows.get(at).map(|(_, row)| row)
    }

    /// All rows, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.rows.iter().map(|(id, row)| (*id, row))
    }
}
