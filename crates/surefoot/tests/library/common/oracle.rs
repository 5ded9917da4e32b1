//! What is true of a world, worked out from definitions and raw data: nothing here asks the library for edges.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use surefoot::prelude::*;

use super::worlds::{GraphWorld, GridWorld, VoxelWorld, World};

/// All edges of a world as plain lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Oracle {
    /// Where one can stand, in ascending order.
    pub nodes: Vec<NodeId>,
    /// By node number.
    pub edges: Vec<Vec<(NodeId, u64)>>,
}

impl Oracle {
    pub fn of(world: &World) -> Oracle {
        match world {
            World::Grid(world) => Oracle::of_grid(world),
            World::Graph(world) => Oracle::of_graph(world),
            World::Voxels(world) => Oracle::of_voxels(world),
        }
    }

    pub fn of_grid(world: &GridWorld) -> Oracle {
        // The grid is asked for the numbers of its cells, nothing else.
        let numbers = Grid::new(world.width, world.height).unwrap();
        let number = |cell: Cell| numbers.node(cell).unwrap();
        let stands: Vec<bool> = world.cells().map(|cell| can_stand(world, cell)).collect();
        let open = |cell: Cell| {
            world.terrain_at(cell).is_some() && stands[(cell.y * world.width as i32 + cell.x) as usize]
        };
        let bound = number(Cell::new(world.width as i32 - 1, world.height as i32 - 1)).index() + 1;
        let mut edges = vec![Vec::new(); bound];
        let mut nodes = Vec::new();
        for from in world.cells().filter(|&cell| open(cell)) {
            nodes.push(number(from));
            let leaving = &mut edges[number(from).index()];
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let to = from.offset(dx, dy);
                let sides = [from.offset(dx, 0), from.offset(0, dy)].map(open);
                let passes = match world.agent.moves() {
                    _ if (dx, dy) == (0, 0) => false,
                    _ if dx == 0 || dy == 0 => true,
                    Moves::Four => false,
                    // A body with an extent cannot pass a corner at distance 0.
                    _ if world.agent.radius() > 0.0 => sides == [true; 2],
                    Moves::Eight => sides == [true; 2],
                    Moves::EightOne => sides != [false; 2],
                    Moves::EightFree => true,
                };
                if passes && open(to) {
                    leaving.push((number(to), step_cost(world, from, to)));
                }
            }
            let links = world.links.iter().filter(|link| link.from == from && open(link.to));
            leaving.extend(links.map(|link| (number(link.to), link.cost)));
        }
        Oracle { nodes, edges }
    }

    pub fn of_graph(world: &GraphWorld) -> Oracle {
        let nodes: Vec<NodeId> = (0..world.places.len() as u32).map(NodeId).collect();
        let mut edges = vec![Vec::new(); nodes.len()];
        for edge in world.edges.iter().filter(|edge| !edge.closed) {
            edges[edge.from as usize].push((NodeId(edge.to), edge.cost));
        }
        Oracle { nodes, edges }
    }

    pub fn of_voxels(world: &VoxelWorld) -> Oracle {
        // The world is asked for the numbers of its cells, nothing else.
        let [x, y, z] = world.size;
        let numbers = Voxels::new(x, y, z).unwrap();
        let number = |voxel: Voxel| numbers.node(voxel).unwrap();
        let fitting: Vec<Voxel> = world.cells().filter(|&voxel| fits(world, voxel)).collect();
        let open = |voxel: Voxel| fitting.binary_search_by_key(&key(voxel), |&other| key(other)).is_ok();
        let most = match world.agent.voxel_moves() {
            VoxelMoves::Six => 1,
            VoxelMoves::Eighteen => 2,
            VoxelMoves::TwentySix => 3,
        };
        let mut edges =
            vec![Vec::new(); number(Voxel::new(x as i32 - 1, y as i32 - 1, z as i32 - 1)).index() + 1];
        for &from in &fitting {
            for (dx, dy, dz) in (0..27).map(|step| (step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1)) {
                let axes = [dx, dy, dz].iter().filter(|&&delta| delta != 0).count();
                let corners = (0..8)
                    .map(|corner| from.offset(dx * (corner & 1), dy * (corner >> 1 & 1), dz * (corner >> 2)));
                if (1..=most).contains(&axes) && corners.into_iter().all(open) {
                    let cost = (192_070.0 * (axes as f64).sqrt()).ceil() as u64;
                    edges[number(from).index()].push((number(from.offset(dx, dy, dz)), cost));
                }
            }
        }
        Oracle { nodes: fitting.into_iter().map(number).collect(), edges }
    }

    /// The same world if every edge could be walked both ways.
    #[must_use]
    pub fn both_ways(&self) -> Oracle {
        let mut oracle = self.clone();
        for (from, edges) in (0..).map(NodeId).zip(&self.edges) {
            for &(to, cost) in edges {
                oracle.edges[to.index()].push((from, cost));
            }
        }
        oracle
    }

    /// Some place to stand, by a random number.
    pub fn some_node(&self, number: u16) -> Option<NodeId> {
        let index = usize::from(number).checked_rem(self.nodes.len())?;
        Some(self.nodes[index])
    }

    /// Two places by random numbers: mostly such that there is a way from the first to the second.
    pub fn some_ends(&self, start: u16, goal: u16) -> Option<(NodeId, NodeId)> {
        let start = self.some_node(start)?;
        let costs = self.costs_from(start);
        let reached: Vec<NodeId> =
            self.nodes.iter().copied().filter(|&node| costs.to(node).is_some()).collect();
        let choices = if goal % 8 == 7 { &self.nodes } else { &reached };
        Some((start, choices[usize::from(goal / 8) % choices.len()]))
    }

    pub fn can_stand(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// What the cheapest way to each node costs (Dijkstra).
    pub fn costs_from(&self, start: NodeId) -> Distances {
        self.distances_from(start, |cost| cost)
    }

    /// How many edges the shortest way to each node has.
    pub fn steps_from(&self, start: NodeId) -> Distances {
        self.distances_from(start, |_| 1)
    }

    fn distances_from(&self, start: NodeId, price: impl Fn(u64) -> u64) -> Distances {
        let mut distances = vec![None; self.edges.len()];
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((distance, node))) = open.pop() {
            if distances[node.index()].is_some() {
                continue;
            }
            distances[node.index()] = Some(distance);
            open.extend(
                self.edges[node.index()].iter().map(|&(to, cost)| Reverse((distance + price(cost), to))),
            );
        }
        Distances(distances)
    }
}

