//! How long the parts of each tick take.

use std::time::Duration;

use crate::limits::FRAMES_TOLD;
use crate::run::in_micros;

/// The times of the last ticks of one agent, in microseconds: to update the world, to plan, to take the plan up.
#[derive(Default)]
pub struct Clocks {
    /// The present tick.
    now: [Duration; 3],
    frames: Vec<[f64; 3]>,
}

impl Clocks {
    /// Adds the time of a plan, which may come in parts.
    pub fn plan(&mut self, took: Duration) {
        self.now[1] += took;
    }

    /// Ends a tick.
    pub fn end(&mut self, update: Duration, taken: Duration) {
        let [_, plan, _] = std::mem::take(&mut self.now);
        if self.frames.len() == FRAMES_TOLD {
            self.frames.remove(0);
        }
        self.frames.push([update, plan, taken].map(in_micros));
    }

    /// The ticks since this was last asked.
    pub fn take(&mut self) -> Vec<[f64; 3]> {
        std::mem::take(&mut self.frames)
    }
}
