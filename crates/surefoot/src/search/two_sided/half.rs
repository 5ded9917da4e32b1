//! One of the two searches of a bidirectional search.

use crate::core::estimate::Estimate;
use crate::core::expand::{ArrivalSteps, Expander, START};
use crate::core::observe::{Action, Event, Observer, Side};
use crate::core::open::{Buckets, Entry, OpenList};
use crate::core::outcome::Stats;
use crate::core::record::MAX_G_TO_EXPAND;
use crate::cost::Cost;
use crate::id::NodeId;

use super::shared::SharedRecords;

/// One of the two searches with its memory.
#[derive(Debug, Default)]
pub(super) struct Half {
    /// What the other search may look at.
    pub records: SharedRecords,
    /// What it may not.
    pub own: Own,
}

/// The private state of one side.
#[derive(Debug, Default)]
pub(super) struct Own {
    pub open: Buckets,
    /// The cheapest meeting that this side has found; `u64::MAX` if there is none.
    pub best: u64,
    /// Where that is.
    pub meeting: Option<NodeId>,
    /// The expanded node with the smallest estimate.
    pub closest: Option<(u64, NodeId)>,
    /// Whether a path was dropped because its cost did not fit.
    pub overflowed: bool,
    /// Whether nothing is left that could be part of a better path.
    pub done: bool,
    pub stats: Stats,
}

impl Half {
    /// Forgets everything.
    pub fn begin(&mut self, bound: usize, steps: Option<ArrivalSteps>, spread: u64) {
        self.records.begin(bound, steps);
        let Own { open, best, meeting, closest, overflowed, done, stats } = &mut self.own;
        open.begin(spread);
        (*best, *meeting, *closest) = (u64::MAX, None, None);
        (*overflowed, *done, *stats) = (false, false, Stats::default());
    }

    pub fn bytes(&self) -> usize {
        self.records.bytes() + self.own.open.bytes()
    }
}

/// The inputs of one side: its expander, its heuristic, and the state of the other side.
pub(super) struct Way<'a, E, H> {
    pub side: Side,
    pub expander: &'a E,
    /// The estimate of what is left.
    pub ahead: &'a H,
    /// The other side's estimate: of what lies behind.
    pub behind: &'a H,
    pub theirs: &'a SharedRecords,
    /// The last announced floor of the other side: none of its remaining keys is below this.
    pub their_floor: u64,
    /// Whether the other side rests meanwhile, so that all its costs can be relied on to stay.
    pub they_rest: bool,
}

impl<E: Expander, H: Estimate> Way<'_, E, H> {
    fn event(&self, action: Action, node: NodeId, parent: NodeId, g: u64, h: u64) -> Event {
        Event { action, node, parent, g: Cost::from_units(g), h: Cost::from_units(h), side: self.side }
    }

    /// Opens a node to start from.
    pub fn open(&self, node: NodeId, mine: &SharedRecords, own: &mut Own, observer: &mut impl Observer) {
        let h = self.ahead.of(node);
        mine.write(node, 0, NodeId::NONE, START);
        mine.mark(node);
        own.open.push(Entry { key: h, g: 0, node });
        observer.on(&self.event(Action::Open, node, NodeId::NONE, 0, h));
    }

    /// Whether no path through a node can be cheaper than the best meeting. A node that the other side has finished is a meeting.
    ///
    /// Whatever the other side did since it last spoke makes no difference here: since then it only touches nodes whose
    /// keys are not below its announced floor.
    #[inline]
    fn is_pointless(&self, node: NodeId, g: u64, own: &mut Own) -> bool {
        let theirs = self.theirs.of(node);
        if theirs.is_none() && own.best == u64::MAX {
            return false;
        }
        let behind = self.behind.of(node);
        if let Some(theirs) = theirs {
            let is_final = theirs.arrival == START || theirs.g + behind < self.their_floor;
            if (is_final || self.they_rest) && g + theirs.g < own.best {
                (own.best, own.meeting) = (g + theirs.g, Some(node));
            }
            if is_final {
                return true;
            }
        }
        (g + self.their_floor).saturating_sub(behind) >= own.best
    }

    /// Expands at most `limit` nodes; fewer if none is left or the observer requests a pause, which is returned.
    pub fn run<O: Observer>(
        &self,
        mine: &SharedRecords,
        own: &mut Own,
        limit: u64,
        observer: &mut O,
    ) -> bool {
        let last = own.stats.expanded + limit;
        while own.stats.expanded < last {
            let Some(entry) = own.open.pop(own.best) else {
                own.done = true;
                return false;
            };
            let node = entry.node;
            let record = mine.of_reached(node);
            if record.g as u32 != entry.g || record.closed {
                continue;
            }
            mine.close(node, record);
            if self.is_pointless(node, record.g, own) {
                continue;
            }
            let h = entry.key - record.g;
            if observer.listens() {
                observer.on(&self.event(Action::Close, node, mine.parent(node), record.g, h));
            }
            if own.closest.is_none_or(|(least, _)| h < least) {
                own.closest = Some((h, node));
            }
            own.stats.expanded += 1;
            if record.g > MAX_G_TO_EXPAND {
                own.overflowed = true;
                continue;
            }
            let (best, open, stats) = (own.best, &mut own.open, &mut own.stats);
            self.expander.expand(node, record.arrival, |next, cost, arrival| {
                stats.generated += 1;
                let g = record.g + cost.units();
                let known = mine.of(next);
                if known.is_some_and(|known| known.g <= g) {
                    return;
                }
                let h = self.ahead.of(next);
                if g + h >= best {
                    return;
                }
                mine.write(next, g, node, arrival);
                let action = match known {
                    None => {
                        mine.mark(next);
                        Action::Open
                    }
                    Some(known) if known.closed => {
                        stats.reopened += 1;
                        Action::Reopen
                    }
                    Some(_) => Action::Relax,
                };
                let entry = Entry { key: g + h, g: g as u32, node: next };
                if self.expander.is_corridor(next) {
                    open.push_next(entry);
                } else {
                    open.push(entry);
                }
                observer.on(&self.event(action, next, node, g, h));
            });
            stats.peak_open = stats.peak_open.max(open.len() as u64);
            if observer.wants_pause() {
                return true;
            }
        }
        false
    }
}
