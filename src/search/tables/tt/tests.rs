//! What the table keeps, ages and gives up.

use super::*;

fn entry(depth: Depth) -> TtEntry {
    TtEntry {
        mv: "7g7f".parse().ok(),
        score: Score::mated_in(7),
        eval: Some(Score::from_eval(-1234)),
        depth,
        bound: Bound::Lower,
        pv: true,
    }
}

#[test]
fn an_entry_comes_back_as_it_was() {
    let table = TranspositionTable::new(1);
    let bare = TtEntry { mv: None, eval: None, bound: Bound::Exact, pv: false, ..entry(-3) };
    let upper = TtEntry { bound: Bound::Upper, ..bare };
    for (key, stored) in [(1, entry(12)), (u64::MAX, bare), (0, entry(200)), (2, upper)] {
        assert_eq!(table.probe(key), None);
        table.store(key, stored);
        assert_eq!(table.probe(key), Some(stored));
    }
}

#[test]
fn a_torn_entry_reads_as_empty() {
    let table = TranspositionTable::new(1);
    table.store(42, entry(5));
    let slot = &table.cluster(42).0[0];
    slot.data.store(slot.data.load(Relaxed) ^ 1 << 20, Relaxed);
    assert_eq!(table.probe(42), None);
}

#[test]
fn shallow_and_old_entries_give_way() {
    let table = TranspositionTable::new(0);
    for key in 1..=4 {
        table.store(key, entry(10 + key as Depth));
    }
    table.store(5, entry(2));
    assert_eq!(table.probe(1), None, "the shallowest goes first");
    assert!((2..=5).all(|key| table.probe(key).is_some()));
    table.next_generation();
    table.next_generation();
    table.store(2, entry(12));
    table.store(6, entry(1));
    assert!(table.probe(5).is_none() && table.probe(2).is_some());
    table.store(7, entry(1));
    assert!(table.probe(3).is_none(), "deep entries of old searches go before shallow ones of this search");
    assert!(table.probe(6).is_some());
}

#[test]
fn an_entry_of_an_evaluation_has_no_score() {
    let evaluated = TtEntry::evaluation(Some(Score::from_eval(5)), false);
    assert!(!evaluated.is_searched() && !evaluated.has_score());
    // The shallowest entries of quiescence have one.
    let searched = TtEntry { score: -Score::INFINITE + 1, depth: UNSEARCHED + 1, ..evaluated };
    assert!(searched.is_searched() && searched.has_score());
    let table = TranspositionTable::new(0);
    table.store(9, evaluated);
    assert_eq!(table.probe(9), Some(evaluated));
}

#[test]
fn entries_age_a_search_at_a_time_and_look_new_again_after_all_generations() {
    let table = TranspositionTable::new(0);
    table.store(1, entry(10));
    for age in 1..GENERATIONS {
        table.next_generation();
        assert_eq!(table.permille_used(), 0, "{age}");
    }
    table.next_generation();
    assert_eq!(table.permille_used(), 250);
}

/// Four entries, the first of them of this depth and older by some searches than the others, of depth 3.
fn with_an_old_entry(depth: Depth, age: u8, generation: u8) -> TranspositionTable {
    let table = TranspositionTable::new(0);
    (0..generation).for_each(|_| table.next_generation());
    table.store(1, entry(depth));
    (0..age).for_each(|_| table.next_generation());
    (2..=4).for_each(|key| table.store(key, entry(3)));
    table
}

#[test]
fn a_search_of_age_is_worth_eight_plies() {
    for (age, generation) in (1..4).flat_map(|age| (0..GENERATIONS).map(move |generation| (age, generation))) {
        let worth_the_same = 3 + 8 * Depth::from(age);
        let table = with_an_old_entry(worth_the_same, age, generation);
        table.store(5, entry(1));
        assert!(table.probe(1).is_none(), "of those worth the same the first goes");
        let table = with_an_old_entry(worth_the_same + 1, age, generation);
        table.store(5, entry(1));
        assert!(table.probe(1).is_some() && table.probe(2).is_none());
    }
}

