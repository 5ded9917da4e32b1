//! Recording all events in compact form.
//!
//! Events are stored as differences from the event before, in a few bytes: a head byte (action, side, and whether the parent is
//! the node closed last), then node, parent if needed, `g` and `h` as differences in variable-length integers.

use crate::cost::Cost;
use crate::id::NodeId;

use super::{Action, Event, Observer, Side};

/// Set when the parent is spelled out.
const HAS_PARENT: u8 = 1 << 3;
/// Set when the event belongs to the backward side.
const BACKWARD: u8 = 1 << 2;

/// A complete recording of a search: every open, relax, reopen and close, in order.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::search::observe::Action;
/// use surefoot::search::observe::Trace;
/// let grid = Grid::new(9, 9).unwrap();
/// let view = grid.view(&Agent::default());
/// let mut trace = Trace::with_limit(1_000_000);
/// Pathfinder::named("astar", &Options::default()).unwrap().find_watched(&view, Cell::new(0, 0), Cell::new(8, 3), &mut trace).unwrap();
/// let first = trace.events().next().unwrap();
/// assert_eq!((first.action, first.node), (Action::Open, grid.node(Cell::new(0, 0)).unwrap()));
/// assert_eq!(trace.events().count(), trace.len());
/// assert!(trace.bytes().len() < 12 * trace.len());
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    bytes: Vec<u8>,
    len: usize,
    limit: usize,
    dropped: u64,
    /// What the first event held is compared with.
    first: Last,
    last: Last,
}

/// What the next event is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Last {
    node: u32,
    closed: [NodeId; 2],
    g: u64,
    h: u64,
}

impl Last {
    const START: Last = Last { node: 0, closed: [NodeId::NONE; 2], g: 0, h: 0 };

    fn advance(&mut self, event: &Event) {
        self.node = event.node.0;
        (self.g, self.h) = (event.g.units(), event.h.units());
        if event.action == Action::Close {
            self.closed[event.side as usize] = event.node;
        }
    }
}

impl Trace {
    /// Creates a recorder that keeps at most `limit` events and counts the rest.
    pub fn with_limit(limit: usize) -> Trace {
        Trace { bytes: Vec::new(), len: 0, limit, dropped: 0, first: Last::START, last: Last::START }
    }

    /// Returns the number of events recorded, including those that were taken.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of events that came after the limit was reached.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the recording, without the bytes that were taken.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes what has been recorded since the last call, so that a long recording can be passed on while the search runs and is
    /// never in memory as a whole. Each part ends with a complete event. Concatenated in order, the parts are the recording,
    /// which [`TraceEvents::new`] reads.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::search::observe::{Trace, TraceEvents};
    /// let grid = Grid::new(30, 30).unwrap();
    /// let view = grid.view(&Agent::default());
    /// let (mut finder, mut trace) = (Pathfinder::named("astar", &Options::default()).unwrap(), Trace::with_limit(1_000_000));
    /// let mut recording = Vec::new();
    /// finder.start(&view, Cell::new(0, 0), &[Cell::new(29, 7)]);
    /// while finder.resume_watched(&view, 10, &mut trace) == Outcome::Paused {
    ///     recording.extend(trace.take_bytes());
    /// }
    /// recording.extend(trace.take_bytes());
    /// assert_eq!(TraceEvents::new(&recording).count(), trace.len());
    /// ```
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.first = self.last;
        // What comes next is about as long.
        let room = Vec::with_capacity(self.bytes.len());
        std::mem::replace(&mut self.bytes, room)
    }

    /// Returns the events in order, without those that were taken.
    pub fn events(&self) -> TraceEvents<'_> {
        TraceEvents { bytes: &self.bytes, last: self.first }
    }

    /// Clears the recording and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        (self.len, self.dropped) = (0, 0);
        (self.first, self.last) = (Last::START, Last::START);
    }

    fn write_difference(&mut self, from: u64, to: u64) {
        let difference = to.wrapping_sub(from) as i64;
        // Zigzag: small differences of either sign become small numbers.
        let mut rest = (difference << 1 ^ difference >> 63) as u64;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }
}

