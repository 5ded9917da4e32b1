//! The registration of paths: paths enter the index, advance, and leave it.

use crate::id::NodeId;
use crate::replan::subscriptions::blocks::Run;
use crate::replan::subscriptions::lower_bound::LowerBound;
use crate::replan::subscriptions::regions::{Entry, Regions};
use crate::replan::subscriptions::{Group, Subscriptions};
use crate::world::any::{View, on_world};
use crate::world::space::SearchSpace;

impl Subscriptions {
    /// Registers a path in a free slot.
    pub(super) fn enter(&mut self, index: u32, view: &View<'_>, nodes: &[NodeId]) {
        self.adopt(view);
        if self.len() == 1 && self.seen != view.revision() {
            // No other subscription needs the changes before.
            self.seen = view.revision();
            self.draw_anew(view);
        }
        let number = self.group_of(view);
        let (slot, group) = (&mut self.slots[index as usize], &mut self.groups[number]);
        (slot.live, slot.group, slot.revision) = (true, number, view.revision());
        group.members += 1;
        slot.track.set(view, nodes);
        for (block, first, nodes) in slot.track.runs(&on_world!(view, space => space.blocks())) {
            group.blocks.insert(block, Run { nodes, owner: index, first });
        }
        if slot.revision == self.seen {
            self.place_region(index, view);
        } else {
            slot.late = true;
            self.late.push(index);
        }
    }

    /// Removes a slot's path from the index.
    pub(super) fn leave(&mut self, index: u32) {
        self.remove_region(index);
        let slot = &mut self.slots[index as usize];
        let group = &mut self.groups[slot.group];
        group.members -= 1;
        if let Some(ground) = self.ground {
            for (block, first, _) in slot.track.runs(&ground) {
                group.blocks.remove(block, index, first);
            }
        }
        slot.track.clear();
        (slot.live, slot.late) = (false, false);
    }

    /// Records that `steps` steps of a path are behind the unit.
    pub(super) fn move_on(&mut self, index: u32, steps: usize) {
        let slot = &mut self.slots[index as usize];
        slot.track.advance(steps);
        // The region of the rest is part of the region of the whole path, so the entry can stay where it is. On a graph, the
        // positions of nodes are not known without a view: the entry keeps the region of the whole path.
        if let (Some(location), Some((start, goal))) = (self.locations[index as usize], slot.track.ends())
            && let Some(ends) = self.ground.and_then(|ground| ground.places([start, goal]))
        {
            let (group, budget) = (&mut self.groups[slot.group], slot.track.cost());
            let limit = group.bound.map_or(i32::MAX, |bound| bound.limit(budget));
            group.regions.set(location, Entry { ends, owner: index, budget, limit });
        }
    }

    /// Makes sure that the index fits the world. In a world of another shape, the known paths are meaningless.
    pub(super) fn adopt(&mut self, view: &View<'_>) {
        let ground = on_world!(view, space => space.blocks());
        if self.ground == Some(ground) {
            return;
        }
        self.all_are_late();
        (self.ground, self.chart, self.seen) =
            (Some(ground), on_world!(view, space => space.chart()), view.revision());
        self.groups.clear();
        for index in 0..self.slots.len() {
            self.slots[index].track.clear();
            if self.slots[index].live {
                let number = self.group_of(view);
                self.slots[index].group = number;
                self.groups[number].members += 1;
            }
        }
    }

    /// Projects the world again, as long as no path is registered for improvements. It may be another world whose nodes have the
    /// same numbers: a graph with as many nodes, at other positions.
    pub(super) fn draw_anew(&mut self, view: &View<'_>) {
        self.chart = on_world!(view, space => space.chart());
        for group in &mut self.groups {
            (group.regions, group.bound) = (Regions::new(&self.chart), None);
        }
    }

    /// Marks all paths as belonging to the revision up to which changes have been read.
    pub(super) fn all_are_late(&mut self) {
        for index in 0..self.slots.len() as u32 {
            self.remove_region(index);
            let slot = &mut self.slots[index as usize];
            if slot.live && !slot.late {
                (slot.late, slot.revision) = (true, self.seen);
                self.late.push(index);
            }
        }
    }

    /// Returns the group of agents with this view of the world.
    fn group_of(&mut self, view: &View<'_>) -> usize {
        let agent = view.agent_key();
        if let Some(found) = self.groups.iter().position(|group| group.agent == agent) {
            return found;
        }
        let number = self.groups.iter().position(|group| group.members == 0).unwrap_or(self.groups.len());
        if number == self.groups.len() {
            self.groups.push(Group::default());
        }
        let group = &mut self.groups[number];
        group.agent = agent;
        group.bound = None;
        group.regions = Regions::new(&self.chart);
        group.blocks.reset(on_world!(view, space => space.blocks()).blocks());
        number
    }

    /// Returns the data needed to decide whether a path may become cheaper.
    pub(super) fn entry(&self, index: u32, view: &View<'_>) -> Entry {
        let track = &self.slots[index as usize].track;
        // Both ends of a walkable path exist.
        let (budget, ends) = (track.cost(), track.ends().filter(|_| track.cost() < u64::MAX));
        let ends = ends.map(|(start, goal)| {
            [start, goal].map(|node| on_world!(view, space => space.place(&self.chart, node)))
        });
        Entry { ends: ends.unwrap_or_default(), budget, owner: index, limit: i32::MAX }
    }

    /// Registers a slot for changes that may make its path cheaper. The view is its group's.
    pub(super) fn place_region(&mut self, index: u32, view: &View<'_>) {
        self.remove_region(index);
        let entry = self.entry(index, view);
        let group = &mut self.groups[self.slots[index as usize].group];
        let bound = group.bound.get_or_insert_with(|| LowerBound::new(view, &self.chart));
        let walkable = entry.budget < u64::MAX;
        let region = walkable.then(|| bound.region(entry.ends, entry.budget)).flatten();
        let entry = Entry { limit: bound.limit(entry.budget), ..entry };
        self.locations[index as usize] = Some(group.regions.insert(region, entry));
    }

    fn remove_region(&mut self, index: u32) {
        if let Some(location) = self.locations[index as usize].take()
            && let Some(moved) = self.groups[self.slots[index as usize].group].regions.remove(location)
        {
            self.locations[moved as usize] = Some(location);
        }
    }
}
