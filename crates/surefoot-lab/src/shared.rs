//! What all requests and sessions share.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::answer::Problem;
use crate::guard::Caller;
use crate::limits::{CALLS, CALLS_WAITING, LIMITS, OTHER_CALLS_WAITING};
use crate::page::Source;

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
    /// Heavy calls of the lab's own page, and of everything else.
    calls: [Lane; 2],
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
            calls: [CALLS_WAITING, OTHER_CALLS_WAITING].map(Lane::new),
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

    /// Waits until a heavy call has its turn, unless too many wait already. Callers other than the page can keep only each
    /// other waiting.
    pub async fn call(&self, caller: Caller) -> Result<Call, Problem> {
        let [page, other] = &self.calls;
        let lane = match caller {
            Caller::Page => page,
            Caller::Other => other,
        };
        lane.enter().await.ok_or_else(|| {
            let message = "too many long requests are waiting, expected fewer at a time";
            Problem(StatusCode::TOO_MANY_REQUESTS, message.to_owned())
        })
    }

    /// Turns true when the lab is about to end.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.clone()
    }
}

/// A turn to compute, about one for each core.
pub struct Slot(OwnedSemaphorePermit);

impl Slot {
    /// Computes on a thread for blocking work.
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

/// Heavy calls of one kind of caller.
struct Lane {
    /// Taken by calls that wait and by calls that are worked on.
    room: Arc<Semaphore>,
    /// Taken by calls that are worked on.
    turns: Arc<Semaphore>,
}

impl Lane {
    fn new(waiting: usize) -> Lane {
        Lane { room: Arc::new(Semaphore::new(CALLS + waiting)), turns: Arc::new(Semaphore::new(CALLS)) }
    }

    /// Waits for a turn; `None` if there is no room to wait in.
    async fn enter(&self) -> Option<Call> {
        let room = self.room.clone().try_acquire_owned().ok()?;
        let turn = self.turns.clone().acquire_owned().await.ok()?;
        Some(Call { _room: room, _turn: turn })
    }
}

/// A heavy call that has its turn. That is no turn to compute: it would be kept for too long.
pub struct Call {
    _room: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
}

impl Call {
    /// Works on a thread for blocking work. The turn ends with the work, even if the caller is gone before.
    pub async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> T {
        blocking(move || {
            let result = work();
            drop(self);
            result
        })
        .await
    }
}

/// Computes on a thread for blocking work, without waiting for a turn.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime ends, and with it all waiting tasks.
        Err(_) => std::future::pending().await,
    }
}
