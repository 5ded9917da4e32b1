//! Movement rules of voxel worlds: from the open neighbours of a cell to the steps that are not redundant.
//!
//! A number of 27 bits stores which cells of the 3 x 3 x 3 around a cell are open. [`Rule::legal`] turns it into the legal
//! steps: those whose whole box is open. [`Rule::canonical`] leaves out those that are redundant because the cell's parent
//! reaches their target as well without it (Harabor and Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011;
//! in three dimensions Nobes, Harabor, Wybrow and Walsh, *The JPS Pathfinding System in 3D*, 2022).
//!
//! # Why nothing is lost
//! Steps have a rank: along how many axes they go (with the rule `6`: x above y above z). A step `n -> m` is left out, given that
//! `n` was reached from `p`, when `p` reaches `m` without `n` (a) strictly cheaper, in one step or two, or (b) at the same cost by
//! `p -> q -> m` where `q -> m` is of lower rank than `n -> m`. Claim: every cell `m` still gets its optimal cost, whichever of
//! several optimal parents each cell keeps. By induction over costs: among the optimal last steps into `m` take one, `n -> m`, of the
//! lowest rank; `n` is cheaper than `m`, so it has its optimal cost, by some parent `p`. (a) would contradict optimality, (b) that the
//! rank is the lowest. So the step is not left out.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::agent::VoxelMoves;
use crate::core::expand::Arrival;
use crate::cost::Cost;
use crate::world::voxels::step::{STEPS, Step};

/// All 27 cells.
pub(crate) const ALL_OPEN: u32 = (1 << STEPS) - 1;

/// The bits of steps that leave x as it is, and likewise y and z.
const MIDDLE: [u32; 3] = [middle(0), middle(1), middle(2)];

const fn middle(axis: usize) -> u32 {
    let (mut bits, mut number) = (0, 0);
    while number < STEPS {
        if Step::ALL[number].delta()[axis] == 0 {
            bits |= 1 << number;
        }
        number += 1;
    }
    bits
}

/// What a movement rule allows, and what makes steps redundant.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The steps of the rule.
    known: u32,
    /// By arrival: the steps to try where everything is open.
    natural: [u32; STEPS],
    /// By arrival: the other steps, each with the sets of cells of which one has to be open for the step to be redundant.
    excuses: [Vec<Excuse>; STEPS],
    /// The steps that are followed by none but themselves where everything is open.
    single: u32,
}

#[derive(Debug)]
struct Excuse {
    step: u32,
    sets: Vec<u32>,
}

impl Rule {
    /// The tables of a rule, built on first use.
    pub fn of(moves: VoxelMoves) -> &'static Rule {
        static RULES: [OnceLock<Rule>; 3] = [const { OnceLock::new() }; 3];
        RULES[moves as usize].get_or_init(|| Rule::build(moves))
    }

    /// The legal steps, by the open cells around a cell that is open itself. A box is open if it is open on the near side of each axis
    /// and stays so on the far side, so three rounds of widening from the middle do.
    #[inline]
    pub fn legal(&self, around: u32) -> u32 {
        let mut open = around;
        for (axis, shift) in [(0, 1), (1, 3), (2, 9)] {
            let middle = open & MIDDLE[axis];
            open &= middle | middle << shift | middle >> shift;
        }
        open & self.known
    }

    /// The steps that are followed by none but themselves where everything is open: lines of them can be crossed at once.
    pub fn single(&self) -> u32 {
        self.single
    }

    /// The legal steps that are not redundant after an arrival: the number of a step, or any other number for a start.
    #[inline]
    pub fn canonical(&self, arrival: Arrival, around: u32) -> u32 {
        let Some(natural) = self.natural.get(usize::from(arrival.0)) else { return self.legal(around) };
        if around == ALL_OPEN { *natural } else { self.canonical_near_walls(arrival, around) }
    }

    fn canonical_near_walls(&self, arrival: Arrival, around: u32) -> u32 {
        let arrival = usize::from(arrival.0);
        let legal = self.legal(around);
        let mut steps = legal & self.natural[arrival];
        for excuse in &self.excuses[arrival] {
            let excused = || excuse.sets.iter().any(|set| set & around == *set);
            if excuse.step & legal != 0 && !excused() {
                steps |= excuse.step;
            }
        }
        steps
    }

    fn build(moves: VoxelMoves) -> Rule {
        let allowed = |step: &Step| match moves {
            VoxelMoves::Six => step.axes() == 1,
            VoxelMoves::Eighteen => matches!(step.axes(), 1 | 2),
            VoxelMoves::TwentySix => step.axes() > 0,
        };
        let steps: Vec<Step> = Step::ALL.into_iter().filter(allowed).collect();
        let mut rule = Rule {
            known: steps.iter().fold(0, |all, step| all | step.bit()),
            natural: [0; STEPS],
            excuses: [const { Vec::new() }; STEPS],
            single: 0,
        };
        for &arrival in &steps {
            let number = usize::from(arrival.number());
            for &step in &steps {
                match excuses(moves, &steps, arrival, step) {
                    None => {}
                    Some(sets) if sets.is_empty() => rule.natural[number] |= step.bit(),
                    Some(sets) => rule.excuses[number].push(Excuse { step: step.bit(), sets }),
                }
            }
            if rule.natural[number] == arrival.bit() {
                rule.single |= arrival.bit();
            }
        }
        rule
    }
}

