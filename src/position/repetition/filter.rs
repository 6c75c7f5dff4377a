//! The past boards of a game, with a counting filter that shows at a single look-up that a board is new.

/// Places that keys are counted in. With 200 past boards, one new board in twenty passes the filter and is searched for
/// in vain.
const SLOTS: usize = 1 << 12;

/// Board keys, oldest first.
#[derive(Clone)]
pub(in crate::position) struct RepetitionFilter {
    keys: Vec<u64>,
    /// How many of the keys fall into each place: a small counting filter (Fan, Cao, Almeida and Broder,
    /// 1998). No game is so long that a count comes round to 0.
    counts: Box<[u16; SLOTS]>,
}

impl RepetitionFilter {
    pub(in crate::position) fn new() -> RepetitionFilter {
        RepetitionFilter { keys: Vec::new(), counts: Box::new([0; SLOTS]) }
    }

    #[inline(always)]
    fn slot(key: u64) -> usize {
        key as usize % SLOTS
    }

    #[inline(always)]
    pub(in crate::position) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let count = &mut self.counts[Self::slot(key)];
        *count = count.wrapping_add(1);
    }

    #[inline(always)]
    pub(in crate::position) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let count = &mut self.counts[Self::slot(key)];
            *count = count.wrapping_sub(1);
        }
    }

    /// Whether a board may be among the past ones; `false` is certain.
    #[inline(always)]
    fn may_contain(&self, key: u64) -> bool {
        self.counts[Self::slot(key)] != 0
    }

    /// How many plies ago boards with this key occurred, newest first: `from`, `from` + 2 and so on up to `to`
    /// plies are looked at.
    #[inline]
    pub(in crate::position) fn occurrences(&self, key: u64, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let now = self.keys.len();
        let to = if self.may_contain(key) { to.min(now) } else { 0 };
        (from..=to).step_by(2).filter(move |distance| self.keys[now - distance] == key)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Few keys, of which many share a place, pushed and taken back in any order.
        #[test]
        fn occurrences_are_those_of_a_plain_look_back(steps in vec((0..4u64, 0..3u64, any::<bool>()), 0..200)) {
            let (mut boards, mut keys) = (RepetitionFilter::new(), Vec::new());
            for (slot, high, take_back) in steps {
                let key = high << 32 | slot;
                let plain: Vec<usize> =
                    (4..=keys.len().min(40)).step_by(2).filter(|back| keys[keys.len() - back] == key).collect();
                prop_assert_eq!(boards.occurrences(key, 4, 40).collect::<Vec<_>>(), plain);
                if take_back {
                    boards.pop();
                    keys.pop();
                } else {
                    boards.push(key);
                    keys.push(key);
                }
            }
        }
    }
}
