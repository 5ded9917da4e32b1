//! A world as agents of different sizes see it.

use std::sync::{Arc, OnceLock};

/// Where agents of one size can stand.
pub(crate) trait Layer: Clone {
    /// The shape of the world.
    type Shape;

    /// The clearance that the agents need, as [`clearance`](crate::world::clearance) measures it.
    fn needed_clearance(&self) -> u32;

    /// The layer for a clearance, made from the most open one.
    fn narrowed(shape: &Self::Shape, base: &Self, needed: u32) -> Self;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// The layers of a world, most open first. The list only grows, so a shared world can hand out references while another thread
/// requests a size that has not been requested before.
#[derive(Clone, Debug)]
pub(crate) struct Layers<L> {
    layer: L,
    next: OnceLock<Arc<Layers<L>>>,
}

impl<L: Layer> Layers<L> {
    pub fn new(base: L) -> Layers<L> {
        Layers { layer: base, next: OnceLock::new() }
    }

    /// The most open layer.
    #[inline]
    pub fn base(&self) -> &L {
        &self.layer
    }

    /// The layer for a clearance, made on first use.
    pub fn needing(&self, shape: &L::Shape, needed: u32) -> &L {
        let mut list = self;
        while list.layer.needed_clearance() != needed {
            list = list.next.get_or_init(|| Arc::new(Layers::new(L::narrowed(shape, self.base(), needed))));
        }
        &list.layer
    }

    /// Changes the base layer and lets the others follow it.
    pub fn change(&mut self, change: impl FnOnce(&mut L), mut follow: impl FnMut(&mut L, &L)) {
        change(&mut self.layer);
        let (base, mut next) = (&self.layer, &mut self.next);
        while let Some(list) = next.get_mut() {
            let list = Arc::make_mut(list);
            follow(&mut list.layer, base);
            next = &mut list.next;
        }
    }

    pub fn bytes(&self) -> usize {
        self.layer.bytes() + self.next.get().map_or(0, |next| next.bytes())
    }
}
