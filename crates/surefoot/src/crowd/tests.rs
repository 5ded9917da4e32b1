use crate::crowd::{Avoidance, Crowd, CrowdOptions, Order, State, UnitId, UnitSpec};
use crate::space::Cell;
use crate::world::grid::Grid;

const TICK: f64 = 1.0 / 60.0;

fn crowd(avoidance: Avoidance) -> Crowd {
    Crowd::new(&CrowdOptions { avoidance, ..CrowdOptions::default() }).unwrap()
}

fn add(crowd: &mut Crowd, grid: &Grid, x: i32, y: i32) -> UnitId {
    crowd.add(grid, &UnitSpec::at_cell(Cell::new(x, y))).unwrap()
}

/// Two columns of units in a room that change sides.
fn crossing(avoidance: Avoidance, most: u32) -> (Crowd, u32) {
    let grid = Grid::new(16, 12).unwrap();
    let mut crowd = crowd(avoidance);
    let west: Vec<UnitId> = (2..10).map(|y| add(&mut crowd, &grid, 1, y)).collect();
    let east: Vec<UnitId> = (2..10).map(|y| add(&mut crowd, &grid, 14, y)).collect();
    crowd.order(&grid, &west, &Order::to(Cell::new(14, 6))).unwrap();
    crowd.order(&grid, &east, &Order::to(Cell::new(1, 6))).unwrap();
    let mut ticks = 0;
    while ticks < most && !crowd.iter().all(|unit| unit.state() == State::Arrived) {
        crowd.tick(&grid, TICK);
        ticks += 1;
    }
    (crowd, ticks)
}

#[test]
fn groups_that_cross_arrive() {
    for avoidance in [Avoidance::None, Avoidance::Reserve, Avoidance::Orca] {
        let (crowd, ticks) = crossing(avoidance, 1200);
        let arrived = crowd.iter().filter(|unit| unit.state() == State::Arrived).count();
        if avoidance != Avoidance::Reserve {
            assert_eq!(arrived, 16, "{avoidance:?} after {ticks} ticks");
        }
    }
}
