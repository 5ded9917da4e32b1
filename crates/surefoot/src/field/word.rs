//! Costs in an array: 32 bits where they suffice, and 64 elsewhere.

/// A cost in units of its own, or what is known instead of one.
pub(super) trait Word: Copy + Ord + std::fmt::Debug + Send + Sync + 'static {
    /// The agent cannot stand at the node.
    const WALL: Self;
    /// No path from the node is known.
    const UNREACHED: Self;

    /// A cost, if it fits.
    fn of(units: u64) -> Option<Self>;

    /// The cost of an edge, which always fits.
    fn of_edge(units: u64) -> Self;

    /// The number of units.
    fn units(self) -> u64;

    /// The sum, if it fits.
    fn plus(self, step: Self) -> Option<Self>;

    /// The sum, where it is known to fit.
    fn plus_small(self, step: Self) -> Self;

    /// Whether the sum of one cost and a step is another. It is not if one of them is no cost.
    fn leads_to(self, step: Self, sum: Self) -> bool;

    /// Whether this is a cost.
    #[inline]
    fn is_cost(self) -> bool {
        self < Self::UNREACHED
    }
}

macro_rules! word {
    ($($type:ty),*) => {$(
        impl Word for $type {
            const WALL: $type = <$type>::MAX;
            const UNREACHED: $type = <$type>::MAX - 1;

            #[inline]
            fn of(units: u64) -> Option<$type> {
                <$type>::try_from(units).ok().filter(|word| word.is_cost())
            }

            #[inline]
            fn of_edge(units: u64) -> $type {
                units as $type
            }

            #[inline]
            fn units(self) -> u64 {
                u64::from(self)
            }

            #[inline]
            fn plus(self, step: $type) -> Option<$type> {
                self.checked_add(step).filter(|sum| sum.is_cost())
            }

            #[inline]
            fn plus_small(self, step: $type) -> $type {
                self.wrapping_add(step)
            }

            #[inline]
            fn leads_to(self, step: $type, sum: $type) -> bool {
                // What wraps around is below the step, and no sum.
                (self.wrapping_add(step) == sum) & (sum < <$type>::UNREACHED) & (sum >= step)
            }
        }
    )*};
}
word!(u32, u64);
