//! The loop's handling of what a source reports, as far as it does not concern the desk alone.

use super::*;
use crate::sources::Report;
use crate::sources::local_asks::messages::AskerRequest;

impl App {
    pub(super) fn on_source_report(&mut self, report: Report) {
        match report {
            Report::Event(event) => self.on_source_event(*event),
            Report::Peer(source, peer) => self.on_peer_info(source, peer),
            Report::Unread(source, parts) => self.note_gaps(source, parts),
            Report::LoopDetected(source) => self.on_loop_detected(&source),
            // If it may not have its name, that is logged; nobody waits for the verdict.
            Report::Found(server) => _ = self.register(server, true),
            Report::Left(server) => self.leave(&server),
            Report::Shared(request) => self.on_shared_request(request),
            Report::LocalAsk(request) => self.on_local_ask(request),
        }
    }

    /// Passes an event on, unless its source was removed: a late report would bring the source's
    /// asks back.
    fn on_source_event(&mut self, event: Event) {
        match event {
            Event::Source(source, _) if !self.sources.contains_key(&source) => {}
            event => self.on_event(event),
        }
    }

    pub(super) fn on_local_ask(&mut self, request: AskerRequest) {
        let now = clock::now();
        let moved = self.asks.take(request, now);
        self.on_local_step(moved, now);
    }
}
