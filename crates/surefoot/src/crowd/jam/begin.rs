//! The beginning of a jam: its units, its cells, and what is to be planned.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::moves::Moves;
use super::{Held, Jam, Phase, WIDEST};
use crate::agent::{Agent, Moves as Rule};
use crate::cooperate::{Cooperation, Task};
use crate::crowd::Crowd;
use crate::crowd::spec::Event;
use crate::crowd::store::{Mode, NONE};
use crate::crowd::vector::Vec2;
use crate::crowd::walls::Walls;
use crate::id::NodeId;
use crate::world::grid::{Direction, Grid, GridView};

/// Units that are nearer than this, besides their radii, belong together.
const CLUSTER: f64 = 0.5;

/// How many cells there are for each unit, if there are so many: the fewer, the longer the plans.
const SPARSE: usize = 4;

/// Where paths are looked at, in cells.
const SAMPLE: f64 = 0.5;

/// The agent that units of a jam are for the plan.
pub(super) fn agent() -> Agent {
    Agent::new().with_moves(Rule::Four)
}

/// How many units begin a jam together, at most.
fn most_units(attempt: u8) -> usize {
    [24, 64, 200, 600, 1500][usize::from(attempt).min(4)]
}

/// How far around its units a jam has cells.
fn depth(attempt: u8) -> u32 {
    [4, 8, 14, 24, 48][usize::from(attempt).min(4)]
}

/// After how many iterations a plan is given up.
pub(super) fn most_iterations(attempt: u8) -> u64 {
    [2_000, 4_000, 8_000, 15_000, 30_000][usize::from(attempt).min(4)]
}

/// The cells of a jam while it is made.
#[derive(Debug, Default)]
pub(super) struct Region {
    inside: Held,
    cells: Vec<NodeId>,
    walk: VecDeque<(NodeId, u32)>,
    /// By cell of the region: which member it belongs to.
    taken: BTreeMap<NodeId, u32>,
}

impl Region {
    fn clear(&mut self) {
        self.inside.release(&self.cells);
        self.cells.clear();
        self.walk.clear();
        self.taken.clear();
    }

    fn add(&mut self, node: NodeId) -> bool {
        let is_new = !self.inside.contains(node);
        if is_new {
            self.inside.insert(node);
            self.cells.push(node);
        }
        is_new
    }

    fn remove(&mut self, node: NodeId) {
        if self.inside.contains(node) {
            self.inside.release(&[node]);
            self.cells.retain(|&other| other != node);
        }
    }

    /// The cell nearest to a start, by walking within the region, that is not taken. The cells on the way are returned from the end to the start.
    fn nearest_free(&mut self, view: &GridView<'_>, start: NodeId) -> Option<Vec<NodeId>> {
        let mut came: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        self.walk.clear();
        self.walk.push_back((start, 0));
        came.insert(start, start);
        while let Some((node, depth)) = self.walk.pop_front() {
            if !self.taken.contains_key(&node) && self.inside.contains(node) {
                let mut way = vec![node];
                let mut at = node;
                while at != start {
                    at = came[&at];
                    way.push(at);
                }
                return Some(way);
            }
            for to in beside(view, node) {
                if self.inside.contains(to) && !came.contains_key(&to) {
                    came.insert(to, node);
                    self.walk.push_back((to, depth + 1));
                }
            }
        }
        None
    }
}

/// How many units are on the cells of a region, and whether it has room for them.
struct Room {
    /// The cells that units are on, in order.
    occupied: Vec<NodeId>,
    counted: usize,
    units: usize,
}

impl Room {
    fn new(crowd: &Crowd, walls: &Walls<'_>) -> Room {
        let on = |unit: usize| walls.node(crowd.units.at[unit]).filter(|_| crowd.can_join(unit));
        let mut occupied: Vec<NodeId> = (0..crowd.units.len()).filter_map(on).collect();
        occupied.sort_unstable();
        Room { occupied, counted: 0, units: 0 }
    }

