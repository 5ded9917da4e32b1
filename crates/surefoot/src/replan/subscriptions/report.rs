//! Reading changes, and finding the subscriptions that they affect.

use crate::replan::subscriptions::affected::{chances_into, suspects_into};
use crate::replan::subscriptions::lower_bound::LowerBound;
use crate::replan::subscriptions::{PathChange, Subscriptions};
use crate::world::any::{View, on_world};
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::space::SearchSpace;

impl Subscriptions {
    /// Reads the changes of the world and marks the slots that they affect.
    pub(super) fn follow(&mut self, view: &View<'_>) {
        self.adopt(view);
        if self.seen != view.revision() {
            if read_changes(&mut self.changes_read, view, self.seen) {
                let links = on_world!(view, space => space.has_new_links(&self.changes_read));
                self.refresh_bounds(view, links);
                self.measure_suspects(view);
                self.take_chances(view);
            } else {
                self.all_are_late();
                self.draw_anew(view);
                self.refresh_bounds(view, true);
            }
            self.seen = view.revision();
        }
        self.catch_up(view);
        for index in self.measured.drain(..) {
            self.slots[index as usize].before = None;
        }
    }

    /// Updates the lower bounds for the world, and the index for the bounds.
    fn refresh_bounds(&mut self, view: &View<'_>, links_changed: bool) {
        for number in 0..self.groups.len() {
            let group = &mut self.groups[number];
            let view = group.view(view);
            let kept = group.bound.filter(|_| !links_changed);
            let bound = kept.map_or_else(
                || LowerBound::new(&view, &self.chart),
                |kept| kept.after_changes(&view, &self.chart),
            );
            if group.bound.replace(bound) != Some(bound) {
                for index in 0..self.slots.len() {
                    if self.locations[index].is_some() && self.slots[index].group == number {
                        self.place_region(index as u32, &view);
                    }
                }
            }
        }
    }

    /// Measures the legs again that changes may have affected.
    fn measure_suspects(&mut self, view: &View<'_>) {
        let ground = on_world!(view, space => space.blocks());
        let Subscriptions { slots, groups, changes_read, suspects, measured, locations, .. } = self;
        let only_opens = changes_read.only_opens();
        for group in groups.iter().filter(|group| group.members > 0) {
            let view = group.view(view);
            suspects_into(changes_read, &view, suspects);
            for &(block, nodes) in &*suspects {
                let is_whole = |owner: u32| {
                    locations[owner as usize].is_some_and(|location| !group.regions.is_everywhere(location))
                };
                for run in group.blocks.runs(block).iter().filter(|run| run.nodes & nodes != 0) {
                    if only_opens && is_whole(run.owner) {
                        continue;
                    }
                    let slot = &mut slots[run.owner as usize];
                    if slot.before.is_none() {
                        slot.before = Some(slot.track.cost());
                        measured.push(run.owner);
                    }
                    slot.track.measure_run(&view, &ground, run.first, block, nodes);
                }
            }
        }
        for at in 0..self.measured.len() {
            self.settle(self.measured[at], view);
        }
    }

    /// Compares the costs of a path before and now.
    fn settle(&mut self, index: u32, view: &View<'_>) {
        let slot = &self.slots[index as usize];
        let now = slot.track.cost();
        let before = slot.before.unwrap_or(now);
        if now == before {
            return;
        }
        let effect = match now {
            u64::MAX => PathChange::Broken,
            _ if now > before => PathChange::CostIncreased,
            _ => PathChange::MayImprove,
        };
        self.mark(index, effect);
        if self.locations[index as usize].is_some() {
            let view = self.groups[self.slots[index as usize].group].view(view);
            self.place_region(index, &view);
        }
    }

    fn mark(&mut self, index: u32, effect: PathChange) {
        self.effects[index as usize] = Some(effect);
        self.touched.push(index);
    }

    /// Marks the paths that changes may make cheaper.
    fn take_chances(&mut self, view: &View<'_>) {
        let Subscriptions { chart, effects, groups, changes_read, chances, touched, .. } = self;
        for group in groups.iter().filter(|group| group.members > 0) {
            let Some(bound) = group.bound else { continue };
            chances_into(changes_read, &group.view(view), chart, &bound, chances);
            for chance in &*chances {
                group.regions.near(&chance.place(), chance.sieve(&bound).as_ref(), |entry| {
                    let effect = &mut effects[entry.owner as usize];
                    if effect.is_none() && chance.least(&bound, entry.ends) < entry.budget {
                        *effect = Some(PathChange::MayImprove);
                        touched.push(entry.owner);
                    }
                });
            }
        }
    }

    /// Judges the paths that belong to other revisions by what happened since then.
    fn catch_up(&mut self, view: &View<'_>) {
        let mut read = None;
        for at in 0..self.late.len() {
            let index = self.late[at];
            let slot = &mut self.slots[index as usize];
            if !std::mem::take(&mut slot.late) {
                continue;
            }
            let since = slot.revision;
            let group_view = self.groups[slot.group].view(view);
            if since != view.revision() {
                if read.is_none_or(|(moment, _)| moment != since) {
                    read = Some((since, read_changes(&mut self.changes_read, view, since)));
                }
                if slot.before.is_none() {
                    slot.before = Some(slot.track.cost());
                    self.measured.push(index);
                }
                slot.track.measure_all(&group_view);
                // Effects marked before did not consider all changes.
                self.effects[index as usize] = None;
                self.settle(index, view);
                if read.is_some_and(|(_, known)| !known) {
                    self.mark(index, PathChange::Unknown);
                } else if self.effects[index as usize].is_none() && self.has_chance(index, &group_view) {
                    self.mark(index, PathChange::MayImprove);
                }
            }
            self.place_region(index, &group_view);
        }
        self.late.clear();
    }

    /// Returns whether the current changes may make one path cheaper.
    fn has_chance(&mut self, index: u32, view: &View<'_>) -> bool {
        let entry = self.entry(index, view);
        let group = &mut self.groups[self.slots[index as usize].group];
        let bound = group.bound.get_or_insert_with(|| LowerBound::new(view, &self.chart));
        chances_into(&self.changes_read, view, &self.chart, bound, &mut self.chances);
        self.chances.iter().any(|chance| chance.least(bound, entry.ends) < entry.budget)
    }
}

/// Reads all changes since a revision; `false` if they are no longer known.
pub(super) fn read_changes(changes: &mut Changes, view: &View<'_>, since: Revision) -> bool {
    let known = on_world!(view, space => space.read_changes(since, changes));
    changes.settle();
    known
}
