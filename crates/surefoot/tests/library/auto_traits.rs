//! Every public type can be shared between threads, so that it can be a resource of a game engine.

use surefoot::agent::{Agent, Metric};
use surefoot::cooperate::{CooperateError, Cooperation, Plan, Task};
use surefoot::crowd::{Crowd, CrowdError, CrowdOptions, CrowdStats, Event, Order, UnitRef, UnitSpec};
use surefoot::draw::Picture;
use surefoot::field::{Extent, FieldCache, FieldError, FlowField, Goal, Heading, PlacedGoal, Step, Update};
use surefoot::flight::{Fleet, Flyer, Pilot};
use surefoot::follow::Follower;
use surefoot::formats::FormatError;
use surefoot::generate::GeneratedMap;
use surefoot::hierarchy::{Hierarchy, Route};
use surefoot::obstacle::{Pose, Shape};
use surefoot::path::Path;
use surefoot::replan::{Planner, Replan, Subscriptions};
use surefoot::scene::Scene;
use surefoot::search::observe::{Breakpoints, Counters, Trace};
use surefoot::search::{
    Algorithm, Answer, DistanceField, Options, Outcome, Pathfinder, PathfinderPool, Prepared, Promise,
};
use surefoot::service::{
    PathAnswer, PathService, RequestError, RequestSpec, ServiceSpec, TickError, TickReport, Ticket,
    TicketError, TouchedTicket, Validity,
};
use surefoot::siting::{Chokes, Siting, Verdict};
use surefoot::unit::{Roamer, Unit, Units};
use surefoot::validate::{JointViolation, Violation};
use surefoot::world::any::{Place, View, World};
use surefoot::world::dynamic::DynamicWorld;
use surefoot::world::grid::{Grid, GridView};
use surefoot::world::own::OwnView;
use surefoot::world::voxels::{VoxelView, Voxels};
use surefoot::world::waypoints::{Waypoints, WaypointsBuilder};

const fn shared<T: Send + Sync>() {}
const fn shown<T: std::fmt::Debug>() {}
const fn copied<T: Clone>() {}

macro_rules! all {
    ($check:ident: $($type:ty),* $(,)?) => { $($check::<$type>();)* };
}

// A type that is not what it should be fails to compile.
const _: () = {
    all!(shared: Agent, Metric, Grid, Voxels, Waypoints, WaypointsBuilder, World, GridView<'_>, VoxelView<'_>, OwnView<'_>,
        View<'_>, Place, DynamicWorld, Scene, Shape, Pose, Pathfinder, PathfinderPool, DistanceField, Planner, Subscriptions,
        Hierarchy, Route, Siting, Chokes, Verdict, Units, Unit, Roamer, Follower, Path, Prepared, Algorithm, Options, Outcome,
        Promise, Answer, Fleet, Flyer, Pilot, Replan, Trace, Breakpoints, Counters, Picture<'_>, FormatError, Violation, GeneratedMap, Cooperation,
        CooperateError, Plan, Task, JointViolation, PathService, PathAnswer, RequestSpec<'_>, ServiceSpec, Ticket, TickReport, TouchedTicket,
        RequestError, TickError, TicketError, Validity, Crowd, CrowdError, CrowdOptions<'_>, CrowdStats, Event, Order<'_>, UnitRef<'_>, UnitSpec, FlowField, FieldCache, Goal, Heading,
        PlacedGoal, Step, Extent, Update, FieldError);
    all!(shown: FieldCache, FlowField, Crowd, UnitRef<'_>, PathService, Cooperation, Fleet, Flyer, Pilot, Pathfinder, PathfinderPool, DistanceField, Planner, Subscriptions, Hierarchy, Siting, Chokes, Units, Unit,
        Roamer, View<'_>, GridView<'_>, VoxelView<'_>, OwnView<'_>, DynamicWorld, Scene, Prepared, Algorithm, Picture<'_>);
    all!(copied: FlowField, Plan, Task, Agent, World, View<'_>, Path, Answer, Options, Scene, DynamicWorld, Prepared, Algorithm, GeneratedMap);
};
