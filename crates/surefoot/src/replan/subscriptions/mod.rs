//! Which paths does an edit touch?
//!
//! Register the paths of all units in one [`Subscriptions`]. After editing the world, ask it for the [changes](Subscriptions::changes):
//! it reads the world's journal and names the paths that broke or became dearer (exactly these), and the ones that may have
//! become worth another search (these and some more). Who is not named has nothing to do.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::replan::{Effect, Subscriptions, Touched};
//!
//! let mut grid: Grid = "
//!     .....
//!     .###.
//!     .....".parse().unwrap();
//! let agent = Agent::default();
//! let mut finder = Pathfinder::default();
//! let mut subscriptions = Subscriptions::new();
//! let [above, below] = [0, 2].map(|y| {
//!     let view = grid.view(&agent).unwrap();
//!     let path = finder.find(view, Cell::new(0, y), Cell::new(4, y)).unwrap();
//!     subscriptions.subscribe(view, path)
//! });
//!
//! grid.set(Cell::new(2, 0), Terrain::WALL).unwrap();
//! let mut touched = Vec::new();
//! subscriptions.changes(grid.view(&agent).unwrap(), &mut touched);
//! assert_eq!(touched, [Touched { id: above, effect: Effect::Broken }]);
//!
//! let view = grid.view(&agent).unwrap();
//! let path = finder.find(view, Cell::new(0, 0), Cell::new(4, 0)).unwrap();
//! subscriptions.replace(above, view, path);
//! grid.set(Cell::new(2, 0), Terrain::FLOOR).unwrap();
//! subscriptions.changes(grid.view(&agent).unwrap(), &mut touched);
//! assert_eq!(touched, [Touched { id: above, effect: Effect::MayShorten }]);
//! # let _ = below;
//! ```
//!
//! # How
//! * Where paths run is kept by blocks of 8 x 8 cells (64 nodes of a graph): for each stretch of a path in a block, a word that
//!   says which cells it covers. An edit looks at the blocks around it, and measures again only the steps beside what changed. Each
//!   path remembers what each of its steps cost, so what counts is the difference between then and now; edits that undo each other
//!   are none.
//! * A path can become cheaper only by way of a place that opened, became cheaper or got a link. If flying there and on to the
//!   goal is no cheaper than the path is, it cannot. Each path is kept in a hierarchical grid by the box around the places that
//!   pass this test, so that most of those far away are never asked.
//! * Paths of agents who see the world alike are kept together: how far a wall reaches depends on how wide they are.

mod blocks;
mod flight;
mod ground;
mod news;
mod regions;
mod track;

use blocks::{Blocks, Run};
use flight::{Area, Flight};
use ground::Ground;
use news::{Chance, News};
use regions::{Entry, Location, Regions};
use track::Track;

use crate::path::Path;
use crate::world::grid::Policy;
use crate::world::journal::Revision;
use crate::world::view::View;

/// A subscription. Numbers are used again, with another generation: an id that is no longer valid means nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionId {
    index: u32,
    generation: u32,
}

/// What edits did to a path, as far as it is not behind its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It could be walked, and no longer can.
    Broken,
    /// It costs more than before.
    Dearer,
    /// It costs less than before, or there may be a cheaper one now. Paths that are broken already are told of every edit
    /// that opens something or makes it cheaper.
    MayShorten,
    /// What happened to the world is not known: the journal has forgotten it, or it is another world. Every subscription is touched.
    Unknown,
}

/// A subscription and what happened to its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touched {
    /// Whose path.
    pub id: SubscriptionId,
    /// What happened to it.
    pub effect: Effect,
}

/// One subscription.
#[derive(Clone, Debug, Default)]
struct Slot {
    generation: u32,
    live: bool,
    group: usize,
    track: Track,
    /// Where it waits for news that may make it cheaper; not as long as it is late.
    location: Option<Location>,
    /// Whether its path belongs to another moment than all the others.
    late: bool,
    /// That moment.
    revision: Revision,
    /// What the path cost before the changes at hand, once they have touched it.
    before: Option<u64>,
    effect: Option<Effect>,
}

/// Subscriptions of agents who see the world alike.
#[derive(Clone, Debug, Default)]
struct Group {
    /// None on a graph.
    agent: Option<Policy>,
    members: usize,
    blocks: Blocks,
    regions: Regions,
    /// As of the moment up to which changes have been read; `None` if nobody knows yet.
    flight: Option<Flight>,
}

impl Group {
    /// The world as members see it.
    fn view<'a>(&self, view: &View<'a>) -> View<'a> {
        match (view, &self.agent) {
            (View::Grid(view), Some(agent)) => View::Grid(agent.view(view.grid())),
            _ => *view,
        }
    }
}