impl Observer for Trace {
    fn on(&mut self, event: &Event) {
        if self.len == self.limit {
            self.dropped += 1;
            return;
        }
        let last = self.last;
        let spelled = event.parent != last.closed[event.side as usize];
        let backward = event.side == Side::Backward;
        let flags = u8::from(backward) * BACKWARD + u8::from(spelled) * HAS_PARENT;
        self.bytes.push(event.action as u8 | flags);
        self.write_difference(last.node.into(), event.node.0.into());
        if spelled {
            self.write_difference(event.node.0.into(), event.parent.0.into());
        }
        self.write_difference(last.g, event.g.units());
        self.write_difference(last.h, event.h.units());
        self.last.advance(event);
        self.len += 1;
    }
}

/// An iterator over the events of a [`Trace`], in order.
#[derive(Clone, Debug)]
pub struct TraceEvents<'a> {
    bytes: &'a [u8],
    last: Last,
}

impl<'a> TraceEvents<'a> {
    /// Reads a recording from its beginning. The iterator ends where the bytes end or become invalid.
    pub fn new(bytes: &'a [u8]) -> TraceEvents<'a> {
        TraceEvents { bytes, last: Last::START }
    }

    fn read_byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    fn read_difference(&mut self, from: u64) -> Option<u64> {
        let mut rest = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.read_byte()?;
            rest |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        let difference = (rest >> 1) as i64 ^ -((rest & 1) as i64);
        Some(from.wrapping_add(difference as u64))
    }
}

impl Iterator for TraceEvents<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let head = self.read_byte()?;
        let side = if head & BACKWARD == 0 { Side::Forward } else { Side::Backward };
        let node = self.read_difference(self.last.node.into())? as u32;
        let parent = if head & HAS_PARENT == 0 {
            self.last.closed[side as usize]
        } else {
            NodeId(self.read_difference(node.into())? as u32)
        };
        let event = Event {
            action: Action::ALL[usize::from(head & 3)],
            node: NodeId(node),
            parent,
            g: Cost::from_units(self.read_difference(self.last.g)?),
            h: Cost::from_units(self.read_difference(self.last.h)?),
            side,
        };
        self.last.advance(&event);
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_event() -> impl Strategy<Value = Event> {
        let costs = (0..=u64::MAX / 2, 0..=u64::MAX / 2);
        (0..4_usize, any::<u32>(), any::<u32>(), costs, any::<bool>()).prop_map(
            |(action, node, parent, (g, h), backward)| Event {
                action: Action::ALL[action],
                node: NodeId(node),
                parent: NodeId(parent),
                g: Cost::from_units(g),
                h: Cost::from_units(h),
                side: if backward { Side::Backward } else { Side::Forward },
            },
        )
    }

    proptest! {
        #[test]
        fn every_event_comes_back_as_it_was(events in prop::collection::vec(any_event(), 0..50)) {
            let mut trace = Trace::with_limit(40);
            for event in &events {
                trace.on(event);
            }
            let kept = events.len().min(40);
            prop_assert_eq!(trace.events().collect::<Vec<_>>(), &events[..kept]);
            prop_assert_eq!(trace.dropped(), (events.len() - kept) as u64);
        }

        #[test]
        fn parts_taken_away_make_the_whole(
            parts in prop::collection::vec(prop::collection::vec(any_event(), 0..9), 0..9)
        ) {
            let mut whole = Trace::with_limit(50);
            let mut trace = Trace::with_limit(50);
            let mut taken = Vec::new();
            for part in &parts {
                let before = trace.len();
                for event in part {
                    whole.on(event);
                    trace.on(event);
                }
                prop_assert_eq!(trace.events().collect::<Vec<_>>(), &part[..trace.len() - before]);
                taken.extend(trace.take_bytes());
                prop_assert!(trace.bytes().is_empty());
            }
            prop_assert_eq!(&taken, whole.bytes());
            prop_assert_eq!((trace.len(), trace.dropped()), (whole.len(), whole.dropped()));
            prop_assert!(TraceEvents::new(&taken).eq(whole.events()));
        }
    }
}
