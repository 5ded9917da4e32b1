//! What all requests and sessions share.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::limits::LIMITS;
use crate::page::Source;

/// Files and pictures that are worked on at once: their bodies lie in memory.
const FILES: usize = 4;

/// Maps that are prepared at once: each may use all cores and much memory.
const PREPARATIONS: usize = 2;

/// What all requests and sessions share.
pub struct Shared {
    pub port: u16,
    pub page: Source,
    /// Held while a search is timed.
    pub timing: Mutex<()>,
    /// Taken by each session.
    pub seats: Arc<Semaphore>,
    /// Taken by requests with large bodies.
    pub files: Semaphore,
    /// Taken while a map is prepared. That is no turn to compute: it would be kept for too long.
    pub preparing: Arc<Semaphore>,
    slots: Arc<Semaphore>,
    stopping: watch::Receiver<bool>,
}

impl Shared {
    pub fn new(port: u16, page: Source, stopping: watch::Receiver<bool>) -> Shared {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Shared {
            port,
            page,
            timing: Mutex::new(()),
            seats: Arc::new(Semaphore::new(LIMITS.sessions)),
            files: Semaphore::new(FILES),
            preparing: Arc::new(Semaphore::new(PREPARATIONS)),
            // At least two: a search that is timed keeps one for a while.
            slots: Arc::new(Semaphore::new(cores.max(2))),
            stopping,
        }
    }

    /// Waits for a turn to compute.
    pub async fn slot(&self) -> Slot {
        Slot(self.slots.clone().acquire_owned().await.expect("the semaphore is never closed"))
    }

    /// Turns true when the lab is about to end.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.clone()
    }
}

/// A turn to compute, about one for each core.
pub struct Slot(OwnedSemaphorePermit);

impl Slot {
    /// Computes on a thread that may take its time.
    pub async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let Slot(permit) = self;
        blocking(move || {
            let result = work();
            drop(permit);
            result
        })
        .await
    }
}

/// Computes on a thread that may take its time, without waiting for a turn.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime ends: so does whoever waits here.
        Err(_) => std::future::pending().await,
    }
}
