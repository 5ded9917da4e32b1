//! Random worlds as plain data, so that they shrink well, print as drawings, and can be judged without the library.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use surefoot::graph::Graph;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::validate::{self, Claim, Violation};
use surefoot::world::waypoints::EdgeId;

/// A link by its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawLink {
    pub from: Cell,
    pub to: Cell,
    pub cost: u64,
}

/// A grid with links and the agent that walks on it.
#[derive(Clone)]
pub struct GridWorld {
    pub width: u32,
    pub height: u32,
    /// Row by row; 0 is a wall.
    pub terrain: Vec<u8>,
    pub links: Vec<RawLink>,
    pub agent: Agent,
}

impl GridWorld {
    pub fn terrain_at(&self, cell: Cell) -> Option<u8> {
        let inside = (cell.x as u32) < self.width && (cell.y as u32) < self.height;
        inside.then(|| self.terrain[cell.y as usize * self.width as usize + cell.x as usize])
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width as i32, self.height as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Some cell, by a random number.
    pub fn cell(&self, number: u16) -> Cell {
        let index = i32::from(number) % (self.width * self.height) as i32;
        Cell::new(index % self.width as i32, index / self.width as i32)
    }

    pub fn grid(&self) -> Grid {
        let mut grid = Grid::from_terrain(self.width, self.height, &self.terrain).unwrap();
        for link in &self.links {
            grid.add_link(link.from, link.to, Cost::from_units(link.cost)).unwrap();
        }
        grid
    }
}

impl fmt::Debug for GridWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} x {} for {:?}, links {:?}", self.width, self.height, self.agent, self.links)?;
        for row in self.terrain.chunks(self.width as usize) {
            let drawn = row.iter().map(|&cost| match cost {
                0 => '#',
                1 => '.',
                2..=9 => char::from(b'0' + cost),
                _ => '*',
            });
            writeln!(f, "{}", drawn.collect::<String>())?;
        }
        Ok(())
    }
}

/// An edge by the numbers of its nodes.
#[derive(Clone, Copy, Debug)]
pub struct RawEdge {
    pub from: u32,
    pub to: u32,
    pub cost: u64,
    pub link: bool,
    pub closed: bool,
}

/// A waypoint graph.
#[derive(Clone, Debug)]
pub struct GraphWorld {
    pub places: Vec<(i32, i32, i32)>,
    pub edges: Vec<RawEdge>,
}

impl GraphWorld {
    pub fn place(&self, node: u32) -> Point {
        let (x, y, z) = self.places[node as usize];
        Point::new(f64::from(x) / 4.0, f64::from(y) / 4.0, f64::from(z))
    }

    pub fn graph(&self) -> Waypoints {
        let mut builder = Waypoints::builder();
        for node in 0..self.places.len() as u32 {
            builder.node(self.place(node));
        }
        for edge in &self.edges {
            let kind = if edge.link { EdgeKind::Link } else { EdgeKind::Road };
            builder.one_way(NodeId(edge.from), NodeId(edge.to), Cost::from_units(edge.cost), kind);
        }
        let mut graph = builder.build().unwrap();
        for (id, _) in (0..).map(EdgeId).zip(&self.edges).filter(|(_, edge)| edge.closed) {
            graph.set_edge(id, None).unwrap();
        }
        graph
    }
}

/// A voxel world and the agent that flies through it.
#[derive(Clone)]
pub struct VoxelWorld {
    pub size: [u32; 3],
    /// Along rows, row by row, layer by layer.
    pub solid: Vec<bool>,
    pub agent: Agent,
}

impl VoxelWorld {
    fn index(&self, voxel: Voxel) -> usize {
        let [x, y, _] = self.size.map(|side| side as usize);
        (voxel.z as usize * y + voxel.y as usize) * x + voxel.x as usize
    }

    /// Outside is solid.
    pub fn is_solid(&self, voxel: Voxel) -> bool {
        let [x, y, z] = self.size;
        let inside = (voxel.x as u32) < x && (voxel.y as u32) < y && (voxel.z as u32) < z;
        !inside || self.solid[self.index(voxel)]
    }

    pub fn set(&mut self, voxel: Voxel, solid: bool) {
        let index = self.index(voxel);
        self.solid[index] = solid;
    }

    pub fn cells(&self) -> impl Iterator<Item = Voxel> + use<> {
        let [x, y, z] = self.size.map(|side| side as i32);
        (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| Voxel::new(x, y, z))))
    }

    /// Some cell, by a random number.
    pub fn cell(&self, number: u16) -> Voxel {
        let [x, y, z] = self.size.map(|side| side as i32);
        let index = i32::from(number) % (x * y * z);
        Voxel::new(index % x, index / x % y, index / x / y)
    }

    pub fn voxels(&self) -> Voxels {
        Voxels::from_solid(self.size, self.cells().filter(|&voxel| self.is_solid(voxel))).unwrap()
    }
}

