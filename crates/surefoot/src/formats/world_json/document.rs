//! The JSON document as it appears in the file.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::space::Point;

/// Everything a world file may say. Which fields belong to which kind is checked after reading, so that errors of the
/// reader keep their line and column.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub surefoot: Tag,
    pub version: u32,
    pub kind: Kind,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub origin: Option<Place>,
    pub cell_size: Option<f64>,
    pub rows: Option<Vec<String>>,
    pub links: Option<Vec<LinkEntry>>,
    pub nodes: Option<Vec<Place>>,
    pub edges: Option<Vec<EdgeEntry>>,
    pub size: Option<[u32; 3]>,
    pub solid: Option<String>,
}

/// What every version of a world file says, whatever else it does.
#[derive(Deserialize)]
pub(super) struct Head {
    #[serde(rename = "surefoot")]
    pub _tag: Tag,
    pub version: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tag {
    World,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Grid,
    Graph,
    Voxel,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkEntry {
    pub from: [i32; 2],
    pub to: [i32; 2],
    pub cost: f64,
    #[serde(default)]
    pub two_way: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EdgeEntry {
    pub from: u32,
    pub to: u32,
    pub cost: Option<f64>,
    #[serde(default)]
    pub kind: EdgeEntryKind,
    #[serde(default)]
    pub two_way: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum EdgeEntryKind {
    #[default]
    Road,
    Link,
}

/// A point as a list of two or three numbers.
pub(super) struct Place(pub Point);

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Place, D::Error> {
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = Place;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a point of two or three numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Place, A::Error> {
                let mut point = [0.0; 3];
                let mut count = 0;
                while let Some(number) = numbers.next_element()? {
                    *point.get_mut(count).ok_or_else(|| A::Error::invalid_length(4, &self))? = number;
                    count += 1;
                }
                if count < 2 {
                    return Err(A::Error::invalid_length(count, &self));
                }
                let [x, y, z] = point;
                Ok(Place(Point { x, y, z }))
            }
        }

        deserializer.deserialize_seq(Numbers)
    }
}
