//! Worlds in serde. In formats for people, such as JSON, a world is the document of a world file; in binary formats it is packed.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::document::Document;
use super::packed::Packed;
use crate::formats::World;
use crate::world::grid::Grid;
#[cfg(feature = "voxels")]
use crate::world::voxels::Voxels;
#[cfg(feature = "graphs")]
use crate::world::waypoints::Waypoints;

impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            Document::of(self).serialize(serializer)
        } else {
            Packed::of(self).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<World, D::Error> {
        let world = if deserializer.is_human_readable() {
            Document::deserialize(deserializer)?.world()
        } else {
            Packed::deserialize(deserializer)?.world()
        };
        world.map_err(D::Error::custom)
    }
}

/// Writes and reads a world of one kind as a [`World`].
macro_rules! kind {
    ($type:ident, $variant:ident) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                World::from(self.clone()).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                match World::deserialize(deserializer)? {
                    World::$variant(world) => Ok(world),
                    #[cfg(any(feature = "graphs", feature = "voxels"))]
                    other => {
                        let found = other.kind().name();
                        let expected = stringify!($type);
                        Err(D::Error::custom(format_args!(
                            "found a world of kind `{found}`, expected {expected}"
                        )))
                    }
                }
            }
        }
    };
}

kind!(Grid, Grid);
#[cfg(feature = "graphs")]
kind!(Waypoints, Graph);
#[cfg(feature = "voxels")]
kind!(Voxels, Voxels);
