//! What algorithms have worked out about a session's world before they search, kept for the next runs.

use std::sync::Mutex;
use std::time::Duration;

use surefoot::prelude::*;

use crate::limits::{KEPT_BYTES, KEPT_TABLES};

/// What a table belongs to.
#[derive(Clone, Copy, PartialEq)]
pub struct Key {
    pub algorithm: &'static str,
    pub options: Options,
    pub agent: Agent,
}

/// A table, and what it took to make it.
#[derive(Clone)]
pub struct Table {
    /// Unlike that of any other table of the session.
    pub number: u32,
    pub prepared: Prepared,
    pub took: Duration,
}

/// The tables of a session.
#[derive(Default)]
pub struct Tables(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    last: u32,
    /// The newest comes last.
    tables: Vec<(Key, Table)>,
}

impl Tables {
    /// The newest table of a key. The world may have changed since: some algorithms follow changes faster than they begin
    /// anew.
    pub fn newest(&self, key: &Key) -> Option<Table> {
        let shelf = self.0.lock().expect("no thread panics while holding it");
        shelf.tables.iter().find(|(known, _)| known == key).map(|(_, table)| table.clone())
    }

    /// Keeps a table in the place of the last one of its key, and forgets old ones if they are too many.
    pub fn keep(&self, key: Key, prepared: Prepared, took: Duration) -> Table {
        let mut shelf = self.0.lock().expect("no thread panics while holding it");
        shelf.last += 1;
        let table = Table { number: shelf.last, prepared, took };
        shelf.tables.retain(|(known, _)| *known != key);
        shelf.tables.push((key, table.clone()));
        let mut room = KEPT_BYTES;
        let fits = |(_, table): &&(Key, Table)| {
            let left = room.checked_sub(table.prepared.memory_bytes());
            room = left.unwrap_or(0);
            left.is_some()
        };
        let kept = shelf.tables.iter().rev().take(KEPT_TABLES).take_while(fits).count();
        let forgotten = shelf.tables.len() - kept;
        shelf.tables.drain(..forgotten);
        table
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.lock().expect("no thread panics while holding it").tables.clear();
    }
}
