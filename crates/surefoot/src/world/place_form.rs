//! Places in serde. Formats for people have `[x, y]`, `[x, y, z]`, the number of a node, or a point as
//! `{"x": 1.5, "y": 2.0, "z": 0.0}`; binary formats have a tag.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::NodeId;
use crate::space::{Cell, Point, Voxel};
use crate::world::any::Place;

/// A place in a format that does not describe itself, where the kind has to be stored.
#[derive(Deserialize, Serialize)]
enum Tagged {
    Cell(Cell),
    Voxel(Voxel),
    Node(NodeId),
    Point(Point),
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            let tagged = match *self {
                Place::Cell(cell) => Tagged::Cell(cell),
                Place::Voxel(voxel) => Tagged::Voxel(voxel),
                Place::Node(node) => Tagged::Node(node),
                Place::Point(point) => Tagged::Point(point),
            };
            return tagged.serialize(serializer);
        }
        match self {
            Place::Cell(cell) => cell.serialize(serializer),
            Place::Voxel(voxel) => voxel.serialize(serializer),
            Place::Node(node) => node.serialize(serializer),
            Place::Point(point) => point.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Place, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(AnyPlace);
        }
        Ok(match Tagged::deserialize(deserializer)? {
            Tagged::Cell(cell) => Place::Cell(cell),
            Tagged::Voxel(voxel) => Place::Voxel(voxel),
            Tagged::Node(node) => Place::Node(node),
            Tagged::Point(point) => Place::Point(point),
        })
    }
}

struct AnyPlace;

impl<'de> Visitor<'de> for AnyPlace {
    type Value = Place;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a cell as [x, y] or [x, y, z], the number of a node, or a point as an object of x, y and z",
        )
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Place, E> {
        let node = u32::try_from(number).map(|number| Place::Node(NodeId(number)));
        node.map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Place, A::Error> {
        let missing = |count| A::Error::invalid_length(count, &self);
        let x = numbers.next_element()?.ok_or_else(|| missing(0))?;
        let y = numbers.next_element()?.ok_or_else(|| missing(1))?;
        let Some(z) = numbers.next_element()? else { return Ok(Place::Cell(Cell { x, y })) };
        match numbers.next_element::<IgnoredAny>()? {
            None => Ok(Place::Voxel(Voxel { x, y, z })),
            Some(_) => Err(missing(4)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Place, A::Error> {
        Point::deserialize(MapAccessDeserializer::new(map)).map(Place::Point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_comes_back_as_it_was() {
        let places = [
            (Place::Cell(Cell::new(3, -4)), "[3,-4]"),
            (Place::Voxel(Voxel::new(0, 1, 2)), "[0,1,2]"),
            (Place::Node(NodeId(u32::MAX)), "4294967295"),
            (Place::Point(Point::new(0.5, -2.0, 1e9)), r#"{"x":0.5,"y":-2.0,"z":1000000000.0}"#),
        ];
        for (place, text) in places {
            assert_eq!(serde_json::to_string(&place).unwrap(), text);
            assert_eq!(serde_json::from_str::<Place>(text).unwrap(), place);
        }
        let flat = serde_json::from_str::<Place>(r#"{"y": 2, "x": 1}"#).unwrap();
        assert_eq!(flat, Place::Point(Point::flat(1.0, 2.0)));
    }

    #[test]
    fn what_is_no_place_is_refused() {
        let wrong = [
            "[]",
            "[1]",
            "[1,2,3,4]",
            "[1.5,2]",
            "[2147483648,0]",
            "-1",
            "4294967296",
            "0.5",
            "\"3\"",
            "null",
        ];
        for text in wrong.into_iter().chain([r#"{"x":1}"#, r#"{"x":1,"y":2,"w":3}"#]) {
            assert!(serde_json::from_str::<Place>(text).is_err(), "{text}");
        }
    }
}
