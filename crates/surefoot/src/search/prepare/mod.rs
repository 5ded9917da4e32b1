//! What an algorithm computes about a map before the first query.
//!
//! An algorithm that prepares keeps a *table* for the world it last saw. It creates the table on request, or when the first query
//! finds no table that fits the current world. Tables are shared, so many threads can search with one.

use std::fmt;

mod file;
#[cfg(feature = "prepared")]
mod first_steps;
#[cfg(feature = "prepared")]
mod ticker;

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

use thiserror::Error;

pub use file::LoadError;
pub(crate) use file::{Load, Reader, Write};
#[cfg(feature = "prepared")]
pub(crate) use first_steps::FirstSteps;
#[cfg(feature = "prepared")]
pub(crate) use ticker::Ticker;

use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, subject};
use crate::space::Cell;
use crate::world::any::{Vantage, View};
use crate::world::grid::GridView;

/// Options for a preparation.
///
/// ```
/// use std::ops::ControlFlow;
/// use surefoot::prelude::*;
/// let options = PrepareOptions {
///     memory_limit: 64 << 20,
///     progress: &|done, total| {
///         eprintln!("{done} of {total}");
///         ControlFlow::Continue(())
///     },
/// };
/// assert!(options.memory_limit < PrepareOptions::default().memory_limit);
/// ```
#[derive(Clone, Copy)]
pub struct PrepareOptions<'a> {
    /// The most bytes that the result may take.
    pub memory_limit: u64,
    /// Called from any thread with the number of steps done and the total: when the preparation begins, and then every few
    /// milliseconds. Returning a break ends the preparation before the next call.
    pub progress: &'a (dyn Fn(u64, u64) -> ControlFlow<()> + Sync),
}

impl fmt::Debug for PrepareOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrepareOptions").field("memory_limit", &self.memory_limit).finish_non_exhaustive()
    }
}

impl PrepareOptions<'_> {
    /// The default memory limit for the result: one gibibyte.
    pub const MEMORY_LIMIT: u64 = 1 << 30;
}

impl Default for PrepareOptions<'_> {
    fn default() -> Self {
        PrepareOptions {
            memory_limit: PrepareOptions::MEMORY_LIMIT,
            progress: &|_, _| ControlFlow::Continue(()),
        }
    }
}

/// Why a map was not prepared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The algorithm does not support this world.
    #[error("{} cannot be used here: {reason}", subject(algorithm))]
    NotApplicable {
        /// The title of the algorithm.
        algorithm: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// The result would take too much memory.
    #[error("{} would need about {} MB for this map, more than the limit of {} MB", subject(algorithm), .estimate >> 20, .limit >> 20)]
    TooLarge {
        /// The title of the algorithm.
        algorithm: &'static str,
        /// The approximate number of bytes that the result would take.
        estimate: u64,
        /// The limit.
        limit: u64,
    },
    /// [`PrepareOptions::progress`] ended the preparation.
    #[error("the preparation was cancelled")]
    Cancelled,
}

/// What an algorithm has prepared: made once, read by any number of searches.
pub(crate) trait Table: Any + Send + Sync {
    /// Bytes of memory held.
    fn bytes(&self) -> usize;

    /// A drawable summary.
    fn sketch(&self, _view: &GridView<'_>) -> Sketch {
        Sketch::default()
    }

    /// Writes everything that `load` of the algorithm's entry needs.
    fn save(&self, out: &mut Vec<u8>);
}

/// A drawable summary of a prepared map, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sketch {
    /// Parts of the map: the first and the last cell, both included.
    pub parts: Vec<(Cell, Cell)>,
    /// Important places.
    pub places: Vec<NodeId>,
    /// Connections between places.
    pub ways: Vec<(NodeId, NodeId)>,
}

/// What an algorithm has prepared for one state of one world and one agent. Cheap to clone.
#[derive(Clone)]
pub struct Prepared {
    pub(super) algorithm: &'static Algorithm,
    pub(super) vantage: Vantage,
    pub(super) table: Arc<dyn Table>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("algorithm", &self.algorithm.name)
            .field("memory_bytes", &self.memory_bytes())
            .finish_non_exhaustive()
    }
}

impl Prepared {
    /// Returns the algorithm.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> u64 {
        self.table.bytes() as u64
    }

    /// Returns a drawable summary for a grid that this [fits](Prepared::fits). It is empty for others.
    pub fn sketch(&self, view: &GridView<'_>) -> Sketch {
        if self.fits(view) { self.table.sketch(view) } else { Sketch::default() }
    }

    /// Returns whether this was prepared for the current state of the world and for this agent.
    pub fn fits<'a>(&self, view: impl Into<View<'a>>) -> bool {
        self.vantage == view.into().vantage()
    }
}

/// The table of a solver, if it has one.
pub(crate) struct Held<T> {
    held: Option<(Vantage, Arc<T>)>,
}

impl<T> Default for Held<T> {
    fn default() -> Held<T> {
        Held { held: None }
    }
}

impl<T: Table> Held<T> {
    /// Makes sure that there is a table for a view. `make` is given the last table and the moment it was for.
    pub fn keep_up(
        &mut self,
        view: &View<'_>,
        make: impl FnOnce(Option<(Vantage, Arc<T>)>) -> Result<Arc<T>, PrepareError>,
    ) -> Result<(), PrepareError> {
        let vantage = view.vantage();
        if self.held.as_ref().is_none_or(|(seen, _)| *seen != vantage) {
            let table = make(self.held.take())?;
            self.held = Some((vantage, table));
        }
        Ok(())
    }

    /// Returns the table.
    #[inline]
    pub fn table(&self) -> Option<&Arc<T>> {
        self.held.as_ref().map(|(_, table)| table)
    }

    /// Returns the table, to share.
    pub fn share(&self, algorithm: &'static Algorithm) -> Option<Prepared> {
        let (vantage, table) = self.held.as_ref()?;
        Some(Prepared { algorithm, vantage: *vantage, table: table.clone() })
    }

    /// Takes over a table; `false` if it is of another kind.
    pub fn adopt(&mut self, prepared: &Prepared) -> bool {
        let table: Arc<dyn Any + Send + Sync> = prepared.table.clone();
        let table = table.downcast().ok();
        let fits = table.is_some();
        self.held = table.map(|table| (prepared.vantage, table)).or(self.held.take());
        fits
    }
}
