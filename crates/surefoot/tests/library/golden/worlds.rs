//! Small worlds that the project generates itself, with questions to ask in them.

use surefoot::generate::{Kind, SpaceKind, generate, generate_in_space, network};
use surefoot::prelude::*;

use crate::common::worlds::Built;

/// A world with questions: a start and one or more goals each.
pub struct Asked {
    pub name: String,
    pub world: Built,
    pub questions: Vec<(NodeId, Vec<NodeId>)>,
}

const SEED: u64 = 7;
/// More links than a heuristic follows one by one.
const MANY_LINKS: i32 = 140;

impl Asked {
    /// Asks for paths between places spread over the world: across it, back again, and between places less far apart.
    fn new(name: &str, world: Built) -> Asked {
        let places = places(&world);
        let place = |eighths: usize| places[(places.len() - 1) * eighths / 8];
        let questions = [(0, 8), (7, 1), (2, 5), (4, 3)].map(|(from, to)| (place(from), vec![place(to)]));
        Asked { name: name.to_owned(), world, questions: questions.into() }
    }

    /// Asks for the nearest of three goals instead.
    fn with_several_goals(self, name: &str) -> Asked {
        let goals: Vec<NodeId> = self.questions.iter().skip(1).map(|(_, goals)| goals[0]).collect();
        let starts = [self.questions[0].0, self.questions[0].1[0]];
        Asked { name: name.to_owned(), questions: starts.map(|start| (start, goals.clone())).into(), ..self }
    }
}

/// The nodes on which the agent can stand, in ascending order.
fn places(world: &Built) -> Vec<NodeId> {
    match world {
        Built::Grid(grid, agent) => {
            let free = |cell: &Cell| grid.is_open(*cell) && grid.clearance(*cell) >= agent.radius();
            grid.cells().filter(free).filter_map(|cell| grid.node(cell)).collect()
        }
        Built::Graph(graph) => (0..graph.node_count() as u32).map(NodeId).collect(),
        Built::Voxels(voxels, agent) => {
            let free = |voxel: &Voxel| voxels.is_open(*voxel) && voxels.clearance(*voxel) >= agent.radius();
            voxels.cells().filter(free).filter_map(|voxel| voxels.node(voxel)).collect()
        }
    }
}

fn grid(name: &str, kind: Kind, width: u32, height: u32, agent: Agent) -> Asked {
    let grid = generate(kind, width, height, SEED).unwrap();
    Asked::new(name, Built::Grid(Box::new(grid), agent))
}

fn rooms(name: &str, agent: Agent) -> Asked {
    grid(name, Kind::Rooms, 48, 36, agent)
}

/// Adds one-way links between cells far apart, at a cost of one cell each.
fn linked(name: &str, kind: Kind, links: i32) -> Asked {
    let mut grid = generate(kind, 48, 36, SEED).unwrap();
    let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    for number in 0..links as usize {
        let (from, to) = (cells[number * 37 % cells.len()], cells[(number * 101 + 500) % cells.len()]);
        grid.add_link(from, to, Cost::ONE).unwrap();
    }
    Asked::new(name, Built::Grid(Box::new(grid), Agent::default()))
}

fn space(name: &str, kind: SpaceKind, agent: Agent) -> Asked {
    let voxels = generate_in_space(kind, [20, 18, 10], SEED).unwrap();
    Asked::new(name, Built::Voxels(Box::new(voxels), agent))
}

fn roads() -> Asked {
    Asked::new("roads", Built::Graph(Box::new(network(14, 11, SEED).unwrap())))
}

/// The worlds in which every algorithm is asked.
pub fn asked_worlds() -> Vec<Asked> {
    let agent = Agent::default();
    let wide = |radius: f64| agent.with_radius(radius).unwrap();
    let moving = |moves: Moves| agent.with_moves(moves);
    let flying = |moves3: VoxelMoves| agent.with_voxel_moves(moves3);
    let tenths = agent.with_metric(Metric::new(10.0, 14.0).unwrap());
    let paying = |terrain: TerrainRule| agent.with_terrain_rule(terrain);
    vec![
        grid("empty", Kind::Empty, 40, 30, agent),
        grid("maze", Kind::Maze, 41, 41, agent),
        grid("barnyard", Kind::Barnyard, 40, 30, agent),
        grid("enclosure", Kind::Enclosure, 40, 30, agent),
        grid("labyrinth", Kind::Labyrinth, 41, 41, agent),
        rooms("rooms", agent),
        rooms("rooms, three goals", agent).with_several_goals("rooms, three goals"),
        rooms("rooms, rule 4", moving(Moves::Four)),
        rooms("rooms, rule 8-one", moving(Moves::EightOne)),
        rooms("rooms, rule 8-free", moving(Moves::EightFree)),
        rooms("rooms, steps 10 and 14", tenths),
        grid("caves", Kind::Caves, 48, 36, agent),
        grid("caves, radius 0.5", Kind::Caves, 48, 36, wide(0.5)),
        grid("barnyard, radius 1.5", Kind::Barnyard, 40, 30, wide(1.5)),
        grid("random", Kind::Random, 48, 36, agent),
        grid("terrain", Kind::Terrain, 48, 36, agent),
        grid("terrain, rule enter", Kind::Terrain, 48, 36, paying(TerrainRule::Enter)),
        grid("terrain, rule add", Kind::Terrain, 48, 36, paying(TerrainRule::Add)),
        linked("rooms, 6 links", Kind::Rooms, 6),
        linked("terrain, 140 links", Kind::Terrain, MANY_LINKS),
        roads(),
        space("empty space", SpaceKind::Empty, agent),
        space("pillars", SpaceKind::Pillars, agent),
        space("boxes", SpaceKind::Boxes, agent),
        space("boxes, 6 moves", SpaceKind::Boxes, flying(VoxelMoves::Six)),
        space("boxes, 18 moves", SpaceKind::Boxes, flying(VoxelMoves::Eighteen)),
        space("boxes, radius 1", SpaceKind::Boxes, wide(1.0)),
        space("storeys", SpaceKind::Storeys, agent),
        space("caves in space", SpaceKind::Caves, agent),
        space("random space", SpaceKind::Random, agent),
    ]
}

/// The worlds in which planners live.
pub fn planned_worlds() -> Vec<Asked> {
    let agent = Agent::default();
    vec![
        rooms("rooms", agent),
        grid("caves", Kind::Caves, 48, 36, agent),
        grid("maze", Kind::Maze, 41, 41, agent),
        grid("terrain", Kind::Terrain, 48, 36, agent),
        linked("rooms, 6 links", Kind::Rooms, 6),
        roads(),
        space("boxes", SpaceKind::Boxes, agent),
        space("storeys", SpaceKind::Storeys, agent),
    ]
}
