//! A search from both endpoints.
//!
//! Scans from the endpoints find the first subgoals. These are taken in the order of the least that a path through them can cost.
//! With hubs, taking a subgoal reaches all its hubs at once, and the sides meet at hubs; nothing else is ever queued. Without
//! hubs, the subgoal is expanded along the edges that lead up.

mod trace;

use std::sync::{Mutex, PoisonError};

use crate::core::expand::{Expander, START};
use crate::core::kernel::End;
use crate::core::observe::{Action, Event, Observer, Side};
use crate::core::open::{Entry, Heap, OpenList};
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::solver::Task;
use crate::search::subgoal::hierarchy::{Edge, Piece};
use crate::search::subgoal::hubs::Hubs;
use crate::search::subgoal::table::SubgoalTable;
use crate::space::Cell;
use crate::world::grid::{GoalLines, GridView, JumpGrid};

/// What one side knows about a subgoal.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    g: u64,
    /// The subgoal before it, or an end: see [`END`].
    from: u32,
    /// Twice the number of the search, and one more if the subgoal is closed.
    stamp: u32,
}

/// Marks the number of something else than a subgoal: of an end in a label, of a scan in the open list.
const END: u32 = 1 << 31;

/// A subgoal that a scan from an end found. Most are never worth more than a place in the open list, so nothing else is
/// looked up until they are taken from it.
#[derive(Clone, Copy, Debug)]
struct Scan {
    to: NodeId,
    g: u64,
    from: u32,
}

/// Where the sides met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// A scan from the start found this goal.
    Goal(NodeId),
    /// Both reached this subgoal.
    Subgoal(u32),
}

/// Memory for taking edges apart.
#[derive(Debug, Default)]
struct Unpacking {
    /// Subgoals on an upward path, each with the index of the next edge.
    way: Vec<(u32, usize)>,
    /// Parts of one of these edges.
    stack: Vec<Piece>,
}

/// A search with its memory.
#[derive(Debug, Default)]
pub(super) struct Query {
    /// By subgoal: what either side knows about it, side by side because each asks for the other's.
    labels: Vec<[Label; 2]>,
    search: u32,
    open: [Heap; 2],
    /// The start and the goals.
    ends: Vec<NodeId>,
    end_cells: Vec<Cell>,
    /// The number of endpoints that have been scanned.
    scanned: usize,
    lines: Vec<GoalLines>,
    scans: Vec<Scan>,
    meeting: Option<(u64, Meeting)>,
    /// The place expanded from the start with the smallest estimate, for partial paths.
    closest: Option<(u64, NodeId)>,
    stats: Stats,
    unpacking: Mutex<Unpacking>,
}

impl Query {
    pub fn begin(&mut self, view: &GridView<'_>, table: &SubgoalTable, task: &Task<'_>) {
        if self.labels.len() < table.hierarchy.len() || self.search >= u32::MAX / 2 - 1 {
            self.labels = vec![[Label::default(); 2]; table.hierarchy.len()];
            self.search = 0;
        }
        self.search += 1;
        self.open.iter_mut().for_each(|open| open.begin(0));
        self.scans.clear();
        self.ends.clear();
        self.ends.push(task.start);
        self.ends.extend(task.goals);
        self.end_cells.clear();
        self.end_cells.extend(self.ends.iter().map(|&end| view.shape().cell(end)));
        (self.scanned, self.meeting, self.closest) = (0, None, None);
        self.stats = Stats::default();
    }