#[test]
fn the_smallest_table_is_one_cluster_of_a_first_generation() {
    for mut table in [TranspositionTable::new(0), TranspositionTable::new_local(0)] {
        assert_eq!((table.clusters.len(), *table.generation.get_mut()), (1, 0));
    }
}

#[test]
fn depths_beyond_a_byte_are_the_last_that_fit() {
    let table = TranspositionTable::new(0);
    for (depth, stored) in [(-8, -8), (-9, -8), (247, 247), (248, 247), (300, 247)] {
        table.store(1, TtEntry { bound: Bound::Exact, ..entry(depth) });
        assert_eq!(table.probe(1).unwrap().depth, stored, "{depth}");
    }
}

#[test]
fn empty_places_are_taken_before_the_oldest_entries() {
    let table = TranspositionTable::new(0);
    table.next_generation();
    table.store(1, entry(3));
    (1..GENERATIONS).for_each(|_| table.next_generation());
    table.store(2, entry(3));
    assert!(table.probe(1).is_some() && table.probe(2).is_some());
}

#[test]
fn empty_places_are_taken_first() {
    let table = TranspositionTable::new(0);
    (1..=4).for_each(|key| table.store(key, TtEntry { depth: UNSEARCHED, ..entry(0) }));
    assert!((1..=4).all(|key| table.probe(key).is_some()));
    assert_eq!(table.permille_used(), 1000);
}

#[test]
fn a_much_deeper_entry_of_this_search_keeps_its_score_but_takes_the_move() {
    let other = TtEntry { mv: "2g2f".parse().ok(), score: Score::ZERO, pv: false, ..entry(0) };
    let after = |old: TtEntry, new: TtEntry, searches: usize| {
        let table = TranspositionTable::new(0);
        table.store(1, old);
        (0..searches).for_each(|_| table.next_generation());
        table.store(1, new);
        table.probe(1).unwrap()
    };
    let (deep, shallow) = (entry(12), TtEntry { depth: 8, ..other });
    assert_eq!(after(deep, shallow, 0), TtEntry { mv: other.mv, ..deep });
    assert_eq!(after(deep, TtEntry { depth: 9, ..other }, 0), TtEntry { depth: 9, ..other });
    // A node of the principal variation counts for two plies.
    assert_eq!(after(deep, TtEntry { pv: true, depth: 6, ..other }, 0), TtEntry { mv: other.mv, ..deep });
    let pv = TtEntry { pv: true, depth: 7, ..other };
    assert_eq!(after(deep, pv, 0), pv);
    assert_eq!(after(deep, shallow, 1), shallow, "the entry of an earlier search gives way");
    let exact = TtEntry { bound: Bound::Exact, ..shallow };
    assert_eq!(after(deep, exact, 0), exact);
    assert_eq!(after(entry(5), TtEntry { mv: None, depth: 9, ..other }, 0).mv, entry(5).mv, "no move is no news");
}

#[test]
#[cfg_attr(miri, ignore = "takes an hour when interpreted")]
fn keys_go_to_all_clusters_alike() {
    for table in [TranspositionTable::new(1), TranspositionTable::new_local(1)] {
        let count = table.clusters.len() as u64;
        assert_eq!(count, (1 << 20) / 64);
        (0..count).for_each(|index| table.store(index * (u64::MAX / count + 1), entry(3)));
        assert_eq!(table.permille_used(), 250, "one entry in each");
        assert!(table.clusters.iter().all(|cluster| cluster.0[0].data.load(Relaxed) != 0));
    }
}

#[test]
fn a_cleared_table_begins_at_its_first_generation() {
    for clear in [TranspositionTable::clear, TranspositionTable::clear_local] {
        let mut table = TranspositionTable::new(0);
        table.store(1, entry(10));
        table.next_generation();
        clear(&mut table);
        assert_eq!((table.probe(1), *table.generation.get_mut()), (None, 0));
    }
}