/// The sets of cells that make a step redundant after an arrival, none of them part of another; `None` if it is redundant anyway.
/// Both steps are taken to be legal.
fn excuses(moves: VoxelMoves, steps: &[Step], arrival: Step, step: Step) -> Option<Vec<u32>> {
    let (parent, target) = (arrival.opposite().delta(), step.delta());
    if parent == target {
        return None;
    }
    let through = arrival.cost() + step.cost();
    let given = span(parent, [0; 3]) | span([0; 3], target);
    let mut sets: Vec<u32> = Vec::new();
    let mut excuse = |cost: Cost, last: Step, cells: u32| {
        if cost < through || cost == through && rank(moves, last) < rank(moves, step) {
            sets.push(cells & !given);
        }
    };
    let known = |from, to| Step::between(from, to).filter(|step| steps.contains(step));
    if let Some(direct) = known(parent, target) {
        excuse(direct.cost(), direct, span(parent, target));
    }
    for middle in Step::ALL.map(Step::delta).into_iter().filter(|middle| *middle != [0; 3]) {
        if let (Some(first), Some(last)) = (known(parent, middle), known(middle, target)) {
            excuse(first.cost() + last.cost(), last, span(parent, middle) | span(middle, target));
        }
    }
    if sets.contains(&0) {
        return None;
    }
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|set| !all.iter().any(|other| other != set && other & set == *other));
    Some(sets)
}

/// The cells of the box between two places, as bits.
fn span(from: [i32; 3], to: [i32; 3]) -> u32 {
    let within = |place: [i32; 3]| {
        (0..3).all(|axis| (from[axis].min(to[axis])..=from[axis].max(to[axis])).contains(&place[axis]))
    };
    Step::ALL.into_iter().filter(|cell| within(cell.delta())).fold(0, |all, cell| all | cell.bit())
}

fn rank(moves: VoxelMoves, step: Step) -> usize {
    match moves {
        VoxelMoves::Six => {
            let [dx, dy, _] = step.delta();
            if dx != 0 { 3 } else { 1 + usize::from(dy != 0) }
        }
        _ => step.axes(),
    }
}

/// Caches the results of [`Rule::canonical`], which is slow near walls; walls look alike.
#[derive(Debug, Default)]
pub(crate) struct StepCache {
    moves: Option<VoxelMoves>,
    /// The query in the upper half, the result in the lower. Atomic so that finders can be shared between threads: a relaxed load or
    /// store of one word is a plain one, and any entry is right wherever it comes from.
    entries: Vec<AtomicU64>,
}

/// How many results are remembered: a power of two.
const CACHE_BITS: u32 = 12;

impl StepCache {
    /// Allocates the cache, and clears it if it was built for another rule.
    pub fn begin(&mut self, moves: VoxelMoves) {
        if self.moves.replace(moves) != Some(moves) {
            self.entries.clear();
            self.entries.resize_with(1 << CACHE_BITS, AtomicU64::default);
        }
    }