    /// Continues until the best meeting is known or `budget` places have been expanded.
    pub fn run(
        &mut self,
        view: &GridView<'_>,
        table: &SubgoalTable,
        budget: u64,
        observer: &mut impl Observer,
    ) -> End {
        let mut left = budget;
        while let Some(&end) = self.ends.get(self.scanned) {
            let place = self.scanned;
            if let Some(subgoal) = table.places.number(end) {
                self.scanned += 1;
                self.begin_at(table, place, subgoal, observer);
                continue;
            }
            if left == 0 {
                return End::Paused;
            }
            self.scanned += 1;
            left -= 1;
            self.scan(view, table, place, observer);
            if observer.wants_pause() {
                return End::Paused;
            }
        }
        loop {
            if left == 0 {
                return End::Paused;
            }
            let keys = [0, 1].map(|side| self.open[side].peek().map_or(u64::MAX, |entry| entry.key));
            let (side, mine) = if keys[0] <= keys[1] { (Side::Forward, 0) } else { (Side::Backward, 1) };
            let best = self.meeting.map_or(u64::MAX, |(cost, _)| cost);
            // No path through a place is cheaper than its key.
            let Some(Entry { key, node, .. }) = self.open[mine].pop(best) else {
                return match self.meeting {
                    None => End::Exhausted,
                    Some((_, Meeting::Goal(goal))) => End::Goal(goal),
                    Some((_, Meeting::Subgoal(subgoal))) => End::Goal(table.hierarchy.cell(subgoal)),
                };
            };
            let Some(subgoal) = self.taken(table, side, node.0, key, observer) else { continue };
            let label = &mut self.labels[subgoal as usize][mine];
            if label.stamp % 2 == 1 {
                continue;
            }
            label.stamp += 1;
            let Label { g, from, .. } = *label;
            let h = key - g;
            left -= 1;
            self.stats.expanded += 1;
            if side == Side::Forward && self.closest.is_none_or(|(least, _)| h < least) {
                self.closest = Some((h, table.hierarchy.cell(subgoal)));
            }
            if observer.listens() {
                let (cell, before) = (table.hierarchy.cell(subgoal), self.place_before(table, from));
                let parent = if before == cell { NodeId::NONE } else { before };
                observer.on(&event(table, Action::Close, cell, parent, (g, h), side));
            }
            match &table.hubs {
                Some(hubs) => self.reach_hubs((view, table), hubs, side, (subgoal, g), observer),
                None => self.expand(table, side, (subgoal, g), observer),
            }
            let open = self.open[0].len() + self.open[1].len();
            self.stats.peak_open = self.stats.peak_open.max(open as u64);
            if observer.wants_pause() {
                return End::Paused;
            }
        }
    }

    /// The least that is left of the path from a cell to the other side's ends.
    fn estimate(&self, at: Cell, table: &SubgoalTable, side: Side) -> u64 {
        let ends = if side == Side::Forward { &self.end_cells[1..] } else { &self.end_cells[..1] };
        let between = |end: &Cell| table.scale.between(at.x.abs_diff(end.x), at.y.abs_diff(end.y));
        ends.iter().map(between).min().unwrap_or(0)
    }

    /// Makes ready to expand an end that is a subgoal itself.
    fn begin_at(&mut self, table: &SubgoalTable, place: usize, subgoal: u32, observer: &mut impl Observer) {
        let side = side_of(place);
        if side == Side::Forward {
            self.closest = Some((self.estimate(self.end_cells[0], table, side), self.ends[0]));
        }
        self.offer(table, side, (subgoal, 0, END | place as u32), self.end_cells[place], observer);
    }

    /// The first subgoals from an end, or the goal if it is in sight.
    fn scan(
        &mut self,
        view: &GridView<'_>,
        table: &SubgoalTable,
        place: usize,
        observer: &mut impl Observer,
    ) {
        self.stats.expanded += 1;
        let (end, side, from) = (self.ends[place], side_of(place), END | place as u32);
        let h = self.estimate(self.end_cells[place], table, side);
        if side == Side::Forward {
            self.closest = Some((h, end));
        }
        for action in [Action::Open, Action::Close] {
            observer.on(&event(table, action, end, NodeId::NONE, (0, h), side));
        }
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        if place == 0 {
            JumpGrid::goal_lines_over(view, &table.planes, &self.ends[1..], &mut lines);
            if self.ends[1..].contains(&end) {
                self.meeting = Some((0, Meeting::Goal(end)));
            }
        }
        if let Some(jumps) = JumpGrid::over(*view, &table.planes, &lines) {
            jumps.expand(end, START, |to, cost, _| {
                let g = cost.units() / table.scale.unit;
                self.stats.generated += 1;
                if place == 0 && self.ends[1..].contains(&to) {
                    if self.meeting.is_none_or(|(best, _)| g < best) {
                        self.meeting = Some((g, Meeting::Goal(to)));
                    }
                    return;
                }
                let key = g + self.estimate(view.shape().cell(to), table, side);
                let node = NodeId(END | self.scans.len() as u32);
                self.scans.push(Scan { to, g, from });
                self.open[side as usize].push(Entry { key, g: g as u32, node });
            });
        }
        self.lines = lines;
    }

