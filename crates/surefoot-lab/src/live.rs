//! The task of live units or of a crowd: it executes orders one after the other, in time slices like searches.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Message;
use bytes::Bytes;
use surefoot::formats::World;
use surefoot::prelude::Place;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::limits::LIMITS;
use crate::protocol::{Answer, CrowdOrder, Mark, TargetRequest};
use crate::shared::Shared;

/// Orders that may wait. When there are more, the socket is not read.
const ORDERS: usize = 16;

/// What live units or a crowd are told, in a world as it was when the message came.
pub enum Order {
    Tick { ticks: u32, world: Arc<World> },
    Place { board: Option<u8>, unit: Option<Place>, target: Option<Place>, world: Arc<World> },
    Adjust { target: Option<TargetRequest>, debug: Option<bool>, forecast: Option<f64>, world: Arc<World> },
    Direct { order: CrowdOrder, world: Arc<World> },
}

/// Live units and their target, or a crowd, in time slices: nothing here waits, so the caller decides when others run. Each is told only what
/// concerns it: the session sees to that.
pub trait Play: Send {
    /// Asks for some ticks.
    fn begin(&mut self, ticks: u32);
    /// Puts units or their target elsewhere.
    fn place(&mut self, _: &World, _: Option<u8>, _: Option<Place>, _: Option<Place>) {}
    /// Makes the target behave differently, starting where it is. Fails if this world has no such behaviour.
    fn set_target(&mut self, _: &World, _: &TargetRequest) -> Result<(), String> {
        Ok(())
    }
    /// Sets how far ahead forecast cells are reported, in seconds; 0 for not at all.
    fn set_forecast(&mut self, _: f64) -> Result<(), String> {
        Ok(())
    }
    /// Switches reports about planners on or off without touching the planners. The next report is complete.
    fn set_watched(&mut self, _: bool) {}
    /// Tells a crowd something.
    fn direct(&mut self, _: &World, _: &CrowdOrder) -> Result<(), String> {
        Ok(())
    }
    /// Goes on for a slice.
    fn go_on(&mut self, world: &World) -> Progress;
}

/// What a slice brought.
pub enum Progress {
    /// There is more to do.
    More,
    /// The ticks are over: binary messages, and what comes after them.
    Ticked(Vec<Bytes>, Box<Answer>),
    /// It cannot continue, for the given reason.
    Failed(String),
}

/// The time that ticks have taken; says when it is too much.
pub fn check_time(spent: Duration) -> Progress {
    if spent.as_secs() < LIMITS.seconds {
        return Progress::More;
    }
    Progress::Failed(format!("live: these ticks took longer than {} seconds", LIMITS.seconds))
}

/// Live units or a crowd under way.
pub struct Live {
    pub number: u32,
    /// The boards of the units; none for a crowd.
    pub boards: Vec<u8>,
    orders: mpsc::Sender<Order>,
    cancel: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Live {
    pub fn start(
        number: u32,
        boards: Vec<u8>,
        play: Box<dyn Play>,
        shared: Arc<Shared>,
        queue: mpsc::Sender<Message>,
    ) -> Live {
        let (orders, waiting) = mpsc::channel(ORDERS);
        let (cancel, cancelled) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut keeper = Keeper { shared, queue, cancelled };
            keeper.keep(play, waiting).await;
        });
        Live { number, boards, orders, cancel, task }
    }

    /// Hands an order over; `false` if the units have ended.
    pub async fn order(&self, order: Order) -> bool {
        self.orders.send(order).await.is_ok()
    }

    /// Ends the units and waits until they have.
    pub async fn end(self) {
        let _ = self.cancel.send(true);
        let _ = self.task.await;
    }
}

/// What the task needs from outside.
struct Keeper {
    shared: Arc<Shared>,
    /// Where messages go, in order.
    queue: mpsc::Sender<Message>,
    cancelled: watch::Receiver<bool>,
}

impl Keeper {
    /// Executes orders until it is ended or the client is gone.
    async fn keep(&mut self, mut play: Box<dyn Play>, mut orders: mpsc::Receiver<Order>) -> Option<()> {
        loop {
            match self.unless_ended(orders.recv()).await?? {
                Order::Place { board, unit, target, world } => play.place(&world, board, unit, target),
                Order::Adjust { target, debug, forecast, world } => {
                    if let Some(on) = debug {
                        play.set_watched(on);
                    }
                    let adjusted = target.map_or(Ok(()), |target| play.set_target(&world, &target));
                    let foreseen = forecast.map_or(Ok(()), |seconds| play.set_forecast(seconds));
                    for message in [adjusted, foreseen].into_iter().filter_map(Result::err) {
                        self.refuse(message).await?;
                    }
                }
                Order::Direct { order, world } => {
                    let shared = self.shared.clone();
                    let slot = self.unless_ended(shared.slot()).await?;
                    let (given_back, told) = slot
                        .run(move || {
                            let told = play.direct(&world, &order);
                            (play, told)
                        })
                        .await;
                    play = given_back;
                    if let Err(message) = told {
                        self.refuse(message).await?;
                    }
                }
                Order::Tick { ticks, world } => play = self.tick(play, ticks, world).await?,
            }
        }
    }

    /// Lets time pass and tells what came of it.
    async fn tick(
        &mut self,
        mut play: Box<dyn Play>,
        ticks: u32,
        world: Arc<World>,
    ) -> Option<Box<dyn Play>> {
        play.begin(ticks);
        loop {
            let shared = self.shared.clone();
            let slot = self.unless_ended(shared.slot()).await?;
            let snapshot = world.clone();
            let (given_back, progress) = slot
                .run(move || {
                    let progress = play.go_on(&snapshot);
                    (play, progress)
                })
                .await;
            play = given_back;
            match progress {
                Progress::More => {}
                Progress::Ticked(pieces, ticked) => {
                    for piece in pieces {
                        self.send(Message::Binary(piece)).await?;
                    }
                    self.send(Message::text(ticked.to_json())).await?;
                    return Some(play);
                }
                Progress::Failed(message) => {
                    self.refuse(message).await?;
                    return None;
                }
            }
        }
    }

    /// Sends an error.
    async fn refuse(&mut self, message: String) -> Option<()> {
        let error = Answer::Error { mark: Mark::default(), message };
        self.send(Message::text(error.to_json())).await
    }

    async fn send(&mut self, message: Message) -> Option<()> {
        let queue = self.queue.clone();
        self.unless_ended(queue.send(message)).await?.ok()
    }

    /// Waits for something; `None` if the units are ended before.
    async fn unless_ended<T>(&mut self, wish: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            _ = self.cancelled.wait_for(|cancelled| *cancelled) => None,
            result = wish => Some(result),
        }
    }
}
