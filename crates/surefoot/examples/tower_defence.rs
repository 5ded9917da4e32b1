//! Tower defence: enemies walk from the gate to the keep, and towers must not block every path.
//!
//! Shows how to check whether a building would block every path before it is built, a path service with a budget per frame that tells
//! which enemies a tower concerns, and the movement range of an enemy.
//!
//! `cargo run -p surefoot --example tower_defence`

use std::collections::VecDeque;
use std::error::Error;

use surefoot::cost::Scale;
use surefoot::prelude::*;
use surefoot::replan::PathChange;
use surefoot::service::{PathAnswer, PathService, RequestSpec, ServiceSpec, Ticket};
use surefoot::siting::Siting;

const GATE: Cell = Cell::new(0, 4);
const KEEP: Cell = Cell::new(31, 4);
/// The number of nodes that all searches together may expand per frame. Counting work instead of time keeps replays exact.
const BUDGET: u64 = 60;

/// Builds a tower of 2 x 3 cells if all enemies `outside` and those that come through the gate can still reach the keep. Returns
/// the new cost of the path and the increase.
fn build(
    grid: &mut Grid,
    siting: &mut Siting,
    corner: Cell,
    outside: &[Enemy],
) -> Result<(Cost, Cost), Box<dyn Error>> {
    let footprint: Vec<Cell> = (0..6).map(|i| corner.offset(i % 2, i / 2)).collect();
    let enemies = outside.iter().map(|enemy| grid.frame().cell_at(enemy.walk.position()));
    let pairs: Vec<(Cell, Cell)> = [GATE].into_iter().chain(enemies).map(|from| (from, KEEP)).collect();
    let verdict = siting.would_block(&grid.view(&Agent::default()), &footprint, &pairs)?;
    if let Some(effect) = verdict.impacts().iter().find(|effect| effect.is_cut_off()) {
        return Err(format!("there would be no path from {},{}", effect.from.x, effect.from.y).into());
    }
    grid.set_many(footprint.into_iter().map(|cell| (cell, Terrain::WALL)))?;
    verdict.impacts()[0].after.zip(verdict.impacts()[0].added()).ok_or_else(|| "the keep is closed".into())
}

/// An enemy. It stands still while it waits for a path.
struct Enemy {
    walk: Follower,
    /// The path that it walks along, which the service watches.
    watched: Option<Ticket>,
    asked: Option<Ticket>,
}

/// Asks for a path to the keep for an enemy that does not wait for one yet.
fn ask(service: &mut PathService, grid: &Grid, enemy: &mut Enemy) -> Result<(), Box<dyn Error>> {
    if enemy.asked.is_none() {
        let from = grid.frame().cell_at(enemy.walk.position());
        let request = RequestSpec { watch: true, ..RequestSpec::new(from, &[Place::Cell(KEEP)]) };
        enemy.asked = Some(service.request(&request)?);
    }
    Ok(())
}

/// Spends the budget of a frame, takes the answers, and asks again for enemies whose paths a tower has broken or made longer.
fn plan(
    frame: usize,
    service: &mut PathService,
    grid: &Grid,
    enemies: &mut [Enemy],
) -> Result<(), Box<dyn Error>> {
    let view = grid.view(&Agent::default());
    let report = service.tick(view, BUDGET)?;
    for touched in service.touched().to_vec() {
        for (number, enemy) in
            enemies.iter_mut().enumerate().filter(|(_, it)| it.watched == Some(touched.ticket))
        {
            println!("frame {frame:2}: enemy {number} replans: its path is {}", name(touched.change));
            ask(service, grid, enemy)?;
        }
    }
    let mut answer = PathAnswer::default();
    while let Some(ticket) = service.next_into(&mut answer) {
        let Some(enemy) = enemies.iter_mut().find(|enemy| enemy.asked == Some(ticket)) else { continue };
        if let Outcome::Unreachable(why) = answer.outcome {
            return Err(why.into());
        }
        enemy.asked = None;
        if let Some(old) = enemy.watched.replace(ticket) {
            service.cancel(old)?;
        }
        enemy.walk.reset(answer.path.points(view));
    }
    if report.expanded > 0 {
        println!(
            "frame {frame:2}: {:2} nodes expanded, {} still waiting",
            report.expanded,
            service.waiting()
        );
    }
    Ok(())
}

fn name(change: PathChange) -> &'static str {
    match change {
        PathChange::Broken => "broken",
        PathChange::CostIncreased => "longer",
        PathChange::MayImprove => "perhaps no longer the best",
        PathChange::Unknown => "unknown",
    }
}

fn draw(grid: &Grid, enemies: &[Enemy], in_range: &[NodeId]) {
    for y in 0..grid.height() as i32 {
        let row = (0..grid.width() as i32).map(|x| {
            let cell = Cell::new(x, y);
            let here = |enemy: &Enemy| grid.frame().cell_at(enemy.walk.position()) == cell;
            match enemies.iter().position(here) {
                Some(enemy) => (b'0' + enemy as u8) as char,
                None if !grid.is_open(cell) => '#',
                None if grid.node(cell).is_some_and(|node| in_range.contains(&node)) => '+',
                None => '.',
            }
        });
        println!("  {}", row.collect::<String>());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut grid = Grid::new(32, 9)?;
    let mut service = PathService::new(ServiceSpec { workers: 1, ..ServiceSpec::default() });
    let (mut enemies, mut siting): (Vec<Enemy>, Siting) = Default::default();
    let towers = [(6, 0), (6, 3), (14, 6), (14, 3), (22, 0), (22, 3), (22, 6), (30, 3)];
    // The last two are ordered while the first wave is walking.
    let orders = towers.map(|tower| (0, tower)).into_iter().chain([(13, (8, 5)), (17, (10, 4))]);
    let mut orders: VecDeque<(usize, (i32, i32))> = orders.collect();
    for frame in 0..30 {
        while let Some((_, (x, y))) = orders.pop_front_if(|(when, _)| *when <= frame) {
            match build(&mut grid, &mut siting, Cell::new(x, y), &enemies) {
                Ok((cost, added)) => {
                    let [cost, added] = [cost, added].map(|cost| Scale::GRID.cells(cost));
                    println!(
                        "frame {frame:2}: tower at {x},{y}: built, the path now costs {cost:.2}, {added:.2} more"
                    );
                }
                Err(why) => println!("frame {frame:2}: tower at {x},{y}: refused, {why}"),
            }
        }
        if frame % 5 == 0 && enemies.len() < 4 {
            let walk = Follower::new([grid.frame().cell_centre(GATE)]);
            let mut enemy = Enemy { walk, watched: None, asked: None };
            ask(&mut service, &grid, &mut enemy)?;
            enemies.push(enemy);
        }
        plan(frame, &mut service, &grid, &mut enemies)?;
        for enemy in enemies.iter_mut().filter(|enemy| enemy.asked.is_none()) {
            enemy.walk.advance(1.0);
        }
    }
    let mut field = DistanceField::default();
    field.run(grid.view(&Agent::default()), enemies[2].walk.position(), Range::Within(5.0))?;
    println!("\nthe map at the end; + is within 5 steps of enemy 2: {} cells", field.reached().len());
    draw(&grid, &enemies, field.reached());
    Ok(())
}
