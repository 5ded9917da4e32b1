//! The server: routes, ports, signals, shutdown.

use std::fmt;
use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use surefoot::generate::Kind;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::about::About;
use crate::answer::Problem;
use crate::connections::{self, Patience};
use crate::guard::Caller;
use crate::limits::{LIGHT_CELLS, LIMITS};
use crate::page::Source;
use crate::scene::Scene;
use crate::shared::Shared;
use crate::{files, gallery, guard, page, session};

/// The port that is tried first by default.
pub const DEFAULT_PORT: u16 = 4747;
/// The number of following ports to try if it is in use.
const MORE_PORTS: u16 = 20;
/// The time limit for sessions to close and threads to finish.
const GRACE: Duration = Duration::from_millis(300);
/// The time after which an idle thread ends.
const IDLE: Duration = Duration::from_secs(2);

/// The settings of the server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The port; 0 for any free one, `None` for [`DEFAULT_PORT`] or one of the next twenty.
    pub port: Option<u16>,
    /// A folder with the files of the page; `None` for the embedded files.
    pub page: Option<PathBuf>,
    /// The time limit for clients that do not send or do not read.
    pub patience: Patience,
}

/// Why the lab cannot be served.
#[derive(Debug, Error)]
pub enum LabError {
    /// The requested port is not available.
    #[error("cannot listen on port {port}: {error}; expected a free port, or 0 for any")]
    Port {
        /// The port.
        port: u16,
        /// The error of the system.
        error: io::Error,
    },
    /// None of the default ports is available.
    #[error("ports {first} to {last} are all in use: {error}; expected a free port, or 0 for any")]
    Ports {
        /// The first port that was tried.
        first: u16,
        /// The last port that was tried.
        last: u16,
        /// The error of the system for the last port.
        error: io::Error,
    },
    /// The folder of the page cannot be read.
    #[error("cannot serve the page from {path}: {error}", path = path.display())]
    Page {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The server failed.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

/// A lab that is bound to a port, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    port: u16,
    page: Source,
    patience: Patience,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Server {
    /// Binds to a port on 127.0.0.1.
    pub async fn bind(settings: &Settings) -> Result<Server, LabError> {
        let page = match &settings.page {
            None => Source::Embedded,
            Some(path) => {
                Source::folder(path).map_err(|error| LabError::Page { path: path.clone(), error })?
            }
        };
        let listener = listen(settings.port).await?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port, page, patience: settings.patience })
    }

    /// Returns the address of the lab.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves until `stop` completes, then ends all sessions.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> Result<(), LabError> {
        let (stopping, is_stopping) = watch::channel(false);
        let shared = Arc::new(Shared::new(self.port, self.page, is_stopping));
        tokio::select! {
            () = connections::serve(self.listener, routes(shared.clone()), self.patience) => {}
            () = stop => {}
        }
        let _ = stopping.send(true);
        // Every session holds a permit: when all permits are free, all sessions have ended.
        let _ = tokio::time::timeout(GRACE, shared.seats.acquire_many(LIMITS.sessions as u32)).await;
        Ok(())
    }
}

async fn listen(port: Option<u16>) -> Result<TcpListener, LabError> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port {
        return bind(port).await.map_err(|error| LabError::Port { port, error });
    }
    let (first, last) = (DEFAULT_PORT, DEFAULT_PORT + MORE_PORTS);
    let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
    for port in first..=last {
        match bind(port).await {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = error,
        }
    }
    Err(LabError::Ports { first, last, error: refused })
}

fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/about", get(async || Json(About::new())))
        .route("/api/gallery/{name}", get(gallery_scene))
        .route("/api/generate", get(generate))
        .route("/api/open", post(files::open))
        .route("/api/export", post(files::export))
        .route("/api/picture", post(files::picture))
        .route("/ws", any(socket))
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(shared.clone(), guard::guard))
        .with_state(shared)
}

async fn gallery_scene(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<Scene, Problem> {
    let wanted = name.clone();
    let scene = shared.slot().await.run(move || gallery::scene(&wanted)).await;
    let unknown = || Problem(StatusCode::NOT_FOUND, format!("`{name}` not found in the gallery"));
    Ok(scene.ok_or_else(unknown)??)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GenerateQuery {
    kind: String,
    width: u32,
    height: u32,
    seed: u64,
}

async fn generate(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<GenerateQuery>, QueryRejection>,
) -> Result<Scene, Problem> {
    let Query(GenerateQuery { kind, width, height, seed }) = query.map_err(|error| error.body_text())?;
    let kind: Kind = kind.parse().map_err(|error: surefoot::generate::UnknownKind| error.to_string())?;
    let work = move || Scene::generated(kind, width, height, seed);
    if u64::from(width) * u64::from(height) <= LIGHT_CELLS {
        return Ok(shared.slot().await.run(work).await?);
    }
    Ok(shared.call(caller).await?.run(work).await?)
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(seat) = shared.seats.clone().try_acquire_owned() else {
        let message = format!("{} sessions are open, which is the maximum", LIMITS.sessions);
        return Problem(StatusCode::SERVICE_UNAVAILABLE, message).into_response();
    };
    let limit = LIMITS.message_bytes;
    upgrade.max_message_size(limit).max_frame_size(limit).on_upgrade(async move |socket| {
        session::serve(socket, shared).await;
        drop(seat);
    })
}

/// Serves the lab until the process is asked to end. `ready` is called with its address.
pub fn run(settings: &Settings, ready: impl FnOnce(&str)) -> Result<(), LabError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Idle threads end and free their cached memory.
        .thread_keep_alive(IDLE)
        .build()?;
    let result = runtime.block_on(async {
        // Before the address is announced, so that no signal is missed.
        let stop = asked_to_end()?;
        let server = Server::bind(settings).await?;
        ready(&server.url());
        server.serve(stop).await
    });
    runtime.shutdown_timeout(GRACE);
    result
}

/// Completes when the process is asked to end: interrupted, terminated, or its terminal closed.
#[cfg(unix)]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    let mut hung_up = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
            _ = hung_up.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