/// A distance for each node that can be reached.
pub struct Distances(Vec<Option<u64>>);

impl Distances {
    pub fn to(&self, node: NodeId) -> Option<u64> {
        self.0.get(node.index()).copied().flatten()
    }

    /// The distance of the nearest of several nodes.
    pub fn to_nearest(&self, nodes: &[NodeId]) -> Option<u64> {
        nodes.iter().filter_map(|&node| self.to(node)).min()
    }
}

/// Whether the agent fits: no wall's square is nearer to the middle of the cell than its radius.
fn can_stand(world: &GridWorld, cell: Cell) -> bool {
    let is_wall = |cell: Cell| world.terrain_at(cell).is_none_or(|cost| cost == 0);
    let reach = world.agent.radius().ceil() as i32 + 1;
    let gap = |offset: i32| (f64::from(offset.abs()) - 0.5).max(0.0);
    let too_near = |dx: i32, dy: i32| {
        is_wall(cell.offset(dx, dy)) && (gap(dx).powi(2) + gap(dy).powi(2)).sqrt() < world.agent.radius()
    };
    !is_wall(cell) && !(-reach..=reach).any(|dy| (-reach..=reach).any(|dx| too_near(dx, dy)))
}

/// The order of cells along rows, row by row, layer by layer.
fn key(voxel: Voxel) -> (i32, i32, i32) {
    (voxel.z, voxel.y, voxel.x)
}

/// Whether the agent fits in a cell: no solid cell's cube is nearer to its middle than its radius.
fn fits(world: &VoxelWorld, voxel: Voxel) -> bool {
    let reach = world.agent.radius().ceil() as i32 + 1;
    let gap = |offset: i32| (f64::from(offset.abs()) - 0.5).max(0.0);
    let around = || -reach..=reach;
    let too_near = |dx: i32, dy: i32, dz: i32| {
        world.is_solid(voxel.offset(dx, dy, dz))
            && (gap(dx).powi(2) + gap(dy).powi(2) + gap(dz).powi(2)).sqrt() < world.agent.radius()
    };
    !world.is_solid(voxel) && !around().any(|dz| around().any(|dy| around().any(|dx| too_near(dx, dy, dz))))
}

/// What an ordinary step costs, in units.
fn step_cost(world: &GridWorld, from: Cell, to: Cell) -> u64 {
    let even_units = |cells: f64| 2 * (cells * Cost::ONE.units() as f64 / 2.0).round() as u64;
    let straight = even_units(world.agent.metric().straight_cells());
    let diagonal = even_units(world.agent.metric().diagonal_cells());
    let length = if from.x != to.x && from.y != to.y { diagonal } else { straight };
    let [left, entered] = [from, to].map(|cell| u64::from(world.terrain_at(cell).unwrap()));
    match world.agent.terrain_rule() {
        TerrainRule::Mean => length * (left + entered) / 2,
        TerrainRule::Enter => length * entered,
        TerrainRule::Add => length + straight * (entered - 1),
        rule => panic!("no cost with {rule:?}"),
    }
}