    /// The subgoal of an entry taken from the open list; `None` if it is known on a better path.
    #[inline]
    fn taken(
        &mut self,
        table: &SubgoalTable,
        side: Side,
        number: u32,
        key: u64,
        observer: &mut impl Observer,
    ) -> Option<u32> {
        if number < END {
            return Some(number);
        }
        let Scan { to, g, from } = self.scans[(number - END) as usize];
        let subgoal = table.places.number(to)?;
        let known = self.label(subgoal, side);
        if known.is_some_and(|known| known.g <= g) {
            return None;
        }
        self.write(side, (subgoal, g, from));
        if observer.listens() {
            let action = if known.is_some() { Action::Relax } else { Action::Open };
            let parent = self.place_before(table, from);
            observer.on(&event(table, action, to, parent, (g, key - g), side));
        }
        Some(subgoal)
    }

    /// Records a path to a subgoal, and whether the sides meet there.
    #[inline]
    fn write(&mut self, side: Side, (to, g, from): (u32, u64, u32)) {
        let stamp = 2 * self.search;
        let labels = &mut self.labels[to as usize];
        labels[side as usize] = Label { g, from, stamp };
        let other = labels[1 - side as usize];
        if other.stamp >= stamp && self.meeting.is_none_or(|(best, _)| g + other.g < best) {
            self.meeting = Some((g + other.g, Meeting::Subgoal(to)));
        }
    }

    /// Goes up from a subgoal, unless a subgoal above shows that it was not reached on a shortest path.
    fn expand(
        &mut self,
        table: &SubgoalTable,
        side: Side,
        (subgoal, g): (u32, u64),
        observer: &mut impl Observer,
    ) {
        let edges = table.hierarchy.edges(subgoal);
        let stamp = 2 * self.search;
        for edge in edges.iter().filter(|edge| self.is_hopeful(table, side, edge, g)) {
            let above = &self.labels[edge.to as usize][side as usize];
            if above.stamp >= stamp && above.g + u64::from(edge.weight) < g {
                return;
            }
        }
        for edge in edges {
            self.stats.generated += 1;
            if self.is_hopeful(table, side, edge, g) {
                self.offer(
                    table,
                    side,
                    (edge.to, g + u64::from(edge.weight), subgoal),
                    edge.cell(),
                    observer,
                );
            }
        }
    }

