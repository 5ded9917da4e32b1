//! How close a path comes to solid cells, by its meaning: many points along the path, each compared with every solid cell near it.

use surefoot::obstacle::{Kind, Pose, Rotation, Shape};
use surefoot::prelude::*;

use super::worlds::{GridWorld, VoxelWorld, World};

/// Points per cell of length. A path that comes closer than the radius by more than half a gap between points is noticed for certain.
const POINTS: f64 = 32.0;

/// The least distance of any point of a path to a solid cell, in cells, or a number above the agent's radius if nothing is that close.
pub fn closest_approach(world: &World, path: &[NodeId]) -> f64 {
    match world {
        World::Grid(world) => on_grid(world, path),
        World::Voxels(world) => in_space(world, path),
        World::Graph(_) => f64::INFINITY,
    }
}

fn on_grid(world: &GridWorld, path: &[NodeId]) -> f64 {
    let numbers = Grid::new(world.width, world.height).unwrap();
    let is_wall = |[x, y, _]: [i32; 3]| world.terrain_at(Cell::new(x, y)).is_none_or(|terrain| terrain == 0);
    let places: Vec<[f64; 3]> = path
        .iter()
        .map(|&node| numbers.cell(node))
        .map(|cell| [f64::from(cell.x), f64::from(cell.y), 0.0])
        .collect();
    // One layer of cells without a floor or a ceiling.
    nearest(&places, world.agent.radius(), 0, is_wall)
}

fn in_space(world: &VoxelWorld, path: &[NodeId]) -> f64 {
    let [x, y, z] = world.size;
    let numbers = Voxels::new(x, y, z).unwrap();
    let places: Vec<[f64; 3]> = path
        .iter()
        .map(|&node| numbers.voxel(node))
        .map(|Voxel { x, y, z }| [x, y, z].map(f64::from))
        .collect();
    let is_solid = |[x, y, z]: [i32; 3]| world.is_solid(Voxel::new(x, y, z));
    nearest(&places, world.agent.radius(), i32::MAX, is_solid)
}

/// The least distance along a path of cell centres, given as whole numbers; layers are looked at up to `layers` above and below.
fn nearest(places: &[[f64; 3]], radius: f64, layers: i32, is_solid: impl Fn([i32; 3]) -> bool) -> f64 {
    let mut least = f64::INFINITY;
    for line in places.windows(2) {
        let length = (0..3).map(|axis| (line[1][axis] - line[0][axis]).powi(2)).sum::<f64>().sqrt();
        let points = (length * POINTS).ceil().max(1.0);
        for point in 0..=points as u32 {
            let share = f64::from(point) / points;
            let at = [0, 1, 2].map(|axis| line[0][axis] + (line[1][axis] - line[0][axis]) * share);
            least = least.min(distance_at(at, radius, layers, &is_solid));
        }
    }
    least
}

/// The distance of a point to the nearest solid cell, or a number above the radius if nothing is that close. The centre of cell `k` is at
/// `k`; layers are looked at up to `layers` above and below.
pub fn distance_at(at: [f64; 3], radius: f64, layers: i32, is_solid: &impl Fn([i32; 3]) -> bool) -> f64 {
    let reach = radius.ceil() as i32 + 1;
    let mut least = f64::INFINITY;
    let [x, y, z] = at.map(|part| part.round() as i32);
    let deep = reach.min(layers);
    for (dz, dy, dx) in (-deep..=deep)
        .flat_map(|dz| (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| (dz, dy, dx))))
    {
        let cell = [x + dx, y + dy, z + dz];
        if is_solid(cell) {
            let gaps = (0..3).map(|axis| {
                let (low, high) = (f64::from(cell[axis]) - 0.5, f64::from(cell[axis]) + 0.5);
                (at[axis] - at[axis].clamp(low, high)).powi(2)
            });
            least = least.min(gaps.sum::<f64>().sqrt());
        }
    }
    least
}

/// The distance of a point to a shape, from its definition. Polyhedra are left out.
pub fn distance_to_shape(shape: &Shape, pose: &Pose, at: Point) -> f64 {
    let [x, y, z, w] = pose.rotation().numbers();
    let back = Rotation::new(-x, -y, -z, w).unwrap();
    let place = pose.position();
    let local = back.turn(Point::new(at.x - place.x, at.y - place.y, at.z - place.z));
    match shape.kind() {
        Kind::Cuboid { half } => {
            let gap = |at: f64, half: f64| (at.abs() - half).max(0.0);
            let gaps = Point::new(gap(local.x, half.x), gap(local.y, half.y), gap(local.z, half.z));
            gaps.distance(Point::default())
        }
        Kind::Sphere { radius } => local.distance(Point::default()) - radius,
        Kind::Capsule { from, to, radius } => {
            let nearest = (0..=200).map(|part| local.distance(from.toward(*to, f64::from(part) / 200.0)));
            nearest.fold(f64::INFINITY, f64::min) - radius
        }
        kind => panic!("no distance to {kind:?}"),
    }
}
