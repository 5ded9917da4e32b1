//! One socket: one world, up to four boards.

use std::sync::{Arc, Mutex};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use surefoot::formats::World;
use surefoot::prelude::{Algorithm, Options, Pathfinder};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::advice::Advisor;
use crate::driver::Driver;
use crate::flight::Flight;
use crate::gathering::Gathering;
use crate::limits::{self, LIMITS, TICKS, WARM_BYTES};
use crate::live::{Live, Order, Play};
use crate::protocol::{
    self, AdjustRequest, Answer, Command, CrowdOrder, CrowdRequest, LiveRequest, Mark, PROTOCOL,
    PlaceRequest, Refusal, RunRequest, TickRequest,
};
use crate::question::{Question, check_inside};
use crate::run::Run;
use crate::shared::Shared;
use crate::stage::Stage;
use crate::tables::Tables;
use crate::worlds;

/// Messages that may wait to be sent: small ones that overtake, and those of runs. When these are full, senders
/// wait.
const URGENT: usize = 16;
const ORDINARY: usize = 8;
/// Messages up to this many bytes are read where they arrive: that takes less time than handing them to another thread.
const SMALL: usize = 16 << 10;
/// The longest reason that fits a close frame.
const REASON_BYTES: usize = 120;

/// A search that is under way on a board.
struct Busy {
    cancel: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// A finder that keeps its memory for the next run on its board.
struct Warm {
    algorithm: &'static Algorithm,
    options: Options,
    finder: Pathfinder,
}

type WarmSlot = Arc<Mutex<Option<Warm>>>;

struct Session {
    shared: Arc<Shared>,
    world: Option<Arc<World>>,
    busy: [Option<Busy>; LIMITS.boards],
    warm: [WarmSlot; LIMITS.boards],
    tables: Arc<Tables>,
    live: Option<Live>,
    /// Away while a question is worked on.
    advisor: Advisor,
    urgent: mpsc::Sender<Message>,
    ordinary: mpsc::Sender<Message>,
}

/// Why a session ends.
enum End {
    /// The other side is gone.
    Gone,
    /// We close it, and say why.
    Closed(u16, String),
}

/// Serves one socket until it is closed.
pub async fn serve(socket: WebSocket, shared: Arc<Shared>) {
    let (sink, stream) = socket.split();
    let (urgent, urgent_queue) = mpsc::channel(URGENT);
    let (ordinary, ordinary_queue) = mpsc::channel(ORDINARY);
    let writer = tokio::spawn(write(sink, urgent_queue, ordinary_queue));
    let mut session = Session {
        shared,
        world: None,
        busy: Default::default(),
        warm: Default::default(),
        tables: Arc::default(),
        live: None,
        advisor: Advisor::default(),
        urgent,
        ordinary,
    };
    let (end, stream) = session.listen(stream).await;
    if let End::Closed(code, reason) = end {
        session.close(code, reason, stream).await;
    }
    // Without the writer, no sender waits for a place in a queue any more.
    writer.abort();
    session.end_all().await;
}

/// Sends what is queued, urgent messages first. Ends with the first message that cannot be sent.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut urgent: mpsc::Receiver<Message>,
    mut ordinary: mpsc::Receiver<Message>,
) {
    loop {
        let message = tokio::select! {
            biased;
            Some(message) = urgent.recv() => message,
            Some(message) = ordinary.recv() => message,
            else => return,
        };
        let last = matches!(message, Message::Close(_));
        // Fails when the client takes nothing for too long, too: the stream sees to that.
        if sink.send(message).await.is_err() || last {
            return;
        }
    }
}