    /// Returns the result of the rule.
    #[inline]
    pub fn canonical(&self, rule: &Rule, arrival: Arrival, around: u32) -> u32 {
        if around == ALL_OPEN || usize::from(arrival.0) >= STEPS {
            return rule.canonical(arrival, around);
        }
        // The cell itself is open, so no key is zero.
        let question = around | u32::from(arrival.0) << STEPS;
        let place = (question.wrapping_mul(0x9E37_79B1) >> (32 - CACHE_BITS)) as usize;
        let Some(entry) = self.entries.get(place) else { return rule.canonical(arrival, around) };
        let known = entry.load(Ordering::Relaxed);
        if (known >> 32) as u32 == question {
            return known as u32;
        }
        let steps = rule.canonical(arrival, around);
        entry.store(u64::from(question) << 32 | u64::from(steps), Ordering::Relaxed);
        steps
    }

    /// Returns the memory held in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::voxels::step::STAY;

    fn step(dx: i32, dy: i32, dz: i32) -> Step {
        Step::between([0; 3], [dx, dy, dz]).unwrap()
    }

    fn after(moves: VoxelMoves, arrival: Step, around: u32) -> u32 {
        Rule::of(moves).canonical(Arrival(arrival.number()), around)
    }

    fn bits(steps: &[Step]) -> u32 {
        steps.iter().fold(0, |all, step| all | step.bit())
    }

    #[test]
    fn in_the_open_each_arrival_is_followed_by_its_own_parts() {
        let straight = step(1, 0, 0);
        assert_eq!(after(VoxelMoves::TwentySix, straight, ALL_OPEN), straight.bit());
        let face = step(1, -1, 0);
        assert_eq!(
            after(VoxelMoves::TwentySix, face, ALL_OPEN),
            bits(&[face, step(1, 0, 0), step(0, -1, 0)])
        );
        assert_eq!(after(VoxelMoves::TwentySix, step(1, 1, -1), ALL_OPEN).count_ones(), 7);
        assert_eq!(
            after(VoxelMoves::Six, step(0, 1, 0), ALL_OPEN),
            bits(&[step(0, 1, 0), step(0, 0, 1), step(0, 0, -1)])
        );
        assert_eq!(Rule::of(VoxelMoves::Six).single(), bits(&[step(0, 0, 1), step(0, 0, -1)]));
        assert_eq!(Rule::of(VoxelMoves::TwentySix).single().count_ones(), 6);
        assert_eq!(Rule::of(VoxelMoves::Eighteen).single().count_ones(), 6);
    }

    #[test]
    fn a_wall_behind_forces_a_turn() {
        let around = ALL_OPEN & !step(-1, 1, 0).bit();
        let steps = after(VoxelMoves::TwentySix, step(1, 0, 0), around);
        assert!(steps & step(0, 1, 0).bit() != 0 && steps & step(1, 1, 0).bit() != 0);
        assert_eq!(steps & step(0, -1, 0).bit(), 0);
    }

    #[test]
    fn legal_steps_are_those_whose_box_is_open() {
        let mut state = 7_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let around = (state >> 3 | state << 7) & ALL_OPEN | STAY;
            for moves in VoxelMoves::ALL {
                let rule = Rule::of(moves);
                let open = |step: &Step| span([0; 3], step.delta()) & !around == 0;
                let known = |step: &Step| rule.known & step.bit() != 0;
                let expected: Vec<Step> =
                    Step::ALL.into_iter().filter(|step| known(step) && open(step)).collect();
                assert_eq!(rule.legal(around), bits(&expected));
            }
        }
    }

    #[test]
    fn the_cache_equals_the_rule() {
        let mut cache = StepCache::default();
        let mut state = 11_u32;
        for round in 0..30_000_usize {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few walls, so that the same surroundings recur.
            let around = (ALL_OPEN & !(1 << ((state >> 8) % 27)) & !(1 << ((state >> 16) % 27))) | STAY;
            let moves = VoxelMoves::ALL[round / 10_000];
            cache.begin(moves);
            let arrival = Arrival((state >> 24) as u8 % 32);
            let rule = Rule::of(moves);
            assert_eq!(cache.canonical(rule, arrival, around), rule.canonical(arrival, around));
        }
    }
}
