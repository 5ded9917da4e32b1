//! The document as it appears in a world file.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::space::Point;

/// The version that is written, and so far the only one that can be read.
pub const VERSION: u32 = 1;

/// All fields of a world file. Which fields belong to which kind is checked after reading, so that errors of the
/// reader keep their line and column.
#[derive(Deserialize, Serialize)]
#[serde(
    rename = "World",
    deny_unknown_fields,
    expecting = "a world, such as {\"surefoot\":\"world\",\"version\":1,\"kind\":\"grid\",...}"
)]
pub struct Document {
    pub surefoot: Tag,
    pub version: u32,
    pub kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "in_space")]
    pub origin: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_size: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<LinkEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<Place>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<EdgeEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solid: Option<String>,
}

impl Document {
    /// Returns a document of this version without contents.
    pub fn empty(kind: Kind) -> Document {
        Document {
            surefoot: Tag::World,
            version: VERSION,
            kind,
            width: None,
            height: None,
            size: None,
            origin: None,
            cell_size: None,
            rows: None,
            links: None,
            nodes: None,
            edges: None,
            solid: None,
        }
    }
}

/// Writes a point as three numbers, in a flat world too.
#[expect(clippy::ref_option, reason = "serde calls it with a reference")]
fn in_space<S: Serializer>(place: &Option<Place>, serializer: S) -> Result<S::Ok, S::Error> {
    place.as_ref().map(|place| <[f64; 3]>::from(place.0)).serialize(serializer)
}

/// The fields that every version of a world file has.
#[cfg(feature = "json")]
#[derive(Deserialize)]
pub struct Head {
    #[serde(rename = "surefoot")]
    pub _tag: Tag,
    pub version: u32,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tag {
    World,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Grid,
    Graph,
    Voxel,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "a link, such as {\"from\":[0,0],\"to\":[5,3],\"cost\":1}")]
pub struct LinkEntry {
    pub from: [i32; 2],
    pub to: [i32; 2],
    pub cost: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub two_way: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an edge, such as {\"from\":0,\"to\":5}")]
pub struct EdgeEntry {
    pub from: u32,
    pub to: u32,
    pub cost: Option<f64>,
    #[serde(default)]
    pub kind: EdgeEntryKind,
    #[serde(default, skip_serializing_if = "is_false")]
    pub two_way: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
}

/// The kind of an edge, as a word of files. It is there without waypoint graphs, too, so that documents are always the same.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeEntryKind {
    #[default]
    Road,
    Link,
}

/// What is false is left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A point as a list of two or three numbers. A height of 0 is left out.
pub struct Place(pub Point);

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = <[f64; 3]>::from(self.0);
        let is_flat = self.0.z.to_bits() == 0;
        serializer.collect_seq(&numbers[..if is_flat { 2 } else { 3 }])
    }
}

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