    fn is_enough(&mut self, region: &Region, members: usize) -> bool {
        for node in &region.cells[self.counted..] {
            let first = self.occupied.partition_point(|other| other < node);
            self.units += self.occupied[first..].iter().take_while(|other| *other == node).count();
        }
        self.counted = region.cells.len();
        region.cells.len() >= SPARSE * self.units.max(members)
    }
}

/// The neighbours of a cell, by straight steps.
fn beside<'a>(view: &'a GridView<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + 'a {
    let steps = view.legal_steps(node);
    let straight = Direction::ALL.into_iter().take(4).filter(move |step| steps & step.bit() != 0);
    straight.map(move |step| NodeId(node.0.wrapping_add_signed(view.offsets()[step as usize])))
}

impl Crowd {
    /// Begins a jam around a unit, unless it cannot be planned.
    pub(super) fn begin_jam(&mut self, grid: &Grid, unit: usize, attempt: u8) {
        let agent = agent();
        let view = grid.view(&agent);
        let walls = Walls::new(grid);
        let mut region = std::mem::take(&mut self.jams.region);
        region.clear();
        let members = self.gather_members(&view, &walls, unit, attempt, &mut region);
        let Some(members) = members else {
            self.units.progress[unit].stalled = 0.0;
            self.jams.region = region;
            return;
        };
        let jam = self.plan_jam(&view, &walls, members, attempt, &mut region);
        self.jams.region = region;
        let Some(jam) = jam else {
            // More units and cells the next time, after a while.
            self.units.trouble[unit] = self.units.trouble[unit].saturating_add(2);
            self.units.progress[unit].stalled = 0.0;
            return;
        };
        self.stats.jams_found += 1;
        self.events.push(Event::JamFound { units: jam.members.len() });
        let number = self.jams.list.iter().position(Option::is_none).unwrap_or_else(|| {
            self.jams.list.push(None);
            self.jams.list.len() - 1
        });
        for (seat, &unit) in (0..).zip(&jam.members) {
            self.units.jam[unit as usize] = number as u32;
            self.jams.seats[unit as usize] = seat;
        }
        for &node in &jam.cells {
            self.jams.held.insert(node);
        }
        self.jams.list[number] = Some(jam);
    }

    fn can_join(&self, unit: usize) -> bool {
        !matches!(self.units.mode[unit], Mode::Gone | Mode::InLink)
            && self.units.jam[unit] == NONE
            && self.units.radius[unit] <= WIDEST
    }

    /// The units that touch one, those that touch them, and so on; then all on the cells around.
    fn gather_members(
        &self,
        view: &GridView<'_>,
        walls: &Walls<'_>,
        unit: usize,
        attempt: u8,
        region: &mut Region,
    ) -> Option<Vec<u32>> {
        let mut members = vec![unit as u32];
        let mut known: BTreeSet<u32> = BTreeSet::from([unit as u32]);
        let mut index = 0;
        while index < members.len() && members.len() < most_units(attempt) {
            let one = members[index] as usize;
            index += 1;
            let (at, radius) = (self.units.at[one], self.units.radius[one]);
            self.near.for_each(at, |other| {
                let reach = radius + other.radius + CLUSTER;
                let touches = (other.at - at).square() < reach * reach;
                if touches && self.can_join(other.unit as usize) && known.insert(other.unit) {
                    members.push(other.unit);
                }
            });
        }
        let held = &self.jams.held;
        for &member in &members {
            let node = walls.node(self.units.at[member as usize]);
            if let Some(node) = node.filter(|&node| view.is_open_node(node) && !held.contains(node))
                && region.add(node)
            {
                region.walk.push_back((node, 0));
            }
        }
        // All units on the cells belong to the jam, so the cells have to be more than are needed for those.
        let mut room = Room::new(self, walls);
        let enough = depth(attempt);
        while let Some((node, steps)) = region.walk.pop_front() {
            if steps >= enough && room.is_enough(region, known.len()) {
                break;
            }
            for to in beside(view, node) {
                if held.contains(to) {
                    // The jam there is to be resolved first.
                    return None;
                }
                if region.add(to) {
                    region.walk.push_back((to, steps + 1));
                }
            }
        }
        for other in 0..self.units.len() {
            if self.can_join(other)
                && walls.node(self.units.at[other]).is_some_and(|node| region.inside.contains(node))
                && known.insert(other as u32)
            {
                members.push(other as u32);
            }
        }
        // Cells that others stand on, or reach into, are not free.
        for other in 0..self.units.len() {
            if known.contains(&(other as u32)) || matches!(self.units.mode[other], Mode::Gone | Mode::InLink)
            {
                continue;
            }
            let (at, reach) = (self.units.at[other], self.units.radius[other] + WIDEST);
            let (least, most) =
                (Walls::cell(at - Vec2::new(reach, reach)), Walls::cell(at + Vec2::new(reach, reach)));
            for y in least.y..=most.y {
                for x in least.x..=most.x {
                    if let Some(node) = walls.node_of(crate::space::Cell::new(x, y))
                        && (walls.middle(node) - at).square() < reach * reach
                    {
                        region.remove(node);
                    }
                }
            }
        }
        Some(members)
    }

