//! Runs the time slices of a search and sends the results.

use std::pin::pin;
use std::sync::Arc;

use axum::extract::ws::Message;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use crate::limits::PROGRESS;
use crate::protocol::{Answer, Done};
use crate::run::{Cancel, Run, Step};
use crate::shared::{Shared, blocking};

/// What a run needs from outside.
pub struct Driver {
    pub shared: Arc<Shared>,
    /// Where messages go, in order. When it is full the run waits, without keeping others from computing.
    pub queue: mpsc::Sender<Message>,
    pub cancelled: Cancel,
    /// Whether to measure how long the search takes unwatched.
    pub time: bool,
    /// Whether to show what was prepared, unless it is this table.
    pub sketch: Option<u32>,
}

impl Driver {
    /// Returns the run when it has ended; `None` if the client is gone.
    pub async fn drive(mut self, run: Run) -> Option<Run> {
        let (mut run, ended) = self.prepare(run).await?;
        if let Some(done) = ended {
            self.send(&Answer::Done(Box::new(done))).await?;
            return Some(run);
        }
        let done = loop {
            let shared = self.shared.clone();
            let Some(slot) = self.unless_cancelled(shared.slot()).await else { break run.cancelled() };
            let (given_back, began, pieces, step) = slot
                .run(move || {
                    let (mut began, mut pieces) = (None, Vec::new());
                    let step = run.step(&mut began, &mut pieces);
                    (run, began, pieces, step)
                })
                .await;
            run = given_back;
            if let Some(began) = began {
                self.send(&began).await?;
            }
            let queue = self.queue.clone();
            let sending = async {
                for piece in pieces {
                    queue.send(Message::Binary(piece)).await.ok()?;
                }
                Some(())
            };
            match (self.unless_cancelled(sending).await, step) {
                (None, _) => break run.cancelled(),
                (Some(None), _) => return None,
                (Some(Some(())), Step::More) => {}
                (Some(Some(())), Step::Ended(done)) => break *done,
            }
        };
        let worth_timing = self.time && matches!(done.outcome, "found" | "unreachable");
        self.send(&Answer::Done(Box::new(done))).await?;
        if worth_timing { self.time(run).await } else { Some(run) }
    }

    /// Makes sure that the map is prepared, if the algorithm wants that, and shows what was. Also gives back how the run
    /// ended, if it did.
    async fn prepare(&mut self, mut run: Run) -> Option<(Run, Option<Done>)> {
        let shared = self.shared.clone();
        if !run.prepares() {
            return Some((run, None));
        }
        let Some(slot) = self.unless_cancelled(shared.slot()).await else {
            let done = run.cancelled();
            return Some((run, Some(done)));
        };
        let (given_back, prepared) = slot
            .run(move || {
                let prepared = run.is_prepared();
                (run, prepared)
            })
            .await;
        run = given_back;
        if !prepared {
            let Some(turn) = self.unless_cancelled(shared.preparing.clone().acquire_owned()).await else {
                let done = run.cancelled();
                return Some((run, Some(done)));
            };
            let mark = run.mark();
            let (tell, told) = watch::channel(0.0);
            let mut work = pin!(blocking(move || {
                let ended = run.prepare(&|share| {
                    tell.send_replace(share);
                });
                drop(turn);
                (run, ended)
            }));
            let ended;
            (run, ended) = loop {
                tokio::select! {
                    biased;
                    result = &mut work => break result,
                    () = sleep(PROGRESS) => {
                        let share = *told.borrow();
                        // A slow client misses some reports: newer ones follow.
                        let _ = self.queue.try_send(Message::text(Answer::Preparing { mark, share }.to_json()));
                    }
                }
            };
            if ended.is_some() {
                return Some((run, ended));
            }
        }
        let Some(known) = self.sketch else { return Some((run, None)) };
        let (run, sketch) = blocking(move || {
            let sketch = run.sketch(known);
            (run, sketch)
        })
        .await;
        if let Some(sketch) = sketch {
            self.queue.send(Message::Binary(sketch)).await.ok()?;
        }
        Some((run, None))
    }

    async fn send(&self, answer: &Answer) -> Option<()> {
        self.queue.send(Message::text(answer.to_json())).await.ok()
    }

    /// Waits for something, or for the end of the run.
    async fn unless_cancelled<T>(&mut self, wish: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            _ = self.cancelled.wait_for(|cancelled| *cancelled) => None,
            result = wish => Some(result),
        }
    }

    async fn time(&mut self, mut run: Run) -> Option<Run> {
        let shared = self.shared.clone();
        // One after the other: two boards that are timed at once would disturb each other.
        let waiting = async { (shared.timing.lock().await, shared.slot().await) };
        let Some((_turn, slot)) = self.unless_cancelled(waiting).await else { return Some(run) };
        let (run, timed) = slot
            .run(move || {
                let timed = run.time();
                (run, timed)
            })
            .await;
        if let Some(timed) = timed {
            self.send(&timed).await?;
        }
        Some(run)
    }
}
