//! Waypoint graphs: positions, and edges that may be closed.

use super::document::{Document, EdgeEntry, EdgeEntryKind, Kind, Place};
use super::{absent, edge_cost, no_voxel_fields, required};
use crate::cost::Cost;
use crate::formats::{FormatError, Problem};
use crate::id::NodeId;
use crate::space::Point;
use crate::world::waypoints::{Edge, EdgeId, EdgeKind, WaypointError, Waypoints};

pub(super) fn read(document: Document) -> Result<Waypoints, FormatError> {
    absent(document.width.as_ref(), "width", "graph")?;
    absent(document.height.as_ref(), "height", "graph")?;
    absent(document.origin.as_ref(), "origin", "graph")?;
    absent(document.cell_size.as_ref(), "cell_size", "graph")?;
    absent(document.rows.as_ref(), "rows", "graph")?;
    absent(document.links.as_ref(), "links", "graph")?;
    no_voxel_fields(&document, "graph")?;
    let nodes = required(document.nodes, "nodes", "graph")?;
    let edges = required(document.edges, "edges", "graph")?;
    let mut builder = Waypoints::builder();
    for node in &nodes {
        builder.node(node.0);
    }
    let mut shut = Vec::new();
    for (index, entry) in edges.iter().enumerate() {
        let EdgeEntry { from, to, cost, kind, two_way, closed } = *entry;
        let place = |node: u32| {
            nodes.get(node as usize).map(|place| place.0).ok_or_else(|| {
                let expected = format!("one of the {} nodes", nodes.len());
                FormatError::item("edges", index, Problem::unexpected(format!("node {node}"), expected))
            })
        };
        let (start, end) = (place(from)?, place(to)?);
        let cost = match (kind, cost) {
            (_, Some(cells)) => edge_cost(cells, "edges", index)?,
            (EdgeEntryKind::Road, None) => length(start, end),
            (EdgeEntryKind::Link, None) => {
                return Err(FormatError::item(
                    "edges",
                    index,
                    Problem::unexpected("no `cost`", "the `cost` of a link"),
                ));
            }
        };
        if cost > Cost::MAX_EDGE {
            return Err(FormatError::item("edges", index, WaypointError::EdgeCost { index, cost }));
        }
        let mut add = |from, to| {
            let edge = builder.one_way(NodeId(from), NodeId(to), cost, kind.into());
            shut.extend(closed.then_some(edge));
        };
        add(from, to);
        if two_way {
            add(to, from);
        }
    }
    let mut graph = builder.build().map_err(FormatError::whole)?;
    for edge in shut {
        graph.set_edge(edge, None).map_err(FormatError::whole)?;
    }
    Ok(graph)
}

/// Returns the cost of a road that costs as much as it is long.
fn length(from: Point, to: Point) -> Cost {
    let units = (from.distance(to) * Cost::ONE.units() as f64).ceil();
    Cost::from_units((units as u64).max(1))
}

impl From<EdgeEntryKind> for EdgeKind {
    fn from(kind: EdgeEntryKind) -> EdgeKind {
        match kind {
            EdgeEntryKind::Road => EdgeKind::Road,
            EdgeEntryKind::Link => EdgeKind::Link,
        }
    }
}

impl From<EdgeKind> for EdgeEntryKind {
    fn from(kind: EdgeKind) -> EdgeEntryKind {
        match kind {
            EdgeKind::Road => EdgeEntryKind::Road,
            EdgeKind::Link => EdgeEntryKind::Link,
        }
    }
}

pub(super) fn write(graph: &Waypoints) -> Document {
    let mut document = Document::empty(Kind::Graph);
    document.nodes = Some(graph.positions().iter().copied().map(Place).collect());
    let entry = |(index, &Edge { from, to, cost, kind }): (u32, &Edge)| EdgeEntry {
        from: from.0,
        to: to.0,
        cost: Some(graph.scale().cells(cost)),
        kind: kind.into(),
        two_way: false,
        closed: graph.is_closed(EdgeId(index)),
    };
    document.edges = Some((0..).zip(graph.edges()).map(entry).collect());
    document
}
