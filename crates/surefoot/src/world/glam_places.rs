//! Searches that take the vectors of `glam` as places: whole ones as cells, others as points in world coordinates.

use glam::{DVec2, DVec3, IVec2, IVec3, Vec2, Vec3};

use crate::id::NodeId;
use crate::space::{Cell, Point, Voxel};
use crate::world::any::{Locate, View};

macro_rules! located {
    ($($vector:ident as $place:ident),+) => {$(
        impl Locate for $vector {
            fn node_in(self, view: &View<'_>) -> Option<NodeId> {
                $place::from(self).node_in(view)
            }

            fn suits(self, view: &View<'_>) -> bool {
                $place::from(self).suits(view)
            }
        }
    )+};
}

located!(IVec2 as Cell, IVec3 as Voxel, Vec2 as Point, Vec3 as Point, DVec2 as Point, DVec3 as Point);
