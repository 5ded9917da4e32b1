//! Long lists of which copies share what neither of them has changed.

use std::borrow::Cow;
use std::ops::{Index, Range};
use std::sync::Arc;

/// A list of fixed length. Copies share it. A copy that is written while it is shared keeps the pages that it writes to itself and
/// goes on sharing the others. Once nothing else holds the shared list, writing takes it back, a page at a time.
///
/// A list without pages of its own is one slice, so reading it costs nothing but the check of the index, and that check is also
/// what leads to the pages of a list that has some. Searches that read a world which shares nothing therefore do not notice.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    /// The whole list; empty if some pages are our own.
    whole: Arc<[T]>,
    own: Option<Box<Own<T>>>,
    /// How many values belong together: a page holds all of them.
    row: usize,
    /// How many rows a page holds, as a power of two.
    row_bits: u32,
}

/// A list of which some pages are not shared.
#[derive(Clone, Debug)]
struct Own<T> {
    shared: Arc<[T]>,
    /// By number: the pages that differ, or may differ.
    pages: Vec<Option<Arc<[T]>>>,
    /// Their numbers.
    written: Vec<u32>,
}

/// A page holds about this many bytes: all that a write has to copy.
const PAGE_BYTES: usize = 1 << 14;

impl<T: Copy> Pages<T> {
    /// A list with the same value everywhere. Its length has to be a number of rows, each of `row` values.
    pub fn of(value: T, len: usize, row: usize) -> Pages<T> {
        Pages::new(std::iter::repeat_n(value, len).collect(), row)
    }

    /// A list of given values in rows of `row` values.
    pub fn new(values: Arc<[T]>, row: usize) -> Pages<T> {
        debug_assert!(values.len().is_multiple_of(row), "rows are whole");
        let rows = PAGE_BYTES / (row * size_of::<T>()).max(1);
        Pages { whole: values, own: None, row, row_bits: rows.max(1).ilog2() }
    }

    /// Makes this list equal to another without sharing anything, in the memory that it has, if it is as long.
    pub fn copy_from(&mut self, other: &Pages<T>) {
        match Arc::get_mut(&mut self.whole) {
            Some(whole) if whole.len() == other.len() && self.row == other.row => {
                whole.copy_from_slice(other.own.as_ref().map_or(&other.whole, |own| &own.shared));
                if let Some(own) = &other.own {
                    write_pages(&own.pages, &own.written, self.row << self.row_bits, whole);
                }
            }
            _ => *self = other.clone(),
        }
    }

    #[inline]
    pub fn get(&self, index: usize) -> T {
        match self.whole.get(index) {
            Some(&value) => value,
            None => self.elsewhere(index),
        }
    }

