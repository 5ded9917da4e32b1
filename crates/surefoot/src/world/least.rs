//! The minimum of many numbers that change one at a time.

/// Numbers in a tree, each of whose inner places holds the lesser of the two below it: changing a number looks at one place
/// of each level.
#[derive(Clone, Debug)]
pub(crate) struct Least {
    /// The numbers are in the second half; the places above place `n` are `n / 2`, and so on up to place 1.
    tree: Vec<f64>,
}

impl Least {
    /// The least of some numbers, none of which may be NaN.
    pub fn of(numbers: impl ExactSizeIterator<Item = f64>) -> Least {
        let count = numbers.len();
        let mut tree = vec![f64::INFINITY; count];
        tree.extend(numbers);
        for place in (1..count).rev() {
            tree[place] = tree[2 * place].min(tree[2 * place + 1]);
        }
        Least { tree }
    }

    /// The least number; infinity if there are none.
    pub fn number(&self) -> f64 {
        self.tree.get(1).copied().unwrap_or(f64::INFINITY)
    }

    /// Changes a number. Returns how many places of the tree were looked at.
    pub fn set(&mut self, index: usize, number: f64) -> usize {
        let mut place = self.tree.len() / 2 + index;
        self.tree[place] = number;
        let mut looks = 1;
        while place > 1 {
            place /= 2;
            looks += 1;
            let least = self.tree[2 * place].min(self.tree[2 * place + 1]);
            // Above a place that stays as it is nothing changes.
            if least.to_bits() == self.tree[place].to_bits() {
                break;
            }
            self.tree[place] = least;
        }
        looks
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_least_after_any_changes(
            mut numbers in prop::collection::vec(0..50_u32, 0..40),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..50_u32), 0..40),
        ) {
            let mut least = Least::of(numbers.iter().map(|&number| f64::from(number)));
            let expected = |numbers: &[u32]| numbers.iter().min().map_or(f64::INFINITY, |&least| f64::from(least));
            prop_assert_eq!(least.number().to_bits(), expected(&numbers).to_bits());
            for (pick, number) in changes {
                if numbers.is_empty() {
                    break;
                }
                let index = pick.index(numbers.len());
                numbers[index] = number;
                least.set(index, f64::from(number));
                prop_assert_eq!(least.number().to_bits(), expected(&numbers).to_bits());
            }
        }
    }

    #[test]
    fn a_change_looks_at_one_place_of_each_level() {
        let count = 300_000;
        let mut least = Least::of((0..count).map(f64::from));
        for index in [0, 1, 777, count - 1] {
            assert!(least.set(index as usize, -1.0 - f64::from(index)) <= 20);
            assert!(least.set(index as usize, f64::from(count)) <= 20);
        }
    }
}
