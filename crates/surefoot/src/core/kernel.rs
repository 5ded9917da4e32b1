//! The best-first loop that all searches share.
//!
//! Breadth-first, depth-first, Dijkstra, greedy, A* and weighted A* differ in three ways only: which container orders the open
//! nodes, how the key is composed, and what happens when a node is reached again. The loop is compiled for each container,
//! expander and estimate; the rest is a [`Strategy`].

use crate::core::estimate::Estimate;
use crate::core::expand::{Expander, START, Way};
use crate::core::observe::{Action, Event, Observer, Side};
use crate::core::open::{Entry, OpenList};
use crate::core::outcome::Stats;
use crate::core::record::{MAX_G_TO_EXPAND, Memory, Record};
use crate::cost::Cost;
use crate::id::NodeId;

/// What to do when a path to a node is found that already has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// Nothing: the first path stays.
    Ignore,
    /// Take the new path unless the node was expanded: the depth-first rule.
    UnlessClosed,
    /// Take the new path if it is cheaper and the node was not expanded.
    IfCheaperAndOpen,
    /// Take the new path if it is cheaper; expand the node again if it was expanded.
    IfCheaper,
}

/// What makes one search different from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// Whether the cost so far is part of the key.
    pub counts_cost: bool,
    /// What to do with a node met again.
    pub again: Again,
    /// Whether the first goal taken from the open list ends the search, or only one that nothing left can beat.
    pub first_goal_ends: bool,
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At this goal.
    Goal(NodeId),
    /// There is nothing left to expand.
    Exhausted,
    /// The budget is used up.
    Paused,
    /// A cost did not fit.
    Overflow,
}

/// The state of a search between two calls: no borrow is held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub stats: Stats,
    /// The best goal so far and its cost.
    pub best: Option<(NodeId, u64)>,
    /// Whether a path was dropped because its cost did not fit.
    pub overflowed: bool,
    /// The expanded node with the smallest estimate, for partial paths.
    pub closest: Option<(u64, NodeId)>,
}

/// Everything a run of the loop needs besides the open list and the records.
pub(crate) struct Job<'a, E, H> {
    pub expander: &'a E,
    pub estimate: &'a H,
    pub strategy: Strategy,
    /// Sorted.
    pub goals: &'a [NodeId],
    /// Nothing whose key is above this is expanded.
    pub max_key: u64,
}

impl<'a, E, H> Job<'a, E, H> {
    /// Returns the same job with another estimate.
    pub fn led_by<'b, O>(&self, estimate: &'b O) -> Job<'b, E, O>
    where
        'a: 'b,
    {
        let Job { expander, strategy, goals, max_key, .. } = *self;
        Job { expander, estimate, strategy, goals, max_key }
    }
}