impl Session {
    /// Handles the messages of the page until one side closes the socket.
    async fn listen(&mut self, mut stream: SplitStream<WebSocket>) -> (End, SplitStream<WebSocket>) {
        let mut stopping = self.shared.stopping();
        if self.say(&Answer::Hello { protocol: PROTOCOL }).await.is_err() {
            return (End::Gone, stream);
        }
        loop {
            let message = tokio::select! {
                message = stream.next() => message,
                () = self.urgent.closed() => return (End::Gone, stream),
                _ = stopping.wait_for(|stopping| *stopping) => {
                    return (End::Closed(close_code::AWAY, "the lab was closed".to_owned()), stream);
                }
            };
            let text = match message {
                None => return (End::Gone, stream),
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Binary(_))) => {
                    let reason = "found a binary message, expected JSON text".to_owned();
                    return (End::Closed(close_code::UNSUPPORTED, reason), stream);
                }
                // A close frame is answered by the next read, which then ends.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_))) => continue,
                Some(Err(error)) => return (unreadable(error), stream),
            };
            let read = if text.len() <= SMALL {
                protocol::read(text.as_str())
            } else {
                let slot = self.shared.slot().await;
                slot.run(move || protocol::read(text.as_str())).await
            };
            let answer = match read {
                Err(refusal) if refusal.nonsense => {
                    return (End::Closed(close_code::INVALID, refusal.message), stream);
                }
                Err(Refusal { mark, message, .. }) => Err(Answer::Error { mark, message }),
                Ok(command) => self.obey(command).await,
            };
            if let Err(error) = answer
                && self.say(&error).await.is_err()
            {
                return (End::Gone, stream);
            }
        }
    }

    async fn say(&self, answer: &Answer) -> Result<(), ()> {
        self.urgent.send(Message::text(answer.to_json())).await.map_err(|_| ())
    }

    async fn obey(&mut self, command: Command) -> Result<(), Answer> {
        let refused = |message: String| Answer::Error { mark: Mark::default(), message };
        match command {
            Command::World(world) => {
                self.end_all().await;
                self.world = Some(Arc::from(world));
                self.warm = Default::default();
                self.tables.clear();
                Ok(())
            }
            Command::Edit(edit) => {
                let Some(mut world) = self.world.take() else {
                    return Err(refused("edit: there is no world yet".to_owned()));
                };
                let slot = self.shared.slot().await;
                let (world, result) = slot
                    .run(move || {
                        let result = worlds::edit(Arc::make_mut(&mut world), &edit);
                        (world, result)
                    })
                    .await;
                self.world = Some(world);
                result.map_err(refused)
            }
            Command::Run(request) => {
                let mark = Mark { board: Some(request.board), run: Some(request.run) };
                self.start(mark, &request).await.map_err(|message| Answer::Error { mark, message })
            }
            Command::Cancel(board) => {
                check_board(board).map_err(refused)?;
                self.end(board).await;
                Ok(())
            }
            Command::Live(request) => self.go_live(request).await.map_err(refused),
            Command::Crowd(request) => self.gather(&request).await.map_err(refused),
            Command::Direct(order) => self.direct(order).await.map_err(refused),
            Command::Tick(request) => self.tick(&request).await.map_err(refused),
            Command::Place(request) => self.place(&request).await.map_err(refused),
            Command::Adjust(request) => self.adjust(&request).await.map_err(refused),
            Command::Halt(number) => {
                self.live(number).map_err(refused)?;
                self.end_live().await;
                Ok(())
            }
            Command::Advise(request) => {
                let advice = self.consult(move |advisor, world| advisor.advise(&request, world)).await;
                // A closed socket is detected by the next read.
                let _ = self.say(&advice.map_err(refused)?).await;
                Ok(())
            }
            Command::Chokes(request) => {
                let chokes = self.consult(move |advisor, world| advisor.chokes(&request, world)).await;
                let _ = self.urgent.send(Message::Binary(chokes.map_err(refused)?)).await;
                Ok(())
            }
        }
    }

    /// Asks the advisor something about the world.
    async fn consult<T: Send + 'static>(
        &mut self,
        question: impl FnOnce(&mut Advisor, &World) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let world = self.world.clone().ok_or("there is no world yet")?;
        let mut advisor = std::mem::take(&mut self.advisor);
        let slot = self.shared.slot().await;
        let (advisor, answer) = slot
            .run(move || {
                let answer = question(&mut advisor, &world);
                (advisor, answer)
            })
            .await;
        self.advisor = advisor;
        answer
    }

    /// Lets units walk, after whatever was under way on their boards has ended.
    async fn go_live(&mut self, request: LiveRequest) -> Result<(), String> {
        let world = self.world.clone().ok_or("live: there is no world yet")?;
        let (number, boards) =
            (request.live, request.boards.iter().map(|entry| entry.board).collect::<Vec<u8>>());
        limits::check("boards", boards.len() as u64, LIMITS.boards as u64)?;
        let slot = self.shared.slot().await;
        let play = slot.run(move || play(&request, &world)).await?;
        self.end_live().await;
        for &board in &boards {
            self.end(usize::from(board)).await;
        }
        self.live = Some(Live::start(number, boards, play, self.shared.clone(), self.ordinary.clone()));
        Ok(())
    }

    /// Begins a crowd, after whatever was under way on all boards has ended.
    async fn gather(&mut self, request: &CrowdRequest) -> Result<(), String> {
        let world = self.world.clone().ok_or("crowd: there is no world yet")?;
        let play = Box::new(Gathering::new(request, &world)?);
        self.end_all().await;
        self.live = Some(Live::start(request.live, vec![], play, self.shared.clone(), self.ordinary.clone()));
        Ok(())
    }

    /// Tells a crowd something.
    async fn direct(&self, order: CrowdOrder) -> Result<(), String> {
        let number = order.live();
        let live = self.live.as_ref().filter(|live| live.number == number && live.boards.is_empty());
        let live = live.ok_or_else(|| format!("crowd {number} does not exist"))?;
        let world = self.world.clone().ok_or("there is no world yet")?;
        self.order(live, Order::Direct { order, world }).await
    }

    /// The live units of a number, not a crowd.
    fn units(&self, number: u32) -> Result<&Live, String> {
        let live = self.live(number)?;
        if live.boards.is_empty() {
            return Err(format!("found crowd {number}, expected live units"));
        }
        Ok(live)
    }

    /// The live units or the crowd of a number.
    fn live(&self, number: u32) -> Result<&Live, String> {
        let live = self.live.as_ref().filter(|live| live.number == number);
        live.ok_or_else(|| format!("live units {number} do not exist"))
    }

    async fn tick(&self, request: &TickRequest) -> Result<(), String> {
        let live = self.live(request.live)?;
        limits::check("ticks", request.ticks.into(), TICKS.into())?;
        let world = self.world.clone().ok_or("tick: there is no world yet")?;
        self.order(live, Order::Tick { ticks: request.ticks, world }).await
    }

    async fn place(&self, request: &PlaceRequest) -> Result<(), String> {
        let live = self.units(request.live)?;
        let world = self.world.clone().ok_or("place: there is no world yet")?;
        if let Some(board) = request.board.filter(|board| !live.boards.contains(board)) {
            return Err(format!("place: there is no live unit on board {board}"));
        }
        let (unit, target) = (request.unit, request.target);
        for place in [unit, target].into_iter().flatten() {
            check_inside(place, &world).map_err(|error| format!("place: {error}"))?;
        }
        self.order(live, Order::Place { board: request.board, unit, target, world }).await
    }

    async fn adjust(&self, request: &AdjustRequest) -> Result<(), String> {
        let live = self.units(request.live)?;
        let world = self.world.clone().ok_or("adjust: there is no world yet")?;
        let AdjustRequest { target, debug, forecast, .. } = *request;
        self.order(live, Order::Adjust { target, debug, forecast, world }).await
    }

    /// Hands an order to live units. They may have many pending; waiting ends when the socket is closed.
    async fn order(&self, live: &Live, order: Order) -> Result<(), String> {
        let mut stopping = self.shared.stopping();
        let taken = tokio::select! {
            taken = live.order(order) => taken,
            () = self.urgent.closed() => false,
            _ = stopping.wait_for(|stopping| *stopping) => false,
        };
        if taken { Ok(()) } else { Err(format!("live units {} have ended", live.number)) }
    }

    async fn end_live(&mut self) {
        if let Some(live) = self.live.take() {
            live.end().await;
        }
    }

    /// Starts a run on a board, after the one before it has ended.
    async fn start(&mut self, mark: Mark, request: &RunRequest) -> Result<(), String> {
        let board = usize::from(request.board);
        check_board(board)?;
        let world = self.world.clone().ok_or("run: there is no world yet")?;
        let question = Question::new(&request.query, &world)?;
        self.end(board).await;
        let world = self.slim(world).await?;
        let warm = self.warm[board].lock().expect("no thread panics while holding it").take();
        let (algorithm, options) = (question.algorithm, question.options);
        let finder = match warm {
            Some(warm) if warm.algorithm.name == algorithm.name && warm.options == options => warm.finder,
            _ => Pathfinder::new(algorithm, &options).map_err(|error| error.to_string())?,
        };
        let (cancel, cancelled) = watch::channel(false);
        let tables = self.tables.clone();
        let run = Run::new(world, question, finder, tables, mark, request.trace, cancelled.clone());
        let driver = Driver {
            shared: self.shared.clone(),
            queue: self.ordinary.clone(),
            cancelled,
            time: request.time,
            sketch: request.sketch,
        };
        let shelf = self.warm[board].clone();
        let task = tokio::spawn(async move {
            let Some(run) = driver.drive(run).await else { return };
            let finder = run.into_finder();
            if finder.stats().scratch_bytes <= WARM_BYTES {
                *shelf.lock().expect("no thread panics while holding it") =
                    Some(Warm { algorithm, options, finder });
            }
        });
        self.busy[board] = Some(Busy { cancel, task });
        Ok(())
    }

    /// Drops what a grid holds for agents of many sizes, if that has become much.
    async fn slim(&mut self, world: Arc<World>) -> Result<Arc<World>, String> {
        if !worlds::is_bloated(&world) {
            return Ok(world);
        }
        let slot = self.shared.slot().await;
        let world = Arc::new(slot.run(move || worlds::slimmed(&world)).await?);
        self.world = Some(world.clone());
        Ok(world)
    }

    /// Ends the run of a board and waits until it has said so.
    async fn end(&mut self, board: usize) {
        if let Some(busy) = self.busy[board].take() {
            let _ = busy.cancel.send(true);
            let _ = busy.task.await;
        }
    }

    async fn end_all(&mut self) {
        self.end_live().await;
        for busy in self.busy.iter().flatten() {
            let _ = busy.cancel.send(true);
        }
        for board in 0..LIMITS.boards {
            self.end(board).await;
        }
    }

    /// Closes the socket. Messages that still arrive are read for a moment, so that the other side receives the reason.
    async fn close(&self, code: u16, mut reason: String, mut stream: SplitStream<WebSocket>) {
        while reason.len() > REASON_BYTES {
            reason.pop();
        }
        let frame = CloseFrame { code, reason: reason.into() };
        let farewell = async {
            if self.urgent.send(Message::Close(Some(frame))).await.is_ok() {
                self.urgent.closed().await;
            }
            while let Some(Ok(_)) = stream.next().await {}
        };
        let _ = timeout(std::time::Duration::from_secs(1), farewell).await;
    }
}

