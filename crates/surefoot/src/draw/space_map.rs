//! A voxel world in a picture.

use super::layout::Drawing;
use super::map::Map;
use super::picture::Picture;
use super::shapes::Spot;
use super::space_layers::{self, Space};
use super::subject::Subject;
use crate::id::NodeId;
use crate::world::voxels::Voxels;

impl Subject for Voxels {
    fn name(&self) -> String {
        let [x, y, z] = self.size();
        format!("World of {x} x {y} x {z} cells")
    }

    fn contains(&self, node: NodeId) -> bool {
        self.node(self.voxel(node)) == Some(node)
    }

    fn marks(&self) -> Vec<NodeId> {
        Vec::new()
    }

    fn map<'a>(&'a self, picture: &Picture<'a>) -> Map<'a> {
        let space = Space::new(self, picture);
        let (size, cell) = (space.size(), space.cell());
        Map {
            world: self,
            left: 0,
            top: 0,
            scale: 1.0,
            low: (0.0, 0.0),
            size,
            cell,
            mark: cell.max((size.0.max(size.1) as f32 / 120.0).min(12.0)),
            links: Vec::new(),
            roads: Vec::new(),
            space: Some(space),
        }
    }

    fn centre(&self, map: &Map<'_>, node: NodeId) -> (f64, f64) {
        let spot = map.space.as_ref().map_or(Spot::new(0.0, 0.0), |space| space.middle(node));
        (spot.x.into(), spot.y.into())
    }

    fn are_joined(&self, _map: &Map<'_>, _from: NodeId, _to: NodeId) -> bool {
        true
    }

    fn draw_below(&self, picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
        if let Some(space) = &map.space {
            let corner = Spot::new(map.left.into(), map.top.into());
            space_layers::draw(picture, space, corner, drawing);
        }
    }
}
