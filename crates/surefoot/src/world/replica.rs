//! A copy of a world that keeps up with it.

use crate::world::any::{View, World, on_world};
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::space::SearchSpace;

/// A copy of a world that follows its changes by replaying them. What is derived from it stays with it, so work in a copy never has to be
/// repeated for the original, and searches that keep a copy of the copy never make an edit of the original more expensive.
#[derive(Debug)]
pub(crate) struct Replica {
    world: World,
    /// The revision of the original that this is a copy of.
    of: Revision,
    changes: Changes,
}

impl Replica {
    /// Creates a copy; `None` for a user-defined graph, which cannot be copied.
    pub fn new(original: &View<'_>) -> Option<Replica> {
        let world = original.to_world()?;
        Some(Replica { world, of: original.revision(), changes: Changes::default() })
    }

    /// The copy.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the revision of the original that this is a copy of.
    pub fn of(&self) -> Revision {
        self.of
    }

    /// Follows the original; `false` if that is another world, or changes that its journal has dropped: nothing has happened then.
    pub fn follow(&mut self, original: &View<'_>) -> bool {
        if self.of != original.revision() {
            if !on_world!(original, space => space.read_changes(self.of, &mut self.changes)) {
                return false;
            }
            self.changes.settle();
            self.world.replay(&self.changes);
            self.of = original.revision();
        }
        true
    }
}
