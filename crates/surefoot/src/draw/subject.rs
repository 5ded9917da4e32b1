//! What pictures need from a world.

use std::fmt::Debug;

use super::layout::Drawing;
use super::map::Map;
use super::picture::Picture;
use crate::id::NodeId;

/// A world that can be drawn, without an agent to see it. Each kind of world implements this next to its layers.
pub(crate) trait Subject: Debug + Send + Sync {
    /// Returns the title of a picture that is given none.
    fn name(&self) -> String;

    /// Returns whether there is a node with this number.
    fn contains(&self, node: NodeId) -> bool;

    /// Returns the nodes that pictures can mark as closed or open.
    fn marks(&self) -> Vec<NodeId>;

    /// Lays out the part of a picture that shows the world.
    fn map<'a>(&'a self, picture: &Picture<'a>) -> Map<'a>;

    /// Returns the centre of a node in the coordinates of the map: cells or world units.
    fn centre(&self, map: &Map<'_>, node: NodeId) -> (f64, f64);

    /// Returns whether a step between two nodes needs no link.
    fn are_joined(&self, map: &Map<'_>, from: NodeId, to: NodeId) -> bool;

    /// Returns whether arrows between neighbours are short, because the neighbours have arrows, too.
    fn has_short_arrows(&self) -> bool {
        false
    }

    /// Draws everything below links and paths.
    fn draw_below(&self, picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing);

    /// Draws everything between paths and their endpoints.
    fn draw_above(&self, _picture: &Picture<'_>, _map: &Map<'_>, _drawing: &mut Drawing) {}
}