impl<E: Expander, H: Estimate> Job<'_, E, H> {
    #[inline]
    fn is_goal(&self, node: NodeId) -> bool {
        match *self.goals {
            [goal] => node == goal,
            _ => self.goals.binary_search(&node).is_ok(),
        }
    }

    /// Opens a start.
    pub fn open_start<Q: OpenList>(
        &self,
        start: NodeId,
        records: &mut impl Memory,
        open: &mut Q,
        observer: &mut impl Observer,
    ) {
        let h = self.estimate.of(start);
        let (at, _) = records.reach(start);
        records.write(at, 0, NodeId::NONE, START);
        open.push(Entry { key: h, g: 0, node: start });
        observer.on(&Event {
            action: Action::Open,
            node: start,
            parent: NodeId::NONE,
            g: Cost::ZERO,
            h: Cost::from_units(h),
            side: Side::Forward,
        });
    }

    /// Lets the expander correct the path to a node that is about to be expanded; `None` if the node is more expensive now and has
    /// to be queued again.
    #[inline]
    fn settle(
        &self,
        entry: Entry,
        at: usize,
        record: Record,
        records: &mut impl Memory,
        open: &mut impl OpenList,
        observer: &mut impl Observer,
    ) -> Option<Way> {
        let found = Way { g: record.g, parent: records.parent(at), arrival: record.arrival };
        let Some(way) = self.expander.settle(entry.node, found, records) else { return Some(found) };
        let Way { g, parent, arrival } = way;
        records.write(at, g, parent, arrival);
        let h = entry.key - record.g;
        observer.on(&Event {
            action: Action::Relax,
            node: entry.node,
            parent,
            g: Cost::from_units(g),
            h: Cost::from_units(h),
            side: Side::Forward,
        });
        if g > record.g {
            open.push(Entry { key: g + h, g: g as u32, ..entry });
            return None;
        }
        Some(way)
    }

    /// Expands nodes until the search ends or `budget` nodes have been expanded.
    pub fn run<Q: OpenList, O: Observer>(
        &self,
        progress: &mut Progress,
        records: &mut impl Memory,
        open: &mut Q,
        budget: u64,
        observer: &mut O,
    ) -> End {
        let Strategy { counts_cost, again, first_goal_ends } = self.strategy;
        let cost_mask = if counts_cost { u64::MAX } else { 0 };
        let event = |action, node, parent, g, h| Event {
            action,
            node,
            parent,
            g: Cost::from_units(g),
            h: Cost::from_units(h),
            side: Side::Forward,
        };
        // Counted in locals: a store for each count would be felt.
        let Stats { mut expanded, mut generated, mut reopened, mut peak_open, .. } = progress.stats;
        let (mut least_h, mut closest) = progress.closest.unwrap_or((u64::MAX, NodeId::NONE));
        let mut bound = progress.best.map_or(self.max_key, |(_, g)| g);
        let last = expanded.saturating_add(budget);
        let end = loop {
            if expanded == last {
                break End::Paused;
            }
            let Some(entry) = open.pop(bound) else {
                break match progress.best {
                    Some((goal, _)) => End::Goal(goal),
                    // Paths that were dropped are more expensive than any that was kept: they matter only if none arrived.
                    None if progress.overflowed => End::Overflow,
                    None => End::Exhausted,
                };
            };
            let node = entry.node;
            let at = records.find(node);
            let record = records.record(at);
            if record.g as u32 != entry.g || record.closed {
                continue;
            }
            let h = entry.key.wrapping_sub(record.g & cost_mask);
            let (record, behind) = if E::LOOKS_BACK && record.arrival != START {
                let Some(way) = self.settle(entry, at, record, records, open, observer) else { continue };
                let behind = records.of(way.parent).map(|parent| (way.parent, parent.g));
                (Record { g: way.g, ..record }, behind)
            } else {
                (record, None)
            };
            records.close(at);
            if observer.listens() {
                observer.on(&event(Action::Close, node, records.parent(at), record.g, h));
            }
            if self.is_goal(node) {
                progress.best = Some((node, record.g));
                if first_goal_ends {
                    break End::Goal(node);
                }
                bound = record.g;
                continue;
            }
            if h < least_h {
                (least_h, closest) = (h, node);
            }
            expanded += 1;
            if record.g > MAX_G_TO_EXPAND {
                progress.overflowed = true;
                continue;
            }
            self.expander.expand(node, record.arrival, |next, cost, arrival| {
                generated += 1;
                let (mut g, mut parent, mut arrival) = (record.g + cost.units(), node, arrival);
                let (at, known) = records.reach(next);
                if E::LOOKS_BACK {
                    let known = known.map(|known| (known, records.parent(at)));
                    Way { g, parent, arrival } =
                        self.expander.shorten(next, Way { g, parent, arrival }, behind, known);
                }
                let mut action = Action::Open;
                if let Some(known) = known {
                    let better = match again {
                        Again::Ignore => false,
                        Again::UnlessClosed => !known.closed,
                        Again::IfCheaperAndOpen => g < known.g && !known.closed,
                        Again::IfCheaper => g < known.g,
                    };
                    if !better {
                        return;
                    }
                    reopened += u64::from(known.closed);
                    action = if known.closed { Action::Reopen } else { Action::Relax };
                }
                let h = self.estimate.of(next);
                records.write(at, g, parent, arrival);
                let entry = Entry { key: (g & cost_mask) + h, g: g as u32, node: next };
                if self.expander.is_corridor(next) {
                    open.push_next(entry);
                } else {
                    open.push(entry);
                }
                observer.on(&event(action, next, parent, g, h));
            });
            peak_open = peak_open.max(open.len() as u64);
            if observer.wants_pause() {
                break End::Paused;
            }
        };
        progress.stats = Stats { expanded, generated, reopened, peak_open, ..progress.stats };
        progress.closest = (closest != NodeId::NONE).then_some((least_h, closest));
        end
    }
}
