//! Connections: how many there may be, and how long each may keep the server waiting.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits::CONNECTIONS;
use crate::stall::Impatient;

/// A connection is not hung up on for the sake of another before it had this long to say something.
const COURTESY: Duration = Duration::from_millis(100);

/// How long the server waits for the other side of a connection before it hangs up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the whole head of a request, counted from the beginning of the connection or from the answer before it.
    pub head: Duration,
    /// For a client to take any part of what is being sent to it.
    pub unread: Duration,
}

impl Default for Patience {
    /// Ten seconds each.
    fn default() -> Patience {
        Patience { head: Duration::from_secs(10), unread: Duration::from_secs(10) }
    }
}

/// Serves the connections of a listener for ever.
pub async fn serve(mut listener: TcpListener, router: Router, patience: Patience) {
    let crowd = Arc::new(Crowd::new(CONNECTIONS));
    let router = TowerToHyperService::new(router);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.head);
    loop {
        let (stream, _) = Listener::accept(&mut listener).await;
        // Small messages must not wait for each other's receipts: that would cost 40 ms a run.
        let _ = stream.set_nodelay(true);
        let guest = Arc::new(crowd.admit().await);
        let (router, host) = (router.clone(), guest.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let busy = host.clone().busy();
            let answer = router.call(request);
            async move {
                let answer = answer.await;
                drop(busy);
                answer
            }
        });
        let stream = TokioIo::new(Impatient::new(stream, patience.unread));
        let connection = builder.serve_connection(stream, service).with_upgrades();
        tokio::spawn(async move {
            tokio::select! {
                // Of a connection that breaks, nothing is left to be told.
                _ = connection => {}
                () = guest.hang_up.notified() => {}
            }
        });
    }
}

/// The connections that speak HTTP. Those that became web sockets are sessions and counted there.
struct Crowd {
    places: Arc<Semaphore>,
    guests: Mutex<Guests>,
}

#[derive(Default)]
struct Guests {
    next: u64,
    /// Since when each guest has no request under way, and how it is told to leave. Guests with one are not here.
    silent: BTreeMap<u64, (Instant, Arc<Notify>)>,
}

impl Crowd {
    fn new(most: usize) -> Crowd {
        Crowd { places: Arc::new(Semaphore::new(most)), guests: Mutex::default() }
    }

    fn guests(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place. If all are taken, the guest that has been silent for longest has to leave.
    async fn admit(self: &Arc<Crowd>) -> Guest {
        let place = loop {
            if let Ok(place) = self.places.clone().try_acquire_owned() {
                break place;
            }
            self.show_out();
            if let Ok(Ok(place)) = timeout(COURTESY, self.places.clone().acquire_owned()).await {
                break place;
            }
        };
        let mut guests = self.guests();
        guests.next += 1;
        let guest =
            Guest { number: guests.next, hang_up: Arc::default(), crowd: self.clone(), _place: place };
        guests.silent.insert(guest.number, (Instant::now(), guest.hang_up.clone()));
        guest
    }

    fn show_out(&self) {
        let mut guests = self.guests();
        let longest = guests.silent.iter().min_by_key(|(_, (since, _))| *since);
        let Some((&number, (since, hang_up))) = longest else { return };
        if since.elapsed() >= COURTESY {
            hang_up.notify_one();
            guests.silent.remove(&number);
        }
    }
}

/// A connection with its place.
struct Guest {
    number: u64,
    hang_up: Arc<Notify>,
    crowd: Arc<Crowd>,
    _place: OwnedSemaphorePermit,
}

impl Guest {
    /// Keeps the connection from being hung up on until its request is answered.
    fn busy(self: Arc<Guest>) -> Busy {
        self.crowd.guests().silent.remove(&self.number);
        Busy(self)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.crowd.guests().silent.remove(&self.number);
    }
}

/// A request that is under way.
struct Busy(Arc<Guest>);

impl Drop for Busy {
    fn drop(&mut self) {
        let Guest { number, hang_up, crowd, .. } = &*self.0;
        crowd.guests().silent.insert(*number, (Instant::now(), hang_up.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_guest_that_has_been_silent_for_longest_makes_room() {
        let crowd = Arc::new(Crowd::new(2));
        let (first, second) = (Arc::new(crowd.admit().await), Arc::new(crowd.admit().await));
        let busy = first.clone().busy();
        std::thread::sleep(COURTESY);
        let leaving = async move {
            second.hang_up.notified().await;
            drop(second);
        };
        let (third, ()) = tokio::join!(crowd.admit(), leaving);
        // Now the first has been silent for a shorter time than the third.
        std::thread::sleep(COURTESY);
        drop(busy);
        crowd.show_out();
        third.hang_up.notified().await;
    }
}
