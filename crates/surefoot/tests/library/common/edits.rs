//! Random edits of grids, made to the data and to the library's grid alike.

use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::prelude::*;

use super::worlds::{GridWorld, RawLink, VoxelWorld};

/// One edit by random numbers.
#[derive(Clone, Debug)]
pub enum Edit {
    Set(u16, u8),
    /// A rectangle: from, to, terrain.
    Fill(u16, u16, u8),
    Link(u16, u16, u64),
    Unlink(u16),
}

pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    vec(edit(), 1..12)
}

pub fn edit() -> impl Strategy<Value = Edit> {
    let terrain = || prop_oneof![2 => Just(0_u8), 2 => Just(1_u8), 1 => any::<u8>()];
    prop_oneof![
        6 => (any::<u16>(), terrain()).prop_map(|(cell, terrain)| Edit::Set(cell, terrain)),
        2 => (any::<u16>(), any::<u16>(), terrain()).prop_map(|(from, to, terrain)| Edit::Fill(from, to, terrain)),
        1 => (any::<u16>(), any::<u16>(), 1..90_000_u64).prop_map(|(from, to, cost)| Edit::Link(from, to, cost)),
        1 => any::<u16>().prop_map(Edit::Unlink),
    ]
}

/// Makes an edit of a voxel world, to the data and to the library's. Boxes instead of rectangles; there are no links.
pub fn apply_in_space(edit: &Edit, world: &mut VoxelWorld, voxels: &mut Voxels) {
    match *edit {
        Edit::Set(cell, terrain) => {
            let voxel = world.cell(cell);
            world.set(voxel, terrain == 0);
            voxels.set(voxel, terrain == 0).unwrap();
        }
        Edit::Fill(a, b, terrain) => {
            let (a, b) = (world.cell(a), world.cell(b));
            let within = |a: i32, b: i32, at: i32| (a.min(b)..=a.max(b)).contains(&at);
            let inside = |v: &Voxel| within(a.x, b.x, v.x) && within(a.y, b.y, v.y) && within(a.z, b.z, v.z);
            let cells: Vec<Voxel> = world.cells().filter(inside).collect();
            for &voxel in &cells {
                world.set(voxel, terrain == 0);
            }
            voxels.set_many(cells.into_iter().map(|voxel| (voxel, terrain == 0))).unwrap();
        }
        Edit::Link(..) | Edit::Unlink(_) => {}
    }
}

/// Makes an edit, to the data and to the grid.
pub fn apply(edit: &Edit, world: &mut GridWorld, grid: &mut Grid) {
    match *edit {
        Edit::Set(cell, terrain) => {
            let cell = world.cell(cell);
            world.terrain[cell.y as usize * world.width as usize + cell.x as usize] = terrain;
            grid.set(cell, Terrain::new(terrain)).unwrap();
        }
        Edit::Fill(a, b, terrain) => {
            let (a, b) = (world.cell(a), world.cell(b));
            let columns = a.x.min(b.x)..=a.x.max(b.x);
            let cells: Vec<Cell> = world
                .cells()
                .filter(|cell| columns.contains(&cell.x) && (a.y.min(b.y)..=a.y.max(b.y)).contains(&cell.y))
                .collect();
            for cell in &cells {
                world.terrain[cell.y as usize * world.width as usize + cell.x as usize] = terrain;
            }
            grid.set_many(cells.into_iter().map(|cell| (cell, Terrain::new(terrain)))).unwrap();
        }
        Edit::Link(from, to, cost) => {
            let (from, to) = (world.cell(from), world.cell(to));
            world.links.push(RawLink { from, to, cost });
            grid.add_link(from, to, Cost::from_units(cost)).unwrap();
        }
        Edit::Unlink(number) => {
            let Some(index) = usize::from(number).checked_rem(world.links.len()) else { return };
            let RawLink { from, to, cost } = world.links.remove(index);
            let [from, to] = [from, to].map(|cell| grid.node(cell).unwrap());
            assert!(grid.remove_link(Link { from, to, cost: Cost::from_units(cost) }));
        }
    }
}