/// Paths, and who is to be told when an edit touches them. One for each world; see the [module](self).
///
/// Agents of all kinds can share it. It has to be asked for [changes](Subscriptions::changes) often enough that the world's
/// journal still knows them.
#[derive(Clone, Debug, Default)]
pub struct Subscriptions {
    ground: Option<Ground>,
    /// Changes have been read up to here.
    seen: Revision,
    slots: Vec<Slot>,
    free: Vec<u32>,
    groups: Vec<Group>,
    /// Slots whose path belongs to another moment.
    late: Vec<u32>,
    /// Slots that the changes at hand have touched.
    touched: Vec<u32>,
    news: News,
    suspects: Vec<(u32, u64)>,
    chances: Vec<Chance>,
}

impl Subscriptions {
    /// Nobody.
    pub fn new() -> Subscriptions {
        Subscriptions::default()
    }

    /// Registers a path, as found: from start to goal, by an agent with this view of the world. An empty path stands for someone
    /// who waits for a way to open.
    ///
    /// The view may be older or newer than the last [changes](Subscriptions::changes): the path is judged by what happened since the
    /// view's moment.
    pub fn subscribe<'a>(&mut self, view: impl Into<View<'a>>, path: &Path) -> SubscriptionId {
        let view = view.into();
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        self.enter(index, &view, path);
        SubscriptionId { index, generation: self.slots[index as usize].generation }
    }

    /// Registers another path instead; `false` if there is no such subscription.
    pub fn replace<'a>(&mut self, id: SubscriptionId, view: impl Into<View<'a>>, path: &Path) -> bool {
        let known = self.contains(id);
        if known {
            self.leave(id.index);
            self.enter(id.index, &view.into(), path);
        }
        known
    }

    /// Ends a subscription; `false` if there is none.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        let known = self.contains(id);
        if known {
            self.leave(id.index);
            let slot = &mut self.slots[id.index as usize];
            slot.generation = slot.generation.wrapping_add(1);
            slot.track.clear();
            self.free.push(id.index);
        }
        known
    }

    /// The unit has made so many steps of its path since it was registered: what is behind no longer matters. Units do not go
    /// back; `false` if there is no such subscription.
    pub fn advance(&mut self, id: SubscriptionId, steps: usize) -> bool {
        let known = self.contains(id);
        if known {
            let slot = &mut self.slots[id.index as usize];
            slot.track.advance(steps);
            if let Some(location) = slot.location {
                // What is left needs no more room than all of it did.
                let entry = self.groups[slot.group].regions.entry(location);
                (entry.ends, entry.budget) = (slot.track.ends(), slot.track.cost());
            }
        }
        known
    }

    /// Whether there is such a subscription.
    pub fn contains(&self, id: SubscriptionId) -> bool {
        self.slots.get(id.index as usize).is_some_and(|slot| slot.live && slot.generation == id.generation)
    }

    /// How many subscriptions there are.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether there is no subscription.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that all of it holds.
    pub fn bytes(&self) -> usize {
        let slots: usize = self.slots.iter().map(|slot| slot.track.bytes()).sum();
        let groups: usize =
            self.groups.iter().map(|group| group.blocks.bytes() + group.regions.bytes()).sum();
        slots
            + groups
            + self.news.bytes()
            + self.slots.capacity() * size_of::<Slot>()
            + self.groups.capacity() * size_of::<Group>()
            + (self.free.capacity() + self.late.capacity() + self.touched.capacity()) * size_of::<u32>()
            + self.suspects.capacity() * size_of::<(u32, u64)>()
            + self.chances.capacity() * size_of::<Chance>()
    }

    /// Reads what happened to the world since the last call, and says whom it touches, in the order of their ids. Any
    /// agent's view of the world will do.
    ///
    /// Each report is about the time since the last one: who is told that its path is broken is not told again while it stays
    /// broken. If it is not [replaced](Subscriptions::replace), it is told when it can be walked again
    /// ([`Effect::MayShorten`]).
    pub fn changes<'a>(&mut self, view: impl Into<View<'a>>, touched: &mut Vec<Touched>) {
        let view = view.into();
        touched.clear();
        self.adopt(&view);
        if self.seen != view.revision() {
            if self.news.read(&view, self.seen) {
                let has_links = self.news.has_links(&view);
                self.refresh_flights(&view, has_links);
                self.measure_suspects(&view);
                self.take_chances(&view);
            } else {
                self.all_are_late();
                self.refresh_flights(&view, true);
            }
            self.seen = view.revision();
        }
        self.catch_up(&view);
        self.touched.sort_unstable();
        for index in self.touched.drain(..) {
            let slot = &mut self.slots[index as usize];
            slot.before = None;
            if let Some(effect) = slot.effect.take() {
                touched.push(Touched { id: SubscriptionId { index, generation: slot.generation }, effect });
            }
        }
    }

    /// Makes sure that the index fits the world. In a world of another shape, the paths that are known mean nothing.
    fn adopt(&mut self, view: &View<'_>) {
        let ground = Ground::of(view);
        if self.ground == Some(ground) {
            return;
        }
        self.ground = Some(ground);
        self.all_are_late();
        self.seen = view.revision();
        for slot in &mut self.slots {
            slot.track.clear();
            slot.location = None;
        }
        self.groups.clear();
        for index in 0..self.slots.len() {
            if self.slots[index].live {
                self.slots[index].group = self.group_of(view);
                self.groups[self.slots[index].group].members += 1;
            }
        }
    }

    /// Everyone's path belongs to the moment up to which changes have been read.
    fn all_are_late(&mut self) {
        for (index, slot) in (0..).zip(&mut self.slots).filter(|(_, slot)| slot.live && !slot.late) {
            (slot.late, slot.revision) = (true, self.seen);
            self.late.push(index);
        }
        for index in 0..self.slots.len() {
            self.remove_region(index);
        }
    }

    /// The group of those who see the world like this.
    fn group_of(&mut self, view: &View<'_>) -> usize {
        let agent = match view {
            View::Grid(view) => Some(view.policy()),
            View::Graph(_) => None,
        };
        if let Some(found) = self.groups.iter().position(|group| group.agent == agent) {
            return found;
        }
        let number = self.groups.iter().position(|group| group.members == 0).unwrap_or_else(|| {
            self.groups.push(Group::default());
            self.groups.len() - 1
        });
        let group = &mut self.groups[number];
        group.agent = agent;
        group.regions = Regions::new(view);
        group.flight = None;
        group.blocks.reset(Ground::of(view).blocks());
        number
    }

    /// Registers a slot's path.
    fn enter(&mut self, index: u32, view: &View<'_>, path: &Path) {
        self.adopt(view);
        if self.len() == 1 && self.seen != view.revision() {
            self.seen = view.revision();
            self.groups.iter_mut().for_each(|group| group.flight = None);
        }
        let number = self.group_of(view);
        let (slot, group) = (&mut self.slots[index as usize], &mut self.groups[number]);
        slot.group = number;
        group.members += 1;
        slot.live = true;
        slot.track.set(view, path.nodes());
        let ground = Ground::of(view);
        for (block, first, nodes) in slot.track.runs(&ground) {
            group.blocks.insert(block, Run { nodes, owner: index, first });
        }
        if view.revision() == self.seen {
            slot.late = false;
            self.place_region(index as usize, view);
        } else {
            slot.revision = view.revision();
            if !std::mem::replace(&mut slot.late, true) {
                self.late.push(index);
            }
        }
    }

    /// Takes a slot's path out of the index.
    fn leave(&mut self, index: u32) {
        self.remove_region(index as usize);
        let slot = &mut self.slots[index as usize];
        (slot.live, slot.late) = (false, false);
        let group = &mut self.groups[slot.group];
        group.members -= 1;
        if let Some(ground) = self.ground {
            for (block, first, _) in slot.track.runs(&ground) {
                group.blocks.remove(block, index, first);
            }
        }
    }

    /// Lets a slot wait for news that may make its path cheaper.
    fn place_region(&mut self, index: usize, view: &View<'_>) {
        self.remove_region(index);
        let slot = &mut self.slots[index];
        let group = &mut self.groups[slot.group];
        let (ends, budget) = (slot.track.ends(), slot.track.cost());
        let flight = *group.flight.get_or_insert_with(|| Flight::new(view));
        let region = ends
            .filter(|_| budget < u64::MAX)
            .and_then(|(start, goal)| flight.region(&Area::of(view, start), &Area::of(view, goal), budget));
        slot.location = Some(group.regions.insert(region, Entry { ends, budget, owner: index as u32 }));
    }

    fn remove_region(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        if let Some(location) = slot.location.take()
            && let Some(moved) = self.groups[slot.group].regions.remove(location)
        {
            self.slots[moved as usize].location = Some(location);
        }
    }

    /// Brings the estimates in step with the world, and the index with the estimates.
    fn refresh_flights(&mut self, view: &View<'_>, links_changed: bool) {
        for number in 0..self.groups.len() {
            let group = &mut self.groups[number];
            let view = group.view(view);
            let kept = group.flight.filter(|_| !links_changed).map(|flight| flight.after_changes(&view));
            let flight = Some(kept.unwrap_or_else(|| Flight::new(&view)));
            if std::mem::replace(&mut group.flight, flight) != flight {
                for index in 0..self.slots.len() {
                    if self.slots[index].group == number && self.slots[index].location.is_some() {
                        self.place_region(index, &view);
                    }
                }
            }
        }
    }

    /// Measures again what changes may have touched.
    fn measure_suspects(&mut self, view: &View<'_>) {
        let ground = Ground::of(view);
        for number in 0..self.groups.len() {
            let Subscriptions { slots, groups, news, suspects, touched, .. } = self;
            let group = &groups[number];
            if group.members == 0 {
                continue;
            }
            let view = group.view(view);
            news.suspects_into(&view, suspects);
            for &(block, nodes) in &*suspects {
                for run in group.blocks.runs(block).iter().filter(|run| run.nodes & nodes != 0) {
                    let slot = &mut slots[run.owner as usize];
                    if slot.before.is_none() {
                        slot.before = Some(slot.track.cost());
                        touched.push(run.owner);
                    }
                    slot.track.measure_run(&view, &ground, run.first, block, nodes);
                }
            }
        }
        for at in 0..self.touched.len() {
            self.settle(self.touched[at] as usize, view);
        }
    }

    /// Draws the conclusion from what a path cost before and costs now.
    fn settle(&mut self, index: usize, view: &View<'_>) {
        let slot = &mut self.slots[index];
        let Some(before) = slot.before else { return };
        let now = slot.track.cost();
        slot.effect = match now {
            _ if now == before => None,
            u64::MAX => Some(Effect::Broken),
            _ if now > before => Some(Effect::Dearer),
            _ => Some(Effect::MayShorten),
        };
        if now != before && slot.location.is_some() {
            let view = self.groups[slot.group].view(view);
            self.place_region(index, &view);
        }
    }

    /// Tells those whom changes may make cheaper.
    fn take_chances(&mut self, view: &View<'_>) {
        let Subscriptions { slots, groups, news, chances, touched, .. } = self;
        for group in groups.iter().filter(|group| group.members > 0) {
            let view = group.view(view);
            let Some(flight) = group.flight else { continue };
            news.chances_into(&view, &flight, &group.regions, chances);
            for chance in &*chances {
                group.regions.near(&chance.place(), |entry| {
                    if may_shorten(chance, &flight, &view, entry) {
                        tell(&mut slots[entry.owner as usize], entry.owner, touched, Effect::MayShorten);
                    }
                });
            }
        }
    }

    /// Judges the paths that belong to other moments by what happened since then.
    fn catch_up(&mut self, view: &View<'_>) {
        let mut read = None;
        for at in 0..self.late.len() {
            let index = self.late[at];
            let slot = &mut self.slots[index as usize];
            if !slot.live || !slot.late {
                continue;
            }
            let (number, since) = (slot.group, slot.revision);
            slot.late = false;
            let group = &self.groups[number];
            let group_view = group.view(view);
            if since == view.revision() {
                self.place_region(index as usize, &group_view);
                continue;
            }
            let known = match read {
                Some((moment, known)) if moment == since => known,
                _ => self.news.read(view, since),
            };
            read = Some((since, known));
            if slot.before.is_none() {
                slot.before = Some(slot.track.cost());
                self.touched.push(index);
            }
            slot.track.measure_all(&group_view);
            self.settle(index as usize, view);
            self.place_region(index as usize, &group_view);
            let group = &self.groups[number];
            let (slot, Some(flight)) = (&mut self.slots[index as usize], group.flight) else { continue };
            if known {
                let entry = Entry { ends: slot.track.ends(), budget: slot.track.cost(), owner: index };
                self.news.chances_into(&group_view, &flight, &group.regions, &mut self.chances);
                if self.chances.iter().any(|chance| may_shorten(chance, &flight, &group_view, &entry)) {
                    tell(slot, index, &mut self.touched, Effect::MayShorten);
                }
            } else {
                slot.effect = Some(Effect::Unknown);
            }
        }
        self.late.clear();
    }
}

/// Whether a way by way of a chance may be cheaper than a path.
fn may_shorten(chance: &Chance, flight: &Flight, view: &View<'_>, entry: &Entry) -> bool {
    let Some((start, goal)) = entry.ends.filter(|_| entry.budget < u64::MAX) else { return true };
    chance.least(flight, &Area::of(view, start), &Area::of(view, goal)) < entry.budget
}

/// Tells someone who has not been told anything worse.
fn tell(slot: &mut Slot, index: u32, touched: &mut Vec<u32>, effect: Effect) {
    if slot.effect.is_none() {
        slot.effect = Some(effect);
        if slot.before.is_none() {
            slot.before = Some(slot.track.cost());
            touched.push(index);
        }
    }
}
