//! Jump planes that follow edits.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::space::Cell;
use crate::world::grid::jumps::JumpPlanes;

/// Planes computed on first use. Copies of a grid share them. Once either copy is edited, its planes are copied and updated when
/// they are next needed, and not before: they are large.
#[derive(Debug, Default)]
pub(super) struct KeptPlanes {
    planes: OnceLock<Arc<JumpPlanes>>,
    /// Only if there are no planes that are up to date.
    behind: Mutex<Option<Behind>>,
}

/// Planes that were shared with a copy of the grid when cells flipped.
#[derive(Clone, Debug)]
struct Behind {
    planes: Arc<JumpPlanes>,
    flipped: Vec<Cell>,
}

/// Planes that are this many cells behind are recomputed from scratch instead.
const MOST_BEHIND: usize = 256;

impl Clone for KeptPlanes {
    fn clone(&self) -> KeptPlanes {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).clone();
        KeptPlanes { planes: self.planes.clone(), behind: Mutex::new(behind) }
    }
}

impl KeptPlanes {
    /// The planes. If there are none, `build` makes them, or `follow` brings older ones up to date with a cell that flipped.
    pub fn get(
        &self,
        build: impl FnOnce() -> JumpPlanes,
        follow: impl Fn(&mut JumpPlanes, Cell),
    ) -> &JumpPlanes {
        self.planes.get_or_init(|| {
            let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(Behind { planes, flipped }) = behind else { return Arc::new(build()) };
            let mut planes = Arc::unwrap_or_clone(planes);
            for cell in flipped {
                follow(&mut planes, cell);
            }
            Arc::new(planes)
        })
    }

    /// Makes the planes now, if there are none to bring up to date; `build` may be ended.
    pub fn make<E>(&self, build: impl FnOnce() -> Result<JumpPlanes, E>) -> Result<(), E> {
        let has_older = self.behind.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if self.planes.get().is_none() && !has_older {
            // If another thread was quicker, its planes are the same.
            let _ = self.planes.set(Arc::new(build()?));
        }
        Ok(())
    }

    /// Notes that a cell has flipped; `follow` brings planes up to date that are not shared.
    pub fn flip(&mut self, cell: Cell, follow: impl FnOnce(&mut JumpPlanes)) {
        if let Some(planes) = self.planes.get_mut().and_then(Arc::get_mut) {
            return follow(planes);
        }
        let behind = self.behind.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(planes) = self.planes.take() {
            *behind = Some(Behind { planes, flipped: Vec::new() });
        }
        if let Some(Behind { flipped, .. }) = behind {
            flipped.push(cell);
        }
        if behind.as_ref().is_some_and(|behind| behind.flipped.len() > MOST_BEHIND) {
            *behind = None;
        }
    }

    pub fn bytes(&self) -> usize {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = behind.as_ref().map_or(0, |behind| behind.planes.bytes());
        self.planes.get().map_or(behind, |planes| planes.bytes())
    }

    /// Whether there are planes that are up to date.
    #[cfg(test)]
    pub fn is_ready(&self) -> bool {
        self.planes.get().is_some()
    }
}
