//! Navigation as a resource of a game engine: one value that systems share, read by many, edited by one.
//!
//! Shows what an entity-component engine asks of a resource (`Send + Sync + 'static`), a budget per frame, and a map that changes while
//! a search waits. There is no engine here: in Bevy, `Navigation` would derive `Resource`, and `ask`, `work` and `walk` be systems.
//!
//! `cargo run -p surefoot --example engine_resource`

use std::collections::VecDeque;
use std::error::Error;

use surefoot::path::Path;
use surefoot::prelude::*;

/// The resource: the map, one finder for all, and the requests that wait.
struct Navigation {
    map: Grid,
    agent: Agent,
    finder: Pathfinder,
    waiting: VecDeque<(Entity, Request<Cell>)>,
    is_searching: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entity(usize);

impl Navigation {
    /// Nodes that searches may expand per frame, all together.
    const BUDGET: u64 = 100;

    fn new(map: Grid) -> Navigation {
        // A* rather than the default, because an open map would be crossed in so few jumps that nothing would have to wait.
        let finder = Pathfinder::new(surefoot::algorithms::ASTAR, &Options::default()).unwrap_or_default();
        Navigation { map, agent: Agent::default(), finder, waiting: VecDeque::new(), is_searching: false }
    }

    fn ask(&mut self, entity: Entity, from: Cell, to: Cell) {
        self.waiting.push_back((entity, Request { from, to }));
    }

    /// Spends the budget of a frame and hands over what is done.
    fn work(&mut self, mut done: impl FnMut(Entity, Result<&Path, Why>)) {
        let view = self.map.view(&self.agent);
        let mut left = Self::BUDGET;
        while left > 0
            && let Some(&(entity, Request { from, to })) = self.waiting.front()
        {
            if !self.is_searching {
                self.finder.start(view, from, &[to]);
            }
            let before = self.finder.stats().expanded;
            let outcome = self.finder.resume(view, left);
            left -= self.finder.stats().expanded - before;
            self.is_searching = outcome == Outcome::Paused;
            match outcome {
                Outcome::Paused => return,
                Outcome::Unreachable(Why::WorldChanged) => continue, // searched again, from the start
                Outcome::Unreachable(why) => done(entity, Err(why)),
                Outcome::Found | Outcome::Partial(_) => done(entity, Ok(self.finder.path())),
            }
            self.waiting.pop_front();
        }
    }
}

/// What an engine asks of a resource.
const fn is_resource<T: Send + Sync + 'static>() {}
const _: () = is_resource::<Navigation>();

fn main() -> Result<(), Box<dyn Error>> {
    let mut navigation = Navigation::new(Grid::new(40, 40)?);
    for number in 0..4 {
        navigation.ask(Entity(number), Cell::new(0, number as i32), Cell::new(39, 35));
    }
    let (mut arrived, mut frames) = (Vec::new(), 0);
    while !navigation.waiting.is_empty() {
        if frames == 1 {
            navigation.map.set(Cell::new(20, 20), Terrain::WALL)?; // while a search waits
        }
        let wall = navigation.map.node(Cell::new(20, 20));
        navigation.work(|entity, path| {
            assert!(
                path.is_ok_and(|path| frames == 0 || !path.nodes().iter().any(|&node| Some(node) == wall))
            );
            arrived.push(entity);
        });
        frames += 1;
    }
    assert_eq!(arrived, [0, 1, 2, 3].map(Entity), "in the order of the requests");
    assert!(frames > 1, "the work was spread over frames");
    println!("4 paths in {frames} frames");
    Ok(())
}
