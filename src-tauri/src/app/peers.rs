//! Other Beckons among the servers: whether one of them watches this Beckon in its turn.

use crate::app::*;

impl App {
    /// A server has said whether it is a Beckon.
    pub(super) fn on_peer_info(&mut self, source: SourceId, kin: Option<PeerHealth>) {
        let before = match &kin {
            Some(kin) => self.kin.insert(source.clone(), kin.clone()),
            None => self.kin.remove(&source),
        };
        if let Some(kin) = kin.filter(|kin| before.as_ref() != Some(kin)) {
            let circle = self.is_circle(&kin);
            tracing::info!(%source, circle, "the server is another Beckon");
            self.opener.changed();
        }
    }

    /// It watches this Beckon, though it may not have said so when it was met: two that connect at
    /// the same moment do not know of each other yet.
    pub(super) fn on_loop_detected(&mut self, source: &SourceId) {
        if let Some(kin) = self.kin.get_mut(source) {
            kin.reaches.insert(self.instance.to_string());
        }
    }

    /// The Beckons that are watched from here, directly or through others.
    pub(super) fn reachable_peers(&self) -> BTreeSet<String> {
        let all = self.met().flat_map(|(_, kin)| kin.reaches.iter().chain([&kin.instance]));
        all.filter(|instance| **instance != *self.instance).cloned().collect()
    }

    /// What there is to say of each.
    pub(super) fn beckons(&self) -> BTreeMap<String, Option<String>> {
        let said = |(source, kin): (&SourceId, &PeerHealth)| {
            let circle = self.is_circle(kin).then(|| self.texts.get("source-circle"));
            (source.0.clone(), circle)
        };
        self.met().map(said).collect()
    }

    /// Those that are watched still.
    fn met(&self) -> impl Iterator<Item = (&SourceId, &PeerHealth)> {
        self.kin.iter().filter(|(source, _)| self.sources.contains_key(*source))
    }

    fn is_circle(&self, kin: &PeerHealth) -> bool {
        *kin.instance == *self.instance || kin.reaches.contains(&*self.instance)
    }
}
