//! Preparations that failed, so that they are not repeated.

use crate::search::prepare::PrepareError;
use crate::world::any::Vantage;

/// The number of failed preparations that are remembered: this many agents can take turns without any of them being tried again.
const MOST_REFUSALS: usize = 8;

/// A preparation that failed, and would fail again.
#[derive(Clone)]
struct Refusal {
    vantage: Vantage,
    memory_limit: u64,
    error: PrepareError,
}

/// The last preparations that failed.
#[derive(Clone, Default)]
pub(super) struct Refusals {
    /// Oldest first.
    list: Vec<Refusal>,
}

impl Refusals {
    /// Returns why a preparation failed the last time, if it would fail again.
    pub fn find(&self, vantage: Vantage, memory_limit: u64) -> Option<&PrepareError> {
        let same = |refused: &&Refusal| refused.memory_limit == memory_limit && refused.vantage == vantage;
        self.list.iter().find(same).map(|refused| &refused.error)
    }

    /// Records how a preparation ended.
    pub fn record(&mut self, vantage: Vantage, memory_limit: u64, result: &Result<(), PrepareError>) {
        match result {
            // What has been prepared serves whatever the limit is from now on.
            Ok(()) => self.list.retain(|refused| refused.vantage != vantage),
            Err(error) => {
                self.list
                    .retain(|refused| refused.vantage != vantage || refused.memory_limit != memory_limit);
                if self.list.len() == MOST_REFUSALS {
                    self.list.remove(0);
                }
                self.list.push(Refusal { vantage, memory_limit, error: error.clone() });
            }
        }
    }

    pub fn clear(&mut self) {
        self.list.clear();
    }
}
