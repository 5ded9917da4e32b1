//! Tower defence: enemies walk from the gate to the keep, and towers must not block every path.
//!
//! Shows how to check whether a building would block every path before it is built, path requests with a budget per frame, and the
//! movement range of an enemy.
//!
//! `cargo run -p surefoot --example tower_defence`

use std::collections::VecDeque;
use std::error::Error;

use surefoot::cost::Scale;
use surefoot::prelude::*;
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
    outside: &[Follower],
) -> Result<(Cost, Cost), Box<dyn Error>> {
    let footprint: Vec<Cell> = (0..6).map(|i| corner.offset(i % 2, i / 2)).collect();
    let enemies = outside.iter().map(|enemy| grid.frame().cell_at(enemy.position()));
    let pairs: Vec<(Cell, Cell)> = [GATE].into_iter().chain(enemies).map(|from| (from, KEEP)).collect();
    let verdict = siting.would_block(&grid.view(&Agent::default()), &footprint, &pairs)?;
    if let Some(effect) = verdict.impacts().iter().find(|effect| effect.is_cut_off()) {
        return Err(format!("there would be no path from {},{}", effect.from.x, effect.from.y).into());
    }
    grid.set_many(footprint.into_iter().map(|cell| (cell, Terrain::WALL)))?;
    verdict.impacts()[0].after.zip(verdict.impacts()[0].added()).ok_or_else(|| "the keep is closed".into())
}

/// Path requests, processed in order. An enemy stands still while it waits.
#[derive(Default)]
struct Planner {
    finder: Pathfinder,
    waiting: VecDeque<usize>,
    searching: bool,
}

impl Planner {
    /// Queues enemies that are not waiting yet.
    fn ask(&mut self, mut enemies: Vec<usize>) {
        enemies.retain(|enemy| !self.waiting.contains(enemy));
        self.waiting.extend(enemies);
    }

    /// Uses the budget of one frame; returns the number of expanded nodes.
    fn work(&mut self, grid: &Grid, enemies: &mut [Follower]) -> Result<u64, Box<dyn Error>> {
        let view = grid.view(&Agent::default());
        let mut left = BUDGET;
        while let Some(&enemy) = self.waiting.front() {
            if !self.searching {
                self.finder.start(view, enemies[enemy].position(), &[KEEP]);
            }
            let before = self.finder.stats().expanded;
            let outcome = self.finder.resume(view, left);
            left -= self.finder.stats().expanded - before;
            self.searching = outcome == Outcome::Paused;
            match outcome {
                Outcome::Paused => break,
                Outcome::Unreachable(Why::WorldChanged) => {
                    println!("enemy {enemy} replans: the map has changed");
                }
                Outcome::Unreachable(why) => return Err(why.into()),
                Outcome::Found | Outcome::Partial(_) => {
                    enemies[enemy].reset(self.finder.path().points(view));
                    self.waiting.pop_front();
                }
            }
        }
        Ok(BUDGET - left)
    }
}

fn draw(grid: &Grid, enemies: &[Follower], in_range: &[NodeId]) {
    for y in 0..grid.height() as i32 {
        let row = (0..grid.width() as i32).map(|x| {
            let cell = Cell::new(x, y);
            let here = |enemy: &Follower| grid.frame().cell_at(enemy.position()) == cell;
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
    let (mut planner, mut enemies, mut siting) = (Planner::default(), Vec::new(), Siting::default());
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
                    planner.ask((0..enemies.len()).collect());
                }
                Err(why) => println!("frame {frame:2}: tower at {x},{y}: refused, {why}"),
            }
        }
        if frame % 5 == 0 && enemies.len() < 4 {
            planner.ask(vec![enemies.len()]);
            enemies.push(Follower::new([grid.frame().cell_centre(GATE)]));
        }
        let spent = planner.work(&grid, &mut enemies)?;
        if spent > 0 {
            println!("frame {frame:2}: {spent:2} nodes expanded, {} still waiting", planner.waiting.len());
        }
        for (_, enemy) in enemies.iter_mut().enumerate().filter(|(i, _)| !planner.waiting.contains(i)) {
            enemy.advance(1.0);
        }
    }
    let mut field = DistanceField::default();
    field.run(grid.view(&Agent::default()), enemies[2].position(), Range::Within(5.0))?;
    println!("\nthe map at the end; + is within 5 steps of enemy 2: {} cells", field.reached().len());
    draw(&grid, &enemies, field.reached());
    Ok(())
}
