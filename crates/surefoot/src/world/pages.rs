//! Long lists whose pages are shared between copies.

use std::ops::Range;
use std::sync::Arc;

/// A list of fixed length in pages. Copies share them; writing copies the page that is written, if it is shared.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    pages: Vec<Arc<[T]>>,
    len: usize,
}

/// Numbers in a page, as a power of two.
const PAGE_BITS: u32 = 14;
const PAGE: usize = 1 << PAGE_BITS;

impl<T: Copy> Pages<T> {
    /// A list with the same value everywhere. It takes the memory of one page until it is written.
    pub fn of(value: T, len: usize) -> Pages<T> {
        let page: Arc<[T]> = vec![value; PAGE.min(len)].into();
        Pages { pages: vec![page; len.div_ceil(PAGE)], len }
    }

    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.pages[index >> PAGE_BITS][index % PAGE]
    }

    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        Arc::make_mut(&mut self.pages[index >> PAGE_BITS])[index % PAGE] = value;
    }

    /// Writes the same value to a stretch.
    pub fn fill(&mut self, range: Range<usize>, value: T) {
        let mut first = range.start;
        while first < range.end {
            let page_end = ((first >> PAGE_BITS) + 1) << PAGE_BITS;
            let count = range.end.min(page_end) - first;
            let page = Arc::make_mut(&mut self.pages[first >> PAGE_BITS]);
            page[first % PAGE..][..count].fill(value);
            first += count;
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// How many pages of the list are shared with no copy of it.
    #[cfg(test)]
    pub fn unlike(&self, copy: &Pages<T>) -> usize {
        self.pages.iter().zip(&copy.pages).filter(|(one, other)| !Arc::ptr_eq(one, other)).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pages_hold_what_a_list_holds_and_copies_do_not_see_it(
            len in 1..3 * PAGE,
            writes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 0..9),
        ) {
            let (mut pages, mut list) = (Pages::of(7_u8, len), vec![7_u8; len]);
            let untouched = pages.clone();
            for (one, other, value) in writes {
                let (one, other) = (one.index(len), other.index(len));
                pages.fill(one.min(other)..one.max(other), value);
                list[one.min(other)..one.max(other)].fill(value);
                pages.set(one, value ^ 1);
                list[one] = value ^ 1;
            }
            prop_assert_eq!(pages.len(), len);
            prop_assert!((0..len).all(|index| pages.get(index) == list[index] && untouched.get(index) == 7));
        }
    }

    #[test]
    fn a_write_copies_one_page() {
        let mut pages = Pages::of(0_u32, 40 * PAGE);
        pages.fill(0..40 * PAGE, 5);
        let copy = pages.clone();
        assert_eq!(pages.unlike(&copy), 0);
        pages.set(9 * PAGE, 6);
        assert_eq!(pages.unlike(&copy), 1);
    }
}