impl fmt::Debug for VoxelWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, _] = self.size.map(|side| side as usize);
        writeln!(f, "{:?} for {:?}", self.size, self.agent)?;
        for layer in self.solid.chunks(x * y) {
            for row in layer.chunks(x) {
                writeln!(
                    f,
                    "{}",
                    row.iter().map(|&solid| if solid { '#' } else { '.' }).collect::<String>()
                )?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Any world, as data.
#[derive(Clone, Debug)]
pub enum World {
    Grid(GridWorld),
    Graph(GraphWorld),
    Voxels(VoxelWorld),
}

/// Any world, as the library holds it.
#[derive(Clone)]
pub enum Built {
    Grid(Box<Grid>, Agent),
    Graph(Box<Waypoints>),
    Voxels(Box<Voxels>, Agent),
}

impl World {
    pub fn build(&self) -> Built {
        match self {
            World::Grid(world) => Built::Grid(Box::new(world.grid()), world.agent),
            World::Graph(world) => Built::Graph(Box::new(world.graph())),
            World::Voxels(world) => Built::Voxels(Box::new(world.voxels()), world.agent),
        }
    }
}

impl Built {
    pub fn view(&self) -> View<'_> {
        match self {
            Built::Grid(grid, agent) => grid.view(agent).into(),
            Built::Graph(graph) => (&**graph).into(),
            Built::Voxels(voxels, agent) => voxels.view(agent).into(),
        }
    }

    /// What the judge says of a path.
    pub fn judge(&self, start: NodeId, goals: &[NodeId], path: &Path) -> Result<(), Violation> {
        let claim = Claim::of(path, start, goals);
        match self {
            Built::Grid(grid, agent) => validate::grid_path(grid, agent, &claim),
            Built::Graph(graph) => validate::graph_path(graph, &claim),
            Built::Voxels(voxels, agent) => validate::voxel_path(voxels, agent, &claim),
        }
    }

    /// A number that may or may not be a node, mostly one that is.
    pub fn any_node(&self, number: u16) -> NodeId {
        let bound = match self {
            Built::Grid(grid, agent) => grid.view(agent).node_bound(),
            Built::Graph(graph) => graph.node_count(),
            Built::Voxels(voxels, agent) => voxels.view(agent).node_bound(),
        } as u32;
        match u32::from(number) % (bound + 3) {
            beyond if beyond > bound + 1 => NodeId::NONE,
            node => NodeId(node),
        }
    }
}

/// Rooms for the largest random map.
const MOST_CELLS: usize = 768;

/// How walls are laid.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// Anywhere, this share of 256.
    Noise(u8),
    /// Pillars with walls between some of them: corridors, one cell wide.
    Corridors,
    /// A lattice of walls with a few doors.
    Rooms,
}

impl Layout {
    /// A layout of the kind with wide places.
    fn with_room(self) -> Layout {
        match self {
            Layout::Noise(share) => Layout::Noise(share / 16),
            Layout::Corridors => Layout::Noise(0),
            Layout::Rooms => Layout::Rooms,
        }
    }

    fn is_wall(self, x: u32, y: u32, byte: u8) -> bool {
        match self {
            Layout::Noise(share) => byte >= 255 - share,
            Layout::Corridors => match (x % 2, y % 2) {
                (0, 0) => false,
                (1, 1) => true,
                _ => byte >= 170,
            },
            Layout::Rooms => byte >= if x % 8 == 5 || y % 8 == 5 { 60 } else { 253 },
        }
    }
}

fn layout() -> impl Strategy<Value = Layout> {
    prop_oneof![
        3 => (0..=128_u8).prop_map(Layout::Noise),
        1 => Just(Layout::Corridors),
        1 => Just(Layout::Rooms),
    ]
}

fn size() -> impl Strategy<Value = (u32, u32)> {
    let awkward = || select(vec![1_u32, 2, 63, 64, 65, 127, 128]);
    prop_oneof![
        2 => (1..=8_u32, 1..=8_u32),
        5 => (6..=27_u32, 6..=28_u32),
        1 => (awkward(), 1..=6_u32),
        1 => (1..=6_u32, awkward()),
    ]
}

/// The terrains of a map: a random byte chooses one of them.
fn ground() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => Just(vec![1]),
        1 => (2..=255_u8).prop_map(|cost| vec![cost]),
        3 => Just((1..=9).chain([255]).collect::<Vec<u8>>()),
    ]
}

