//! What an algorithm works out about a map before the first query.
//!
//! An algorithm that prepares keeps a *table* for the world it last saw. It makes the table when it is asked to, or when the
//! first query finds none that fits the world as it is. Tables are shared, so that many threads can search on one.

use std::fmt;

mod file;
mod first_steps;
mod ticker;

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

use thiserror::Error;

pub use file::LoadError;
pub(crate) use file::{Load, Reader, Write};
pub(crate) use first_steps::FirstSteps;
pub(crate) use ticker::Ticker;

use crate::id::NodeId;
use crate::search::algorithm::Algorithm;
use crate::space::Cell;
use crate::world::any::{Vantage, View};
use crate::world::grid::GridView;

/// On which terms to prepare.
///
/// ```
/// use std::ops::ControlFlow;
/// use surefoot::prelude::*;
/// let terms = PrepareOptions {
///     memory_limit: 64 << 20,
///     progress: &|done, total| {
///         eprintln!("{done} of {total}");
///         ControlFlow::Continue(())
///     },
/// };
/// assert!(terms.memory_limit < PrepareOptions::default().memory_limit);
/// ```
#[derive(Clone, Copy)]
pub struct PrepareOptions<'a> {
    /// The most bytes that the result may take.
    pub memory_limit: u64,
    /// Told from any thread how many of how many steps are done: when the preparation begins, and then every few
    /// milliseconds. Breaking ends the preparation before the next call.
    pub progress: &'a (dyn Fn(u64, u64) -> ControlFlow<()> + Sync),
}

impl fmt::Debug for PrepareOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrepareOptions").field("memory_limit", &self.memory_limit).finish_non_exhaustive()
    }
}

impl PrepareOptions<'_> {
    /// The most bytes that the result may take unless said otherwise: one gibibyte.
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
pub enum PrepareError {
    /// The algorithm does not work on this world.
    #[error("{algorithm} cannot be used here: {reason}")]
    NotApplicable {
        /// The algorithm.
        algorithm: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// The result would take too much memory.
    #[error("{algorithm} would need about {} MB for this map, more than the limit of {} MB", .estimate >> 20, .limit >> 20)]
    TooLarge {
        /// The algorithm.
        algorithm: &'static str,
        /// How many bytes it would take, roughly.
        estimate: u64,
        /// The limit.
        limit: u64,
    },
    /// [`PrepareOptions::progress`] ended it.
    #[error("the preparation was ended")]
    Cancelled,
}

/// What an algorithm has prepared: made once, read by any number of searches.
pub(crate) trait Table: Any + Send + Sync {
    /// Bytes of memory held.
    fn bytes(&self) -> usize;

    /// What there is to draw.
    fn sketch(&self, _view: &GridView<'_>) -> Sketch {
        Sketch::default()
    }

    /// Writes everything that `load` of the algorithm's entry needs.
    fn save(&self, out: &mut Vec<u8>);
}

/// What there is to see of a prepared map, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sketch {
    /// Parts of the map: the first cell and the last, both included.
    pub parts: Vec<(Cell, Cell)>,
    /// Places that matter.
    pub places: Vec<NodeId>,
    /// Ways between places.
    pub ways: Vec<(NodeId, NodeId)>,
}

/// What an algorithm has prepared for one world, as it is at one moment, and one agent. Cheap to copy.
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
    /// The algorithm.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> u64 {
        self.table.bytes() as u64
    }

    /// What there is to see of it on a grid that it [fits](Prepared::fits); nothing on others.
    pub fn sketch(&self, view: &GridView<'_>) -> Sketch {
        if self.fits(view) { self.table.sketch(view) } else { Sketch::default() }
    }

    /// Whether this was made for the world as it is now, and for this agent.
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

    /// The table.
    #[inline]
    pub fn table(&self) -> Option<&Arc<T>> {
        self.held.as_ref().map(|(_, table)| table)
    }

    /// The table, to share.
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