    /// Brings starts nearer to where the members are: two of them exchange theirs, or one takes a free cell, while the squares of the distances become less. Ways that do this least
    /// do not cross.
    fn bring_near(&self, walls: &Walls<'_>, members: &[u32], starts: &mut [NodeId], region: &mut Region) {
        const PASSES: usize = 30;
        /// Cells out of sight count as further away.
        const UNSEEN: f64 = 20.0;
        let cost = |member: usize, node: NodeId| {
            let unit = members[member] as usize;
            let (at, middle) = (self.units.at[unit], walls.middle(node));
            let far = (middle - at).square();
            if far < 0.3 || walls.sees(at, middle, 0.9 * self.units.radius[unit]) {
                far
            } else {
                far + UNSEEN
            }
        };
        let mut costs: Vec<f64> = (0..members.len()).map(|member| cost(member, starts[member])).collect();
        for _ in 0..PASSES {
            let mut is_better = false;
            for member in 0..members.len() {
                let here = Walls::cell(self.units.at[members[member] as usize]);
                let around = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| here.offset(dx, dy)));
                for node in
                    around.filter_map(|cell| walls.node_of(cell)).filter(|&node| region.inside.contains(node))
                {
                    if node == starts[member] {
                        continue;
                    }
                    let new = cost(member, node);
                    match region.taken.get(&node).copied() {
                        None if new < costs[member] - 1e-9 => {
                            region.taken.remove(&starts[member]);
                            region.taken.insert(node, member as u32);
                            (starts[member], costs[member]) = (node, new);
                            is_better = true;
                        }
                        Some(other) => {
                            let other = other as usize;
                            let its = cost(other, starts[member]);
                            if new + its < costs[member] + costs[other] - 1e-9 {
                                let old = std::mem::replace(&mut starts[member], node);
                                starts[other] = old;
                                region.taken.insert(node, member as u32);
                                region.taken.insert(old, other as u32);
                                (costs[member], costs[other]) = (new, its);
                                is_better = true;
                            }
                        }
                        None => {}
                    }
                }
            }
            if !is_better {
                break;
            }
        }
    }

    /// Gives each member a start and a goal, and starts the plan.
    fn plan_jam(
        &self,
        view: &GridView<'_>,
        walls: &Walls<'_>,
        mut members: Vec<u32>,
        attempt: u8,
        region: &mut Region,
    ) -> Option<Jam> {
        let starts = self.starts(view, walls, &mut members, region)?;
        let goals = self.goals(view, walls, &members, region);
        let tasks: Vec<Task> =
            starts.iter().zip(&goals).map(|(&start, &goal)| Task { start, goal }).collect();
        let mut cooperation = Cooperation::new(self.seed.wrapping_add(self.stats.ticks)).without_circles();
        cooperation.start_within(view, &region.cells, &tasks).ok()?;
        let moves = Moves::to_starts(tasks, walls);
        let cells = region.cells.clone();
        Some(Jam {
            phase: Phase::Planning(Box::new(cooperation)),
            members,
            cells,
            moves,
            attempt,
            idle: 0.0,
            restarts: 0,
        })
    }

    /// A cell for each member: the one that it is on, or where there are two on a cell, one beside it, whose unit moves on in turn.
    fn starts(
        &self,
        view: &GridView<'_>,
        walls: &Walls<'_>,
        members: &mut [u32],
        region: &mut Region,
    ) -> Option<Vec<NodeId>> {
        region.taken.clear();
        if members.len() > region.cells.len() {
            return None;
        }
        // The unit nearest to the middle of a cell gets it.
        let off = |unit: u32| {
            let at = self.units.at[unit as usize];
            walls.node(at).map_or(f64::INFINITY, |node| (walls.middle(node) - at).square())
        };
        members.sort_by(|&a, &b| off(a).total_cmp(&off(b)).then(a.cmp(&b)));
        let mut starts = vec![NodeId::NONE; members.len()];
        for (member, &unit) in (0..).zip(members.iter()) {
            let at = self.units.at[unit as usize];
            let cell = walls.node(at).filter(|&node| region.inside.contains(node));
            let begin = match cell {
                Some(node) => node,
                None => *region.cells.iter().min_by(|&&a, &&b| {
                    let distance = |node: NodeId| (walls.middle(node) - at).square();
                    distance(a).total_cmp(&distance(b)).then(a.cmp(&b))
                })?,
            };
            // From the free cell back to here, each cell takes over the unit of the one before.
            let way = region.nearest_free(view, begin)?;
            for pair in way.windows(2) {
                if let Some(moved) = region.taken.remove(&pair[1]) {
                    region.taken.insert(pair[0], moved);
                    starts[moved as usize] = pair[0];
                }
            }
            let last = *way.last()?;
            region.taken.insert(last, member);
            starts[member as usize] = last;
        }
        self.bring_near(walls, members, &mut starts, region);
        Some(starts)
    }

    /// Where each member wants to be: at its place, or where its path leaves the region, or anywhere.
    fn goals(
        &self,
        view: &GridView<'_>,
        walls: &Walls<'_>,
        members: &[u32],
        region: &mut Region,
    ) -> Vec<Option<NodeId>> {
        region.taken.clear();
        let mut goals = vec![None; members.len()];
        let mut others = Vec::new();
        for (member, &unit) in members.iter().enumerate() {
            let unit = unit as usize;
            let place = self.units.place[unit];
            match self.units.mode[unit] {
                Mode::Arrived if region.inside.contains(place) && !region.taken.contains_key(&place) => {
                    region.taken.insert(place, member as u32);
                    goals[member] = Some(place);
                }
                Mode::Walking => {
                    let Some(exit) = self.exit(walls, unit, region) else { continue };
                    if exit == place && !region.taken.contains_key(&place) {
                        region.taken.insert(place, member as u32);
                        goals[member] = Some(place);
                    } else {
                        others.push((self.units.progress[unit].least, member, exit));
                    }
                }
                _ => {}
            }
        }
        // Those who have the shortest way left leave first.
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, member, exit) in others {
            if let Some(&goal) = region.nearest_free(view, exit).as_ref().and_then(|way| way.first()) {
                region.taken.insert(goal, member as u32);
                goals[member] = Some(goal);
            }
        }
        goals
    }

    /// The last cell of a unit's path before it leaves the region.
    fn exit(&self, walls: &Walls<'_>, unit: usize, region: &Region) -> Option<NodeId> {
        let mut at = self.units.at[unit];
        let mut last = walls.node(at).filter(|&node| region.inside.contains(node));
        let is_link = self.units.route[unit].link_ahead();
        for stop in self.units.route[unit].ahead() {
            let to = walls.middle(stop);
            let parts = ((to - at).length() / SAMPLE).ceil().max(1.0);
            for part in 1..=parts as u32 {
                let node = walls.node(at + (to - at) * (f64::from(part) / parts))?;
                if region.inside.contains(node) {
                    last = Some(node);
                } else if last.is_some() {
                    return last;
                }
            }
            at = to;
            if is_link.is_some_and(|[from, _]| from == stop) {
                break;
            }
        }
        last
    }
}