/// Units on a grid walk, in space they fly.
fn play(request: &LiveRequest, world: &World) -> Result<Box<dyn Play>, String> {
    match world {
        World::Grid(grid) => Ok(Box::new(Stage::new(request, grid, world)?)),
        World::Voxels(voxels) => Ok(Box::new(Flight::new(request, voxels, world)?)),
        _ => Err(format!("live: found a {}, expected a grid or a voxel world", world.kind().noun())),
    }
}

fn check_board(board: usize) -> Result<(), String> {
    if board < LIMITS.boards {
        return Ok(());
    }
    Err(format!("found board {board}, expected 0 to {}", LIMITS.boards - 1))
}

/// What to do about a message that could not be read.
fn unreadable(error: axum::Error) -> End {
    let error = error.into_inner();
    match error.downcast_ref() {
        Some(tungstenite::Error::Capacity(_)) => {
            let reason = format!("the message is too large, expected at most {} bytes", LIMITS.message_bytes);
            End::Closed(close_code::SIZE, reason)
        }
        Some(tungstenite::Error::Utf8(_)) => {
            End::Closed(close_code::INVALID, "found bytes that are not UTF-8, expected JSON text".to_owned())
        }
        Some(tungstenite::Error::Io(_)) => End::Gone,
        _ => End::Closed(close_code::PROTOCOL, error.to_string()),
    }
}