fn link_cost() -> impl Strategy<Value = u64> {
    let cells = |cells: u64| Just(cells * Cost::ONE.units());
    prop_oneof![3 => 1..60_000_u64, 1 => Just(1), 1 => cells(1), 1 => Just(Cost::DIAGONAL.units()),
        1 => cells(100), 1 => Just(Cost::MAX_EDGE.units())]
}

/// Links beside the few of a usual world, in numbers around and above every constant of the library.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    kind: CrowdKind,
    count: usize,
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum CrowdKind {
    /// From anywhere to anywhere.
    Anywhere,
    /// From a few places to themselves, which leads nowhere.
    Loops,
    /// All between the same two places.
    Parallel,
    /// From anywhere to one place.
    IntoOne,
    /// Between places close to each other, so that boxes around them are small.
    Close,
}

fn crowd() -> impl Strategy<Value = Option<Crowd>> {
    use CrowdKind::{Anywhere, Close, IntoOne, Loops, Parallel};
    let kind = select(vec![Anywhere, Loops, Parallel, IntoOne, Close]);
    let count = select(vec![120, 126, 127, 128, 129, 130, 140, 257, 400]);
    let crowd = (kind, count, any::<u64>()).prop_map(|(kind, count, seed)| Crowd { kind, count, seed });
    proptest::option::weighted(0.12, crowd)
}

impl Crowd {
    /// The ends of its links as numbers below `places`, and what they cost.
    fn links(self, places: u64) -> impl Iterator<Item = (u64, u64, u64)> {
        let mut state = self.seed;
        let mut number = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (one, other) = (number(places), number(places));
        (0..self.count).map(move |index| {
            let cost = [1 + number(60_000), 1, Cost::ONE.units() * (1 + number(40))][index % 3];
            let near = |place: u64, step: u64| (place + step).min(places - 1);
            let (from, to) = match self.kind {
                CrowdKind::Anywhere => (number(places), number(places)),
                CrowdKind::Loops => {
                    let place = [one, other][index % 2];
                    (place, place)
                }
                CrowdKind::Parallel => (one, other),
                CrowdKind::IntoOne => (number(places), one),
                CrowdKind::Close => (near(one, number(4)), near(other, number(4))),
            };
            (from, to, cost)
        })
    }
}

pub fn agent() -> impl Strategy<Value = Agent> {
    let metrics = [(1.0, std::f64::consts::SQRT_2), (10.0, 14.0), (1.0, 1.0), (1.0, 2.0), (1.0, 1.4)];
    let metrics = metrics.map(|(straight, diagonal)| Metric::new(straight, diagonal).unwrap());
    (
        select(Moves::ALL.to_vec()),
        prop_oneof![3 => Just(0.0), 2 => select(RADII.to_vec())],
        prop_oneof![1 => Just(Metric::EUCLIDEAN), 1 => select(metrics.to_vec())],
        select(TerrainRule::ALL.to_vec()),
    )
        .prop_map(|(moves, radius, metric, terrain)| {
            Agent::new()
                .with_moves(moves)
                .with_radius(radius)
                .unwrap()
                .with_metric(metric)
                .with_terrain_rule(terrain)
        })
}

/// The sizes of agents that tests use.
pub const RADII: [f64; 8] = [0.0, 0.1, 0.45, 0.5, 0.71, 1.0, 1.5, 2.5];

pub fn grid_world() -> impl Strategy<Value = GridWorld> {
    // Some lead to a neighbour or to where they start, and may cost what a step there would.
    let near = proptest::option::weighted(0.3, (-1..=1, -1..=1));
    let link = (any::<u16>(), any::<u16>(), near, link_cost(), any::<bool>());
    let links = prop_oneof![3 => Just(Vec::new()), 2 => vec(link, 1..=4)];
    (size(), vec(any::<u8>(), MOST_CELLS), layout(), ground(), (links, crowd()), agent()).prop_map(
        |((width, height), bytes, layout, ground, (links, crowd), agent)| {
            // Wide agents get maps with room for them.
            let layout = if agent.radius() > 0.6 { layout.with_room() } else { layout };
            let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            let terrain = cells.zip(bytes).map(|((x, y), byte)| {
                if layout.is_wall(x, y, byte) { 0 } else { ground[byte as usize % ground.len()] }
            });
            let mut world = GridWorld { width, height, terrain: terrain.collect(), links: Vec::new(), agent };
            for (from, to, near, cost, both_ways) in links {
                let (from, far) = (world.cell(from), world.cell(to));
                let near = near.map(|(dx, dy)| from.offset(dx, dy));
                let to = near.filter(|&cell| world.terrain_at(cell).is_some()).unwrap_or(far);
                world.links.push(RawLink { from, to, cost });
                if both_ways {
                    world.links.push(RawLink { from: to, to: from, cost });
                }
            }
            for (from, to, cost) in crowd.into_iter().flat_map(|crowd| crowd.links(u64::from(width * height)))
            {
                let [from, to] = [from, to].map(|number| world.cell(number as u16));
                world.links.push(RawLink { from, to, cost });
            }
            world
        },
    )
}

