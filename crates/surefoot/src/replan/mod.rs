//! Plans in worlds that change.

pub mod subscriptions;

pub use subscriptions::{Effect, SubscriptionId, Subscriptions, Touched};
