//! Movement rules as tables: from the open neighbours of a cell to the steps worth taking.
//!
//! A byte stores which of the eight neighbours of a cell are open (bit = number of the [`Direction`]). A movement rule
//! turns it into the steps that are legal: [`Rule::legal`], one table look-up. On a map where all open cells cost the
//! same, most legal steps are also redundant, because the cell's parent reaches their target as cheaply without it:
//! [`Rule::canonical`] leaves those out (Harabor and Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*,
//! AAAI 2011; Sturtevant and Rabin, *Canonical Orderings on Grids*, IJCAI 2016).
//!
//! # Why nothing is lost
//! A step `n -> m` is left out, given that `n` was reached from `p`, when `p` reaches `m` without `n`
//! (a) strictly cheaper, or (b) at the same cost, by `p -> q -> m` where the diagonal comes first (with the rule `4`:
//! where the horizontal step comes first). Claim: every cell `m` still gets its optimal cost, whichever of several
//! optimal parents each cell keeps. By induction over costs: take an optimal last step `n -> m` with `p` the parent
//! kept at `n`. (a) would contradict optimality. If (b) leaves the step out, then `q -> m` is another optimal last step,
//! and it is straight (vertical). Such a step is never left out by (b), whichever parent `q` keeps, for (b) leaves out
//! only diagonal (horizontal) last steps, nor by (a). And `q`, being cheaper than `m`, has its optimal cost.

use std::sync::OnceLock;

use crate::agent::Moves;
use crate::core::expand::{ARRIVALS, Arrival, START};
use crate::cost::Cost;
use crate::world::grid::direction::Direction;

/// The tables of one movement rule.
#[derive(Debug)]
pub(crate) struct Rule {
    /// By arrival (a direction's number, or [`START`]) and neighbour byte: the steps to try, as a byte.
    steps: [[u8; 256]; ARRIVALS],
    /// By neighbour byte: whether there are just two legal steps.
    corridors: [bool; 256],
}

/// Added to the number of a direction: the arrival from that direction at the end of a corridor with turns.
pub(crate) const BY_CORRIDOR: u8 = 8;

impl Rule {
    /// The tables of a rule, built on first use.
    pub fn of(moves: Moves) -> &'static Rule {
        static RULES: [OnceLock<Rule>; 4] = [const { OnceLock::new() }; 4];
        RULES[moves as usize].get_or_init(|| Rule::build(moves))
    }

    /// The legal steps.
    #[inline]
    pub fn legal(&self, neighbours: u8) -> u8 {
        self.steps[START.0 as usize][neighbours as usize]
    }

    /// The legal steps that are not redundant after arriving by a step in the direction numbered `arrival`, at the end of a corridor or not.
    #[inline]
    pub fn canonical(&self, arrival: Arrival, neighbours: u8) -> u8 {
        self.steps[arrival.0 as usize % ARRIVALS][neighbours as usize]
    }

    /// The steps after arriving in a direction that are there only because of a wall nearby: not those that follow from
    /// the direction alone.
    pub fn forced(&self, moves: Moves, arrival: Direction, neighbours: u8) -> u8 {
        let natural =
            fan(moves, arrival).into_iter().flatten().fold(arrival.bit(), |all, step| all | step.bit());
        self.canonical(Arrival(arrival as u8), neighbours) & !natural
    }

    /// Whether there is a direction of arrival after which a wall forces a step.
    pub fn forces(&self, moves: Moves, neighbours: u8) -> bool {
        Direction::ALL.into_iter().any(|arrival| self.forced(moves, arrival, neighbours) != 0)
    }

    /// The legal steps that may be part of a cheapest path, by the set of directions from which a cell is reached at its lowest
    /// cost, and by its neighbour byte. No tie is lost. If all cells cost the same, the caller supplies what straight and
    /// diagonal steps cost; otherwise nothing can be left out.
    pub fn thrifty(moves: Moves, level: Option<[Cost; 2]>) -> &'static [[u8; 256]] {
        static TABLES: [[OnceLock<Vec<[u8; 256]>>; 6]; 4] = [const { [const { OnceLock::new() }; 6] }; 4];
        // All metrics of a class agree about which of two ways of at most two steps is cheaper.
        let class = level.map_or(5, |[straight, diagonal]| {
            let beside = |other: Cost| diagonal.cmp(&other) as isize + 1;
            (beside(straight) + beside(straight + straight)) as usize
        });
        TABLES[moves as usize][class].get_or_init(|| Rule::of(moves).build_thrifty(moves, level))
    }

    fn build_thrifty(&self, moves: Moves, level: Option<[Cost; 2]>) -> Vec<[u8; 256]> {
        let mut thrifty = vec![self.steps[START.0 as usize]; 256];
        let Some(costs) = level else { return thrifty };
        for arrival in Direction::ALL {
            for (neighbours, steps) in (0..=255).zip(&mut thrifty[usize::from(arrival.bit())]) {
                let around = Around { moves, neighbours };
                let (dx, dy) = arrival.delta();
                if around.legal((-dx, -dy), arrival) {
                    let wasteful = |step: &Direction| around.wasteful(arrival, *step, costs);
                    let wasted = Direction::ALL.into_iter().filter(wasteful);
                    *steps &= !wasted.fold(0, |all, step| all | step.bit());
                }
            }
        }
        for arrivals in 1..thrifty.len() {
            let lowest = arrivals & arrivals.wrapping_neg();
            let (one, others) = (thrifty[lowest], thrifty[arrivals ^ lowest]);
            thrifty[arrivals] = std::array::from_fn(|neighbours| one[neighbours] & others[neighbours]);
        }
        thrifty
    }

    /// Whether there is one way in and one way out.
    #[inline]
    pub fn is_corridor(&self, neighbours: u8) -> bool {
        self.corridors[neighbours as usize]
    }

    fn build(moves: Moves) -> Rule {
        let mut steps = [[0_u8; 256]; ARRIVALS];
        for neighbours in 0..=255 {
            let around = Around { moves, neighbours };
            for direction in Direction::ALL {
                if !around.legal((0, 0), direction) {
                    continue;
                }
                steps[START.0 as usize][neighbours as usize] |= direction.bit();
                for arrival in Direction::ALL {
                    // Where the step from the parent is not legal now, the table is never used.
                    let (dx, dy) = arrival.delta();
                    if around.legal((-dx, -dy), arrival) && !around.pointless(arrival, direction) {
                        steps[arrival as usize][neighbours as usize] |= direction.bit();
                    }
                }
            }
        }
        for direction in Direction::ALL {
            steps[(direction as u8 | BY_CORRIDOR) as usize] = steps[direction as usize];
        }
        Rule { steps, corridors: steps[START.0 as usize].map(|legal| legal.count_ones() == 2) }
    }
}

