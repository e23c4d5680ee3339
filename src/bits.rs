//! The members of a set that is kept as the ones of a word.

/// The places of the ones, lowest first.
#[inline(always)]
pub fn iter_ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            place
        })
    })
}

/// All sets of places of a set, in the order of the words as numbers.
#[inline(always)]
pub fn parts(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(
        Some(0_u32),
        #[inline(always)]
        move |&part| {
            let next = part.wrapping_sub(set) & set;
            (next != 0).then_some(next)
        },
    )
}

/// All sets of so many of the first places, of which there are 64 at most, in the order of the words as numbers.
pub fn combinations(places: u32, size: u32) -> impl Iterator<Item = u64> {
    let low = |count: u32| u64::MAX.checked_shr(u64::BITS - count).unwrap_or(0);
    let all = low(places);
    std::iter::successors((size <= places).then(|| low(size)), move |&set| {
        // The next larger number with as many ones (Gosper's hack, HAKMEM item 175).
        let lowest = set & set.wrapping_neg();
        let ripple = set.checked_add(lowest)?;
        let next = ((set ^ ripple) >> 2).checked_div(lowest)? | ripple;
        (next & !all == 0).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_words_without_other_ones_in_order() {
        for set in [0, 1, 0b1010, 0b1111, 1 << 10 | 0b101] {
            let words = (0..1 << 11).filter(|word| word & !set == 0);
            assert!(parts(set).eq(words), "{set:b}");
        }
    }

    #[test]
    fn subsets_are_all_words_of_so_many_ones_in_order() {
        for places in 0..=10 {
            for size in 0..=11 {
                let words = (0..1 << places).filter(|word: &u64| word.count_ones() == size);
                assert!(combinations(places, size).eq(words), "{size} of {places}");
            }
        }
        assert_eq!(combinations(64, 2).count(), 64 * 63 / 2);
        assert_eq!(combinations(64, 63).count(), 64);
        assert_eq!(combinations(64, 64).collect::<Vec<_>>(), [u64::MAX]);
    }
}
