//! How far a search is, told to the observer and between threads.

use std::sync::atomic::Ordering::Relaxed;

use super::dfpn::Dfpn;
use super::proofs::ProofStore;
use super::result::MateProgress;

impl<S: ProofStore> Dfpn<'_, S> {
    /// Lets the thread that leads know what this one does.
    pub(super) fn publish_nodes(&mut self) {
        if let Some(team) = &self.team {
            team.helpers_nodes.fetch_add(self.progress.nodes - self.published, Relaxed);
            self.published = self.progress.nodes;
        }
    }

    /// Positions visited by helpers in the question that is being answered.
    pub(super) fn nodes_of_helpers(&self) -> u64 {
        self.team.as_ref().map_or(0, |team| team.helpers_nodes.load(Relaxed))
    }

    /// Tells the observer how far the search is.
    pub(super) fn report(&mut self) {
        self.update_progress();
        let nodes = self.progress.nodes + self.nodes_of_helpers();
        self.observer.on_progress(&MateProgress { nodes, ..self.progress.clone() });
    }

    /// Brings the figures of the progress up to date.
    pub(super) fn update_progress(&mut self) {
        self.progress.time = self.started.elapsed();
        self.progress.hash_full = self.table.permille_used();
    }
}