    /// The values of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        let first = row * self.row;
        match self.whole.get(first..first + self.row) {
            Some(values) => values,
            None => self.row_elsewhere(row),
        }
    }

    /// The list as one slice; a copy, if it has pages of its own.
    pub fn as_slice(&self) -> Cow<'_, [T]> {
        let Some(own) = &self.own else { return Cow::Borrowed(&self.whole) };
        let mut all = own.shared.to_vec();
        write_pages(&own.pages, &own.written, self.page_len(), &mut all);
        Cow::Owned(all)
    }

    /// The list for a loop that reads single values.
    #[inline]
    pub fn values(&self) -> Values<'_, T> {
        Values { whole: &self.whole, list: self }
    }

    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        let row = if self.row == 1 { index } else { index / self.row };
        let first = row * self.row;
        self.row_mut(row)[index - first] = value;
    }

    /// The values of a row, to be changed.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let first = row * self.row;
        // No copy can begin to share it meanwhile: that would need this very list.
        if self.own.is_none() && Arc::strong_count(&self.whole) == 1 {
            return &mut Arc::make_mut(&mut self.whole)[first..first + self.row];
        }
        self.row_of_own(row)
    }

    /// The whole list, to be changed everywhere.
    pub fn all_mut(&mut self) -> &mut [T] {
        if let Some(own) = self.own.take() {
            let Own { shared, pages, written } = *own;
            self.whole = shared;
            write_pages(&pages, &written, self.row << self.row_bits, Arc::make_mut(&mut self.whole));
        }
        Arc::make_mut(&mut self.whole)
    }

    pub fn len(&self) -> usize {
        self.own.as_ref().map_or(self.whole.len(), |own| own.shared.len())
    }

    /// Bytes of memory held, shared or not.
    pub fn bytes(&self) -> usize {
        let own = self.own.as_ref().map_or(0, |own| {
            let pages: usize = own.pages.iter().flatten().map(|page| size_of_val(&**page)).sum();
            pages + size_of_val(&own.pages[..]) + own.written.capacity() * size_of::<u32>()
        });
        self.len() * size_of::<T>() + own
    }

    /// Values in a page.
    fn page_len(&self) -> usize {
        self.row << self.row_bits
    }

    /// A value of a list that has pages of its own.
    #[cold]
    #[inline(never)]
    fn elsewhere(&self, index: usize) -> T {
        *self.place_elsewhere(index)
    }

    /// Its place.
    #[cold]
    fn place_elsewhere(&self, index: usize) -> &T {
        let row = if self.row == 1 { index } else { index / self.row };
        &self.row_elsewhere(row)[index - row * self.row]
    }

    /// A row of a list that has pages of its own.
    #[cold]
    #[inline(never)]
    fn row_elsewhere(&self, row: usize) -> &[T] {
        let rest = &self.whole[..];
        let Some(own) = &self.own else { return &rest[row * self.row..][..self.row] };
        match &own.pages[row >> self.row_bits] {
            Some(page) => &page[(row & ((1 << self.row_bits) - 1)) * self.row..][..self.row],
            None => &own.shared[row * self.row..][..self.row],
        }
    }

    /// A row to be changed, of a list that is shared or has pages of its own.
    fn row_of_own(&mut self, row: usize) -> &mut [T] {
        let page_len = self.page_len();
        if self.own.as_mut().is_some_and(|own| own.take_back(page_len))
            && let Some(own) = self.own.take()
        {
            self.whole = own.shared;
            return self.row_mut(row);
        }
        let own = self.own.get_or_insert_with(|| {
            let shared = std::mem::take(&mut self.whole);
            let pages = vec![None; shared.len().div_ceil(page_len)];
            Box::new(Own { shared, pages, written: Vec::new() })
        });
        let page = row >> self.row_bits;
        let Own { shared, pages, written } = &mut **own;
        if pages[page].is_none() && Arc::strong_count(shared) == 1 {
            return &mut Arc::make_mut(shared)[row * self.row..][..self.row];
        }
        let page_of_own = pages[page].get_or_insert_with(|| {
            written.push(page as u32);
            let first = page * page_len;
            shared[first..shared.len().min(first + page_len)].into()
        });
        &mut Arc::make_mut(page_of_own)[(row & ((1 << self.row_bits) - 1)) * self.row..][..self.row]
    }

    /// How many pages of the list are shared with no copy of it.
    #[cfg(test)]
    pub fn unlike(&self, copy: &Pages<T>) -> usize {
        match (&self.own, &copy.own) {
            (None, None) => usize::from(!Arc::ptr_eq(&self.whole, &copy.whole)),
            (Some(one), None) | (None, Some(one)) => one.written.len(),
            (Some(one), Some(other)) => {
                let place = |page: &Option<Arc<[T]>>| page.as_ref().map(|page| page.as_ptr());
                one.pages.iter().zip(&other.pages).filter(|(one, other)| place(one) != place(other)).count()
            }
        }
    }
}

impl<T: Copy> Own<T> {
    /// Copies a page into the shared list, if that is not shared any more; whether that was the last one.
    fn take_back(&mut self, page_len: usize) -> bool {
        if Arc::strong_count(&self.shared) > 1 {
            return false;
        }
        if let Some(number) = self.written.pop()
            && let Some(page) = self.pages[number as usize].take()
        {
            let first = number as usize * page_len;
            Arc::make_mut(&mut self.shared)[first..first + page.len()].copy_from_slice(&page);
        }
        self.written.is_empty()
    }
}

