//! Maps in, maps and pictures out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::value::RawValue;
use surefoot::draw::Picture;
use surefoot::formats::{self, Format, World};
use surefoot::prelude::*;
use surefoot::search::PrepareError;
use tokio::time::timeout;

use crate::answer::Problem;
use crate::guard::Caller;
use crate::limits::{BODY_TIME, LIMITS};
use crate::prepare::{self, Unprepared};
use crate::protocol;
use crate::question::Question;
use crate::scene::Scene;
use crate::shared::Shared;
use crate::{recordings, scenery, worlds};

/// Expanded nodes between two looks at the clock.
const CHUNK: u64 = 10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenQuery {
    name: String,
}

/// `POST /api/open`: a map file to a scene.
pub async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<OpenQuery>, QueryRejection>,
    body: Body,
) -> Result<Response, Problem> {
    let Query(OpenQuery { name }) = query.map_err(|error| error.body_text())?;
    with_body(&shared, caller, body, LIMITS.file_bytes, move |bytes| {
        let wrong = |error: String| format!("{name}: {error}");
        if recordings::is_recording(&bytes) {
            let (recording, scene) = recordings::read(&bytes).map_err(wrong)?;
            return Ok(Scene::recorded(&name, scene, recording).map_err(wrong)?.into_response());
        }
        if scenery::is_scene(&bytes) {
            let scene = scenery::read(&bytes).map_err(wrong)?;
            return Ok(Scene::opened_moving(&name, scene).map_err(wrong)?.into_response());
        }
        let world = worlds::read_file(&bytes).map_err(wrong)?;
        Ok(Scene::opened(&name, &world)?.into_response())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatQuery {
    format: String,
}

/// `POST /api/export`: a world to a file.
pub async fn export(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<FormatQuery>, QueryRejection>,
    body: Body,
) -> Result<Response, Problem> {
    let Query(FormatQuery { format }) = query.map_err(|error| error.body_text())?;
    let (format, content_type) = match format.as_str() {
        "map" => (Format::BenchmarkMap, "text/plain; charset=utf-8"),
        "txt" => (Format::TextGrid, "text/plain; charset=utf-8"),
        "png" => (Format::Png, "image/png"),
        "3dmap" => (Format::VoxelMap, "text/plain; charset=utf-8"),
        "world.json" => (Format::WorldJson, "application/json"),
        other => {
            return Err(
                format!("unknown format `{other}`, expected map, txt, png, 3dmap or world.json").into()
            );
        }
    };
    with_body(&shared, caller, body, LIMITS.message_bytes, move |bytes| {
        let world = worlds::read_json(as_text(&bytes)?)?;
        let file = formats::write(&world, format).map_err(|error| error.to_string())?;
        Ok(([(header::CONTENT_TYPE, content_type)], file).into_response())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PictureRequest {
    world: Box<RawValue>,
    query: protocol::Query,
    steps: Option<u64>,
}

/// `POST /api/picture`: a search, drawn.
pub async fn picture(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<FormatQuery>, QueryRejection>,
    body: Body,
) -> Result<Response, Problem> {
    let Query(FormatQuery { format }) = query.map_err(|error| error.body_text())?;
    if !matches!(format.as_str(), "png" | "svg") {
        return Err(format!("unknown format `{format}`, expected png or svg").into());
    }
    with_body(&shared, caller, body, LIMITS.message_bytes, move |bytes| {
        let request: PictureRequest =
            serde_json::from_str(as_text(&bytes)?).map_err(|error| error.to_string())?;
        let world = worlds::read_json(request.world.get())?;
        let question = Question::new(&request.query, &world)?;
        let finder = searched(&question, &world, request.steps.unwrap_or(u64::MAX))?;
        draw(&question, &world, &finder, &format)
    })
    .await
}

/// Runs a search for so many expansions.
fn searched(question: &Question, world: &World, mut steps: u64) -> Result<Pathfinder, String> {
    let mut finder =
        Pathfinder::new(question.algorithm, &question.options).map_err(|error| error.to_string())?;
    let (view, clock) = (question.view(world), Instant::now());
    match prepare::within_limits(&mut finder, view, &|_| {}, &|| false) {
        // An algorithm that refuses the map says so in the picture's title.
        Ok(()) | Err(Unprepared::Cancelled | Unprepared::Refused(PrepareError::NotApplicable { .. })) => {}
        Err(Unprepared::TooLong(words)) => return Err(words),
        Err(Unprepared::Refused(error)) => return Err(error.to_string()),
    }
    question.put_to(&mut finder, view);
    while steps > 0 && finder.resume(view, steps.min(CHUNK)) == Outcome::Paused {
        steps -= steps.min(CHUNK);
        if clock.elapsed() > Duration::from_secs(LIMITS.seconds) {
            return Err(format!("the search took longer than {} seconds", LIMITS.seconds));
        }
    }
    Ok(finder)
}

fn draw(question: &Question, world: &World, finder: &Pathfinder, format: &str) -> Result<Response, String> {
    let view = question.view(world);
    let nodes = Picture::marks(world);
    let visited = |closed: bool| -> Vec<NodeId> {
        let is = |node: &&NodeId| finder.visit(**node).is_some_and(|visit| visit.closed == closed);
        nodes.iter().filter(is).copied().collect()
    };
    let (closed, open) = (visited(true), visited(false));
    let goals: Vec<NodeId> = question.goals.iter().filter_map(|goal| goal.node_in(&view)).collect();
    let title = title(finder);
    let picture = Picture::of_world(world).closed(&closed).open(&open);
    let picture = picture.path(finder.path().nodes()).goals(&goals);
    let mut picture = picture.legend(true).title(&title);
    if let Some(start) = question.start.node_in(&view) {
        picture = picture.start(start);
    }
    let (content_type, file) = match format {
        "svg" => ("image/svg+xml", picture.to_svg().map(String::into_bytes)),
        _ => ("image/png", picture.to_png()),
    };
    let file = file.map_err(|error| error.to_string())?;
    Ok(([(header::CONTENT_TYPE, content_type)], file).into_response())
}

fn title(finder: &Pathfinder) -> String {
    let (name, expanded) = (finder.algorithm().title, finder.stats().expanded);
    match finder.outcome() {
        Outcome::Found => format!("{name}: cost {:.2}, {expanded} nodes expanded", finder.path().cost()),
        Outcome::Paused => format!("{name}: {expanded} nodes expanded so far"),
        _ => format!("{name}: no path, {expanded} nodes expanded"),
    }
}

/// Reads a body within limits and works on it where that may take its time.
async fn with_body(
    shared: &Shared,
    caller: Caller,
    body: Body,
    most: usize,
    work: impl FnOnce(Bytes) -> Result<Response, String> + Send + 'static,
) -> Result<Response, Problem> {
    let too_large = || {
        let message = format!("the body is too large, expected at most {most} bytes");
        Problem(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let call = shared.call(caller).await?;
    let bytes = timeout(BODY_TIME, to_bytes(body, most)).await.map_err(|_| {
        let seconds = BODY_TIME.as_secs();
        Problem(StatusCode::REQUEST_TIMEOUT, format!("the body did not arrive within {seconds} seconds"))
    })?;
    let bytes = bytes.map_err(|_| too_large())?;
    Ok(call.run(move || work(bytes)).await?)
}

fn as_text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8: {error}"))
}
