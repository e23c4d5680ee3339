//! Enumeration of sets of small numbers, as integers whose bit `n` is 1 if the set contains `n`; zigzag encoding.

/// Returns the positions of the 1 bits, in ascending order: the members of the set.
#[inline(always)]
pub(crate) fn iter_ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            place
        })
    })
}

/// Returns all subsets of `set` in ascending order as integers, from the empty set to `set` itself.
#[inline(always)]
pub(crate) fn submasks(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(
        Some(0_u32),
        #[inline(always)]
        move |&subset| {
            let next = subset.wrapping_sub(set) & set;
            (next != 0).then_some(next)
        },
    )
}

/// Returns all sets of `size` numbers below `places`, in ascending order as integers. `places` is at most 64.
pub(crate) fn combinations(places: u32, size: u32) -> impl Iterator<Item = u64> {
    let lowest_bits = |count: u32| u64::MAX.checked_shr(u64::BITS - count).unwrap_or(0);
    let all = lowest_bits(places);
    std::iter::successors((size <= places).then(|| lowest_bits(size)), move |&set| {
        // The next larger integer with the same number of 1 bits (Gosper's hack, HAKMEM item 175).
        let lowest = set & set.wrapping_neg();
        let ripple = set.checked_add(lowest)?;
        let next = ((set ^ ripple) >> 2).checked_div(lowest)? | ripple;
        (next & !all == 0).then_some(next)
    })
}

/// Returns the zigzag encoding of a number, whose high byte is 0 for numbers close to 0: `2n` if `n` is at least 0, and `-2n - 1` otherwise.
pub(crate) fn zigzag(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

/// Returns the number with this zigzag encoding.
pub(crate) fn zigzag_decode(encoded: u16) -> i16 {
    (encoded >> 1) as i16 ^ -((encoded & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submasks_are_complete_and_ascending() {
        for set in [0, 1, 0b1010, 0b1111, 1 << 10 | 0b101] {
            let words = (0..1 << 11).filter(|word| word & !set == 0);
            assert!(submasks(set).eq(words), "{set:b}");
        }
    }

    #[test]
    fn combinations_are_complete_and_ascending() {
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
