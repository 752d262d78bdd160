//! The other Beckons among the servers, and whether one of them watches this Beckon in turn.

use crate::app::servers::is_reached;
use crate::app::*;

impl App {
    /// Notes whether a server says that it is a Beckon.
    pub(super) fn on_peer_info(&mut self, source: SourceId, peer: Option<PeerHealth>) {
        let before = match &peer {
            Some(peer) => self.peers.insert(source.clone(), peer.clone()),
            None => self.peers.remove(&source),
        };
        if let Some(peer) = peer.filter(|peer| before.as_ref() != Some(peer)) {
            let circle = self.is_circle(&peer);
            tracing::info!(%source, circle, "the server is another Beckon");
            self.opener.changed();
        }
    }

    /// Notes that a server watches this Beckon. It may not have said so at the start: two Beckons
    /// that connect at the same moment do not know of each other yet.
    pub(super) fn on_loop_detected(&mut self, source: &SourceId) {
        if let Some(peer) = self.peers.get_mut(source) {
            peer.reaches.insert(self.instance.to_string());
        }
    }

    /// Returns the Beckons that are watched from here, directly or through others.
    pub(super) fn reachable_peers(&self) -> BTreeSet<String> {
        let all = self
            .watched_peers()
            .flat_map(|(_, peer)| peer.reaches.iter().chain([&peer.instance]));
        all.filter(|instance| **instance != *self.instance)
            .cloned()
            .collect()
    }

    /// Returns the watched Beckons by source, each with a text about the circle if it watches this
    /// one in turn.
    pub(super) fn beckons(&self) -> BTreeMap<String, Option<String>> {
        let said = |(source, peer): (&SourceId, &PeerHealth)| {
            let circle = self
                .is_circle(peer)
                .then(|| self.texts.get("source-circle"));
            (source.0.clone(), circle)
        };
        self.watched_peers().map(said).collect()
    }

    /// Whether that source is another Beckon.
    pub(super) fn is_beckon(&self, source: &SourceId) -> bool {
        self.watched_peers().any(|(peer, _)| peer == source)
    }

    /// Whether the Beckon of that name is watched from here, and reached as far as is known.
    pub(super) fn is_watched_directly(&self, instance: &str) -> bool {
        let mut peers = self.watched_peers();
        peers.any(|(source, peer)| peer.instance == instance && is_reached(&self.desk, &source.0))
    }

    /// Returns the other Beckons that are still watched.
    fn watched_peers(&self) -> impl Iterator<Item = (&SourceId, &PeerHealth)> {
        self.peers
            .iter()
            .filter(|(source, _)| self.sources.contains_key(*source))
    }

    fn is_circle(&self, peer: &PeerHealth) -> bool {
        *peer.instance == *self.instance || peer.reaches.contains(&*self.instance)
    }
}