/// Writes some pages over a list that is like the shared one.
fn write_pages<T: Copy>(pages: &[Option<Arc<[T]>>], written: &[u32], page_len: usize, list: &mut [T]) {
    for &number in written {
        if let Some(page) = &pages[number as usize] {
            let first = number as usize * page_len;
            list[first..first + page.len()].copy_from_slice(page);
        }
    }
}

impl<T: Copy + PartialEq> PartialEq for Pages<T> {
    fn eq(&self, other: &Pages<T>) -> bool {
        self.len() == other.len() && (0..self.len()).all(|index| self.get(index) == other.get(index))
    }
}

impl<T: Copy + Eq> Eq for Pages<T> {}

/// The values of [`Pages`], read by index.
#[derive(Debug)]
pub(crate) struct Values<'a, T> {
    whole: &'a [T],
    list: &'a Pages<T>,
}

impl<T> Clone for Values<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Values<'_, T> {}

impl<T: Copy> Values<'_, T> {
    /// A value; quicker than by reference.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        match self.whole.get(index) {
            Some(&value) => value,
            None => self.list.elsewhere(index),
        }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The values in a range, if the list has no pages of its own.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Option<&[T]> {
        self.whole.get(range)
    }

    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.len()).map(|index| self[index])
    }
}

impl<T: Copy> Index<usize> for Values<'_, T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        match self.whole.get(index) {
            Some(value) => value,
            None => self.list.place_elsewhere(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Values in a page, if rows have one.
    const PAGE: usize = PAGE_BYTES / size_of::<u8>();

    proptest! {
        /// Copies of copies, written in any order and dropped at any time.
        #[test]
        fn pages_hold_what_a_list_holds_and_copies_do_not_see_it(
            rows in 1..3 * PAGE,
            row in 1..5_usize,
            steps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..7_u8, any::<u8>()), 0..40),
        ) {
            let len = rows.div_ceil(row) * row;
            let mut copies = vec![(Pages::of(7_u8, len, row), vec![7_u8; len])];
            for (which, at, action, value) in steps {
                let (which, at) = (which.index(copies.len()), at.index(len));
                let (pages, list) = &mut copies[which];
                match action {
                    0 if which > 0 => _ = copies.swap_remove(which),
                    1 => {
                        let copy = copies[which].clone();
                        copies.push(copy);
                    }
                    2 => {
                        *pages = Pages::new(list[..].into(), row);
                    }
                    3 => {
                        pages.row_mut(at / row)[at % row] = value;
                        list[at] = value;
                    }
                    4 => {
                        pages.all_mut()[at] = value;
                        list[at] = value;
                    }
                    _ => {
                        pages.set(at, value);
                        list[at] = value;
                    }
                }
                for (pages, list) in &copies {
                    prop_assert_eq!(pages.get(at), list[at]);
                }
            }
            for (pages, list) in &copies {
                prop_assert_eq!(pages.len(), len);
                prop_assert!(pages.values().iter().eq(list.iter().copied()));
                prop_assert!((0..len / row).all(|at| pages.row(at) == &list[at * row..][..row]));
                let mut other = Pages::of(0, len, row);
                other.copy_from(pages);
                prop_assert!(&other == pages);
            }
        }
    }

    #[test]
    fn a_write_copies_one_page_and_none_once_nothing_is_shared() {
        let mut pages = Pages::of(0_u8, 40 * PAGE, 1);
        pages.all_mut().fill(5);
        let copy = pages.clone();
        assert_eq!(pages.unlike(&copy), 0);
        for page in [9, 9, 3] {
            pages.set(page * PAGE, 6);
        }
        assert_eq!(pages.unlike(&copy), 2);
        assert_eq!(pages.bytes() / PAGE, 42);
        drop(copy);
        pages.set(20 * PAGE, 7);
        pages.set(20 * PAGE, 8);
        assert!(pages.own.is_none());
        assert_eq!([3, 9, 20, 21].map(|page| pages.get(page * PAGE)), [6, 6, 8, 5]);
        assert_eq!(pages.bytes(), 40 * PAGE);
    }
}
