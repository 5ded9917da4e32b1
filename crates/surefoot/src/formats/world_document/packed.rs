//! Worlds in formats that are not for people: plain numbers and bytes, and the document's version in front.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::document::EdgeEntryKind;
#[cfg(not(all(feature = "graphs", feature = "voxels")))]
use super::not_built;
#[cfg(feature = "voxels")]
use super::voxels;
use super::{VERSION, check_version};
use crate::cost::Cost;
use crate::formats::{FormatError, World};
use crate::id::NodeId;
use crate::space::{Cell, Frame, Point};
use crate::world::grid::Grid;
#[cfg(feature = "graphs")]
use crate::world::waypoints::{Edge, EdgeId, Waypoints};

/// A world with its version.
#[derive(Deserialize, Serialize)]
pub struct Packed {
    version: u32,
    world: PackedWorld,
}

/// The kinds, in an order that must not change: formats number them. All are there with any features.
#[derive(Deserialize, Serialize)]
enum PackedWorld {
    Grid { width: u32, height: u32, frame: Frame, terrain: Bytes, links: Vec<(Cell, Cell, Cost)> },
    Graph { positions: Vec<Point>, edges: Vec<(NodeId, NodeId, Cost, EdgeEntryKind)>, closed: Vec<u32> },
    Voxels { size: [u32; 3], frame: Frame, solid: Bytes },
}

impl Packed {
    pub fn of(world: &World) -> Packed {
        let world = match world {
            World::Grid(grid) => PackedWorld::Grid {
                width: grid.width(),
                height: grid.height(),
                frame: *grid.frame(),
                terrain: Bytes(grid.to_terrain()),
                links: grid
                    .links()
                    .iter()
                    .map(|link| (grid.cell(link.from), grid.cell(link.to), link.cost))
                    .collect(),
            },
            #[cfg(feature = "graphs")]
            World::Graph(graph) => PackedWorld::Graph {
                positions: graph.positions().to_vec(),
                edges: graph
                    .edges()
                    .iter()
                    .map(|&Edge { from, to, cost, kind }| (from, to, cost, kind.into()))
                    .collect(),
                closed: (0..graph.edges().len() as u32)
                    .filter(|&edge| graph.is_closed(EdgeId(edge)))
                    .collect(),
            },
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => PackedWorld::Voxels {
                size: voxels.size(),
                frame: *voxels.frame(),
                solid: Bytes(voxels::bits(voxels)),
            },
        };
        Packed { version: VERSION, world }
    }

    /// Returns the world. Rejects everything that is not one.
    pub fn world(self) -> Result<World, FormatError> {
        check_version(self.version)?;
        match self.world {
            PackedWorld::Grid { width, height, frame, terrain, links } => {
                let mut grid = Grid::from_terrain(width, height, &terrain.0).map_err(FormatError::whole)?;
                grid.set_frame(frame);
                for (index, (from, to, cost)) in links.into_iter().enumerate() {
                    grid.add_link(from, to, cost)
                        .map_err(|error| FormatError::item("links", index, error))?;
                }
                Ok(World::Grid(grid))
            }
            #[cfg(feature = "graphs")]
            PackedWorld::Graph { positions, edges, closed } => {
                let mut builder = Waypoints::builder();
                for position in positions {
                    builder.node(position);
                }
                for (from, to, cost, kind) in edges {
                    builder.one_way(from, to, cost, kind.into());
                }
                let mut graph = builder.build().map_err(FormatError::whole)?;
                for (index, edge) in closed.into_iter().enumerate() {
                    graph
                        .set_edge(EdgeId(edge), None)
                        .map_err(|error| FormatError::item("closed", index, error))?;
                }
                Ok(World::Graph(graph))
            }
            #[cfg(feature = "voxels")]
            PackedWorld::Voxels { size, frame, solid } => {
                let mut voxels = voxels::of_bits(size, &solid.0)?;
                voxels.set_frame(frame);
                Ok(World::Voxels(voxels))
            }
            #[cfg(not(all(feature = "graphs", feature = "voxels")))]
            _ => Err(not_built()),
        }
    }
}

/// Bytes that a format may keep together, instead of a list of numbers.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = numbers.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }

        deserializer.deserialize_byte_buf(Any)
    }
}