    /// Reaches the hubs of a subgoal, the nearest first, up to those that are too far away for a cheaper path; or up to one
    /// that shows that others lead to the subgoal as cheaply.
    fn reach_hubs(
        &mut self,
        (view, table): (&GridView<'_>, &SubgoalTable),
        hubs: &Hubs,
        side: Side,
        (subgoal, g): (u32, u64),
        observer: &mut impl Observer,
    ) {
        let stamp = 2 * self.search;
        let (mine, other) = (side as usize, 1 - side as usize);
        let mut best = self.meeting.map_or(u64::MAX, |(best, _)| best);
        for hub in hubs.of(subgoal) {
            self.stats.generated += 1;
            let distance = u64::from(hub.distance);
            if g + distance >= best {
                return;
            }
            let labels = &mut self.labels[hub.subgoal as usize];
            let known = labels[mine].stamp >= stamp;
            if known && labels[mine].g + distance <= g && hub.subgoal != subgoal {
                return;
            }
            let g = g + distance;
            if known && labels[mine].g <= g {
                continue;
            }
            labels[mine] = Label { g, from: subgoal, stamp };
            if labels[other].stamp >= stamp && g + labels[other].g < best {
                best = g + labels[other].g;
                self.meeting = Some((best, Meeting::Subgoal(hub.subgoal)));
            }
            if observer.listens() {
                let (cell, parent) = (table.hierarchy.cell(hub.subgoal), table.hierarchy.cell(subgoal));
                let h = self.estimate(view.shape().cell(cell), table, side);
                let action = if known { Action::Relax } else { Action::Open };
                observer.on(&event(table, action, cell, parent, (g, h), side));
            }
        }
    }

    /// Whether a path along an edge, from a subgoal that costs `g`, may be cheaper than the best so far. Told without a look
    /// at where it leads.
    #[inline]
    fn is_hopeful(&self, table: &SubgoalTable, side: Side, edge: &Edge, g: u64) -> bool {
        let best = self.meeting.map_or(u64::MAX, |(best, _)| best);
        g + u64::from(edge.weight) + self.estimate(edge.cell(), table, side) < best
    }

    /// Offers a path to a subgoal that lies at a cell.
    #[inline]
    fn offer(
        &mut self,
        table: &SubgoalTable,
        side: Side,
        (to, g, from): (u32, u64, u32),
        at: Cell,
        observer: &mut impl Observer,
    ) {
        let known = self.label(to, side);
        if known.is_some_and(|known| known.g <= g) {
            return;
        }
        let h = self.estimate(at, table, side);
        self.write(side, (to, g, from));
        self.open[side as usize].push(Entry { key: g + h, g: g as u32, node: NodeId(to) });
        if observer.listens() {
            let cell = table.hierarchy.cell(to);
            let parent = self.place_before(table, from);
            let parent = if parent == cell { NodeId::NONE } else { parent };
            let action = if known.is_some() { Action::Relax } else { Action::Open };
            observer.on(&event(table, action, cell, parent, (g, h), side));
        }
    }

    /// The place of an end or of a subgoal, as labels give it.
    fn place_before(&self, table: &SubgoalTable, from: u32) -> NodeId {
        if from >= END { self.ends[(from - END) as usize] } else { table.hierarchy.cell(from) }
    }

    #[inline]
    fn label(&self, subgoal: u32, side: Side) -> Option<Label> {
        let label = self.labels.get(subgoal as usize)?[side as usize];
        (label.stamp >= 2 * self.search).then_some(label)
    }

    pub fn closest(&self) -> Option<NodeId> {
        self.closest.map(|(_, node)| node)
    }

    pub fn visit(&self, table: &SubgoalTable, node: NodeId) -> Option<Visit> {
        let Some(subgoal) = table.places.number(node) else {
            let scanned = self.ends[..self.scanned].contains(&node);
            return scanned.then_some(Visit { g: Cost::ZERO, parent: NodeId::NONE, closed: true });
        };
        let sides = [Side::Forward, Side::Backward].into_iter();
        let label = sides.filter_map(|side| self.label(subgoal, side)).max_by_key(|label| label.stamp % 2)?;
        let before = self.place_before(table, label.from);
        Some(Visit {
            g: Cost::from_units(label.g * table.scale.unit),
            parent: if before == node { NodeId::NONE } else { before },
            closed: label.stamp % 2 == 1,
        })
    }

    pub fn stats(&self) -> Stats {
        let Unpacking { way, stack } = &*self.unpacking.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.labels.len() * size_of::<[Label; 2]>()
            + self.open.iter().map(OpenList::bytes).sum::<usize>()
            + self.ends.capacity() * size_of::<NodeId>()
            + self.end_cells.capacity() * size_of::<Cell>()
            + self.scans.capacity() * size_of::<Scan>()
            + self.lines.capacity() * size_of::<GoalLines>()
            + way.capacity() * size_of::<(u32, usize)>()
            + stack.capacity() * size_of::<Piece>();
        Stats { scratch_bytes: bytes as u64, ..self.stats }
    }
}

/// The side that searches from an end: the start is the first.
fn side_of(place: usize) -> Side {
    if place == 0 { Side::Forward } else { Side::Backward }
}

fn event(
    table: &SubgoalTable,
    action: Action,
    node: NodeId,
    parent: NodeId,
    (g, h): (u64, u64),
    side: Side,
) -> Event {
    let cost = |cost| Cost::from_units(cost * table.scale.unit);
    Event { action, node, parent, g: cost(g), h: cost(h), side }
}
