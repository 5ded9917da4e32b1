//! Two agents that have to change places in a corridor: one leads the other out of it (K. Okumura, *Improving `LaCAM` for Scalable Eventually Optimal
//! Multi-Agent Pathfinding*, IJCAI 2023).

use super::{Board, NO_AGENT, Stepper};
use crate::cooperate::floor::NOWHERE;
use crate::cooperate::guide::Compass;

/// What lies behind an agent that is pushed along a corridor.
enum Behind {
    /// Two free cells or more: the two can pass each other there.
    Junction,
    /// The only free cell.
    Corridor(u32),
    DeadEnd,
}

impl Stepper {
    /// Returns the agent with which an agent has to change places, if it has to and can. `best` is where the agent wants to go.
    pub(super) fn follower(
        &self,
        board: &Board,
        compass: &mut Compass<'_>,
        from: &[u32],
        agent: u16,
        best: u32,
    ) -> u16 {
        let here = from[usize::from(agent)];
        let ahead = self.now[best as usize];
        if ahead != NO_AGENT
            && ahead != agent
            && self.to[usize::from(ahead)] == NOWHERE
            && self.must_swap(board, compass, [agent, ahead], [here, best])
            && self.can_swap(board, [best, here])
        {
            return ahead;
        }
        if best == here {
            return NO_AGENT;
        }
        // An agent behind may need the way that this one is going to take.
        let behind = board.floor.neighbours(here).iter().map(|&cell| (cell, self.now[cell as usize]));
        let blocked =
            behind.filter(|&(cell, other)| other != NO_AGENT && cell != best).find(|&(_, other)| {
                self.must_swap(board, compass, [other, agent], [here, best])
                    && self.can_swap(board, [best, here])
            });
        blocked.map_or(NO_AGENT, |(_, other)| other)
    }

    /// Returns whether two agents, one behind the other, want to go through each other: the first pushes the second along a corridor up to where they could pass
    /// each other only if both still gained by it.
    fn must_swap(
        &self,
        board: &Board,
        compass: &mut Compass<'_>,
        agents: [u16; 2],
        [mut pusher, mut pulled]: [u32; 2],
    ) -> bool {
        let [first, second] = agents.map(usize::from);
        let floor = &board.floor;
        while compass.steps(floor, first, pulled) < compass.steps(floor, first, pusher) {
            match self.behind(board, pusher, pulled) {
                Behind::Junction => return false,
                Behind::DeadEnd => break,
                Behind::Corridor(next) => (pusher, pulled) = (pulled, next),
            }
        }
        let [at, ahead] = [pusher, pulled].map(|cell| compass.steps(floor, first, cell));
        compass.steps(floor, second, pusher) < compass.steps(floor, second, pulled) && (at == 0 || ahead < at)
    }

    /// Returns whether two agents find a place to pass each other if the second goes on, followed by the first.
    fn can_swap(&self, board: &Board, [start, mut pulled]: [u32; 2]) -> bool {
        let mut pusher = start;
        loop {
            match self.behind(board, pusher, pulled) {
                Behind::Junction => return true,
                Behind::DeadEnd => return false,
                Behind::Corridor(next) => (pusher, pulled) = (pulled, next),
            }
            if pulled == start {
                return false;
            }
        }
    }

    /// What lies behind an agent on the cell `pulled`, seen from its neighbour `pusher`. Dead ends of one cell in which an agent is at its goal do not count.
    fn behind(&self, board: &Board, pusher: u32, pulled: u32) -> Behind {
        let neighbours = board.floor.neighbours(pulled);
        let is_occupied_end = |cell: u32| {
            let other = self.now[cell as usize];
            other != NO_AGENT
                && board.floor.neighbours(cell).len() == 1
                && board.goals[usize::from(other)] == cell
        };
        let mut found = Behind::DeadEnd;
        for &cell in neighbours {
            if cell == pusher || is_occupied_end(cell) {
                continue;
            }
            found = match found {
                Behind::DeadEnd => Behind::Corridor(cell),
                _ => return Behind::Junction,
            };
        }
        found
    }
}