/// The two directions in which a path may turn in the open after a step: off a diagonal, its straight components (with the
/// rule `4`, off a horizontal, both verticals); off any other step, none.
pub(crate) fn fan(moves: Moves, direction: Direction) -> [Option<Direction>; 2] {
    let (dx, dy) = direction.delta();
    match moves {
        Moves::Four if is_horizontal(direction) => [Some(Direction::North), Some(Direction::South)],
        Moves::Four => [None; 2],
        _ if direction.is_diagonal() => [Direction::of(0, dy), Direction::of(dx, 0)],
        _ => [None; 2],
    }
}

/// A cell, which is open, and its eight neighbours; positions are relative to the cell.
struct Around {
    moves: Moves,
    neighbours: u8,
}

impl Around {
    fn open(&self, (x, y): (i32, i32)) -> bool {
        (x, y) == (0, 0)
            || Direction::of(x, y).is_some_and(|direction| self.neighbours & direction.bit() != 0)
    }

    /// Whether a step between two cells of this neighbourhood is legal. It depends on no cell outside it.
    fn legal(&self, (x, y): (i32, i32), direction: Direction) -> bool {
        let (dx, dy) = direction.delta();
        let sides = [self.open((x + dx, y)), self.open((x, y + dy))];
        self.open((x, y))
            && self.open((x + dx, y + dy))
            && (!direction.is_diagonal()
                || match self.moves {
                    Moves::Four => false,
                    Moves::Eight => sides[0] && sides[1],
                    Moves::EightOne => sides[0] || sides[1],
                    Moves::EightFree => true,
                })
    }

    /// Whether the parent reaches the target of `second` as well without the cell between. Rules (a) and (b) above; of
    /// two straight steps against one diagonal, and of two diagonals against two straights, the cheaper is clear as long
    /// as straight < diagonal < 2 straight.
    fn pointless(&self, first: Direction, second: Direction) -> bool {
        let (parent, target) = ((-first.delta().0, -first.delta().1), second.delta());
        if parent == target {
            return true;
        }
        if let Some(direct) = Direction::of(target.0 - parent.0, target.1 - parent.1)
            && self.legal(parent, direct)
        {
            return true;
        }
        let through = price(first) + price(second);
        self.detours(parent, target).any(|(detour, last)| {
            let cost = price(detour) + price(last);
            let preferred = match self.moves {
                Moves::Four => is_horizontal(detour) && !is_horizontal(last) && is_horizontal(second),
                _ => detour.is_diagonal() && !last.is_diagonal() && second.is_diagonal(),
            };
            cost < through || cost == through && preferred
        })
    }

