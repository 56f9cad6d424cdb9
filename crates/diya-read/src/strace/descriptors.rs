//! What the descriptors of a process stand for, and where in the file they are.
//!
//! With `-y` strace prints the path of a descriptor. Without it, and for the position
//! of `read` and `write`, the calls that change descriptors are replayed.

use diya_tables::FastHashMap;

/// What a descriptor stands for. Descriptors made by `dup` and `fork` share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Opened {
    pub path: String,
    /// Where the next `read` or `write` starts; `None`: not known, or no such place.
    pub position: Option<i64>,
    pub is_append: bool,
}

/// One descriptor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    opened: usize,
    closes_on_exec: bool,
}

/// Descriptors of one process.
pub(super) type Table = FastHashMap<i32, Entry>;

/// All descriptors of the trace.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    opened: Vec<Opened>,
    free: Vec<usize>,
    users: Vec<u32>,
}

impl Descriptors {
    /// What a descriptor stands for, if its opening was seen and the path is the same.
    pub fn get(&mut self, table: &Table, number: i32) -> Option<&mut Opened> {
        let entry = table.get(&number)?;
        self.opened.get_mut(entry.opened)
    }

    /// A new descriptor.
    pub fn open(&mut self, table: &mut Table, number: i32, opened: Opened, closes_on_exec: bool) {
        self.close(table, number);
        let at = match self.free.pop() {
            Some(at) => {
                if let Some(slot) = self.opened.get_mut(at) {
                    *slot = opened;
                }
                at
            }
            None => {
                self.opened.push(opened);
                self.users.push(0);
                self.opened.len() - 1
            }
        };
        if let Some(users) = self.users.get_mut(at) {
            *users = 1;
        }
        table.insert(number, Entry { opened: at, closes_on_exec });
    }

    /// A second descriptor for the same.
    pub fn dup(&mut self, table: &mut Table, old: i32, new: i32, closes_on_exec: bool) {
        let Some(entry) = table.get(&old).copied() else {
            self.close(table, new);
            return;
        };
        if old == new {
            return;
        }
        self.close(table, new);
        let opened = entry.opened;
        if let Some(users) = self.users.get_mut(opened) {
            *users = users.saturating_add(1);
        }
        table.insert(new, Entry { opened, closes_on_exec });
    }

    /// The descriptor is free again.
    pub fn close(&mut self, table: &mut Table, number: i32) {
        if let Some(entry) = table.remove(&number) {
            self.release(entry);
        }
    }

    /// Closes what does not survive another program.
    pub fn exec(&mut self, table: &mut Table) {
        let closing: Vec<i32> =
            table.iter().filter(|(_, e)| e.closes_on_exec).map(|(number, _)| *number).collect();
        closing.into_iter().for_each(|number| self.close(table, number));
    }

    /// The descriptors of a process that is a copy of another.
    pub fn fork(&mut self, table: &Table) -> Table {
        for entry in table.values() {
            if let Some(users) = self.users.get_mut(entry.opened) {
                *users = users.saturating_add(1);
            }
        }
        table.clone()
    }

    /// The process has ended.
    pub fn forget(&mut self, table: &mut Table) {
        table.drain().for_each(|(_, entry)| self.release(entry));
    }

    fn release(&mut self, entry: Entry) {
        let at = entry.opened;
        if let Some(users) = self.users.get_mut(at) {
            *users = users.saturating_sub(1);
            if *users == 0 {
                self.free.push(at);
            }
        }
    }
}
