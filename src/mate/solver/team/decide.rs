//! Questions answered alone, or with helpers.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::Team;
use crate::mate::solver::STACK_BYTES;
use crate::mate::solver::deadline::Deadline;
use crate::mate::solver::dfpn::Dfpn;
use crate::mate::solver::path::Path;
use crate::mate::solver::proofs::Known;
use crate::mate::solver::proofs::shared::SharedTable;
use crate::mate::solver::proofs::table::ProofTable;
use crate::mate::solver::result::SilentMateObserver;
use crate::types::Move;

/// A question that takes fewer positions than this is answered sooner without help.
const ALONE: u64 = 4096;

/// How a search answers its questions: alone, or with helpers.
pub(in crate::mate::solver) trait Decide {
    /// As [`Dfpn::decide`], by all threads there are.
    fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (Known, Option<Move>);
}

impl Decide for Dfpn<'_, ProofTable> {
    fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (Known, Option<Move>) {
        self.decide::<ATTACK>(length)
    }
}

impl Decide for Dfpn<'_, &SharedTable> {
    fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (Known, Option<Move>) {
        let limit = self.deadline.nodes;
        self.deadline.nodes = limit.min(self.progress.nodes + ALONE);
        let answer = self.decide::<ATTACK>(length);
        self.deadline.nodes = limit;
        let is_over = self.is_beyond_limits() || is_answer(&answer);
        match self.reserve.clone() {
            Some(team) if !is_over => self.decide_as_team::<ATTACK>(&team, length),
            _ => answer,
        }
    }
}

impl Dfpn<'_, &SharedTable> {
    fn decide_as_team<const ATTACK: bool>(&mut self, team: &Arc<Team>, length: u16) -> (Known, Option<Move>) {
        team.answered.store(false, Relaxed);
        team.helpers_nodes.store(0, Relaxed);
        self.team = Some(Arc::clone(team));
        let answer = thread::scope(|scope| {
            let without_futile = self.without_futile;
            let us = self.position.side_to_move();
            let attacker = if ATTACK { us } else { !us };
            for _ in 0..team.helpers {
                let (position, mut table) = (self.position.clone(), *self.table);
                let help = move || {
                    let _end = team.ends_with();
                    let mut path = Path::new();
                    path.begin(&position, attacker);
                    let mut search = Dfpn::new(position, &mut table, &mut path, &SilentMateObserver, Deadline::NONE);
                    search.team = Some(Arc::clone(team));
                    search.is_helper = true;
                    search.without_futile = without_futile;
                    search.decide::<ATTACK>(length);
                    search.publish_nodes();
                };
                // Where the system refuses a thread, fewer have to do.
                let _ = thread::Builder::new().name("mate".into()).stack_size(STACK_BYTES).spawn_scoped(scope, help);
            }
            let _end = team.ends_with();
            self.decide::<ATTACK>(length)
        });
        self.team = None;
        self.progress.nodes += team.helpers_nodes.load(Relaxed);
        if self.is_beyond_limits() || is_answer(&answer) {
            return answer;
        }
        // A helper was first: the answer lies in the table.
        self.decide::<ATTACK>(length)
    }
}

fn is_answer((known, _): &(Known, Option<Move>)) -> bool {
    known.is_proven() || known.is_disproven()
}