    /// Whether the parent reaches the target of `second` strictly cheaper without the cell between, straight and diagonal
    /// steps costing what they do. Rule (a) above, for any metric.
    fn wasteful(&self, first: Direction, second: Direction, costs: [Cost; 2]) -> bool {
        let cost = |step: Direction| costs[usize::from(step.is_diagonal())];
        let (parent, target) = ((-first.delta().0, -first.delta().1), second.delta());
        let through = cost(first) + cost(second);
        parent == target
            || Direction::of(target.0 - parent.0, target.1 - parent.1)
                .is_some_and(|direct| self.legal(parent, direct) && cost(direct) < through)
            || self.detours(parent, target).any(|(detour, last)| cost(detour) + cost(last) < through)
    }

    /// The legal paths of two steps between two neighbours of the cell that do not lead over the cell.
    fn detours(
        &self,
        parent: (i32, i32),
        target: (i32, i32),
    ) -> impl Iterator<Item = (Direction, Direction)> {
        Direction::ALL.into_iter().filter_map(move |detour| {
            let middle = (parent.0 + detour.delta().0, parent.1 + detour.delta().1);
            if middle == (0, 0) || middle.0.abs() > 1 || middle.1.abs() > 1 {
                return None;
            }
            let last = Direction::of(target.0 - middle.0, target.1 - middle.1)?;
            (self.legal(parent, detour) && self.legal(middle, last)).then_some((detour, last))
        })
    }
}

/// Stand-ins for the costs of steps that order every pair of two-step paths as real metrics do.
fn price(direction: Direction) -> u32 {
    if direction.is_diagonal() { 14 } else { 10 }
}

fn is_horizontal(direction: Direction) -> bool {
    direction.delta().1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(byte: u8) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|direction| byte & direction.bit() != 0).collect()
    }

    #[test]
    fn in_the_open_a_straight_arrival_goes_straight_on_and_a_diagonal_one_fans_out() {
        let rule = Rule::of(Moves::Eight);
        assert_eq!(names(rule.canonical(Arrival(Direction::East as u8), 255)), [Direction::East]);
        let fan = [Direction::North, Direction::East, Direction::NorthEast];
        assert_eq!(names(rule.canonical(Arrival(Direction::NorthEast as u8), 255)), fan);
    }

    #[test]
    fn without_corner_cutting_a_wall_diagonally_behind_forces_a_turn() {
        let open = !Direction::NorthWest.bit();
        let steps = Rule::of(Moves::Eight).canonical(Arrival(Direction::East as u8), open);
        assert_eq!(names(steps), [Direction::North, Direction::East, Direction::NorthEast]);
    }

    #[test]
    fn with_free_corners_a_wall_beside_forces_the_diagonal_past_it() {
        let open = !Direction::North.bit();
        let steps = Rule::of(Moves::EightFree).canonical(Arrival(Direction::East as u8), open);
        assert_eq!(names(steps), [Direction::East, Direction::NorthEast]);
    }

    #[test]
    fn thrift_omits_more_expensive_steps_and_keeps_ties() {
        let steps = |arrivals: &[Direction], neighbours: u8, costs: [u64; 2]| {
            let arrivals = arrivals.iter().fold(0, |all, step| all | step.bit());
            let level = costs.map(Cost::from_units);
            names(Rule::thrifty(Moves::Eight, Some(level))[usize::from(arrivals)][usize::from(neighbours)])
        };
        let (east, north_east) = (Direction::East, Direction::NorthEast);
        assert_eq!(steps(&[east], 255, [10, 14]), [east, north_east, Direction::SouthEast]);
        assert_eq!(steps(&[east, north_east], 255, [10, 14]), [east, north_east]);
        assert_eq!(steps(&[], 255, [10, 14]).len(), 8);
        // Two straights that cost what the diagonal does are worth keeping.
        assert_eq!(steps(&[east], 255, [10, 20]).len(), 5);
        assert_eq!(Rule::thrifty(Moves::Eight, None)[usize::from(east.bit())][255], 255);
    }

    #[test]
    fn rules_differ_at_corners_only() {
        let one_side = !Direction::North.bit();
        let no_side = one_side & !Direction::East.bit();
        let north_east = |moves, open| Rule::of(moves).legal(open) & Direction::NorthEast.bit() != 0;
        assert_eq!(Moves::ALL.map(|moves| north_east(moves, 255)), [false, true, true, true]);
        assert_eq!(Moves::ALL.map(|moves| north_east(moves, one_side)), [false, false, true, true]);
        assert_eq!(Moves::ALL.map(|moves| north_east(moves, no_side)), [false, false, false, true]);
    }
}