pub fn graph_world() -> impl Strategy<Value = GraphWorld> {
    let places = vec((-40..40, -40..40, 0..3), 1..=40);
    // A road's cost is its length times a factor in eighths, or any number.
    let road =
        prop_oneof![4 => Just(Ok(8)), 2 => (4..40_u64).prop_map(Ok), 1 => (1..90_000_u64).prop_map(Err)];
    let edge = (any::<[u16; 2]>(), road, proptest::option::weighted(0.1, link_cost()), any::<bool>(), 0..10);
    (places, vec(edge, 0..=90), crowd()).prop_map(|(places, edges, crowd)| {
        let mut world = GraphWorld { places, edges: Vec::new() };
        for (ends, road, link, both_ways, chance) in edges {
            let [from, to] = ends.map(|end| u32::from(end) % world.places.len() as u32);
            let length = world.place(from).distance(world.place(to)) * Cost::ONE.units() as f64;
            let cost = link.unwrap_or_else(|| match road {
                Ok(eighths) => ((length * eighths as f64 / 8.0).ceil() as u64).max(1),
                Err(units) => units,
            });
            let edge = RawEdge { from, to, cost, link: link.is_some(), closed: chance == 9 };
            world.edges.push(edge);
            if both_ways {
                world.edges.push(RawEdge { from: to, to: from, ..edge });
            }
        }
        let count = world.places.len() as u64;
        for (from, to, cost) in crowd.into_iter().flat_map(|crowd| crowd.links(count)) {
            let [from, to] = [from, to].map(|number| number as u32);
            world.edges.push(RawEdge { from, to, cost, link: true, closed: false });
        }
        world
    })
}

pub fn voxel_world() -> impl Strategy<Value = VoxelWorld> {
    let long = || select(vec![31_u32, 63, 64, 65, 120]);
    let size = prop_oneof![
        2 => (1..=4_u32, 1..=4_u32, 1..=4_u32),
        4 => (3..=9_u32, 3..=9_u32, 3..=9_u32),
        1 => (long(), 1..=3_u32, 1..=2_u32),
        1 => (1..=2_u32, long(), 1..=3_u32),
        1 => (1..=3_u32, 1..=2_u32, long()),
    ];
    let agent = (select(VoxelMoves::ALL.to_vec()), prop_oneof![3 => Just(0.0), 1 => select(RADII.to_vec())])
        .prop_map(|(moves3, radius)| Agent::new().with_voxel_moves(moves3).with_radius(radius).unwrap());
    // Floors with holes, or solid cells anywhere, this share of 256.
    let layout = (any::<bool>(), 0..=110_u8);
    (size, vec(any::<u8>(), MOST_CELLS), layout, agent).prop_map(
        |((x, y, z), bytes, (floors, share), agent)| {
            // Wide agents get worlds with room for them.
            let share = if agent.radius() > 0.6 { share / 32 } else { share };
            let layers = (0..z).flat_map(|z| (0..x * y).map(move |_| z));
            let solid = layers.zip(bytes).map(|(z, byte)| {
                byte >= if floors && agent.radius() < 0.6 && z % 2 == 1 { share } else { 255 - share }
            });
            VoxelWorld { size: [x, y, z], solid: solid.collect(), agent }
        },
    )
}

pub fn world() -> impl Strategy<Value = World> {
    prop_oneof![
        3 => grid_world().prop_map(World::Grid),
        1 => graph_world().prop_map(World::Graph),
        1 => voxel_world().prop_map(World::Voxels),
    ]
}

/// A grid of one cost without links, whose agent's diagonals are worth taking: a world on which all grid searches work.
pub fn uniform_world() -> impl Strategy<Value = World> {
    (grid_world(), 1..4_u8, any::<bool>()).prop_map(|(world, cost, tenths)| {
        let terrain = world.terrain.iter().map(|&terrain| cost * u8::from(terrain > 0)).collect();
        let metric = if tenths { Metric::new(1.0, 1.4).unwrap() } else { Metric::EUCLIDEAN };
        let agent = world.agent.with_metric(metric);
        World::Grid(GridWorld { terrain, links: Vec::new(), agent, ..world })
    })
}
