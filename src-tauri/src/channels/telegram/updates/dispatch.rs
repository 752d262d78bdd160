//! The dispatch of an update: who it is from comes first, then pairing, commands, taps and words.

use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::UpdateBatch;
use crate::channels::telegram::button::{self, ListTap};
use crate::channels::telegram::card::{self, CardContext, time};
use crate::channels::telegram::outbox::Priority;
use crate::channels::telegram::pairing::pairings::{ChatId, PairingChange, ReadOffset, UserId};
use crate::channels::telegram::shown::ShownCard;
use crate::channels::telegram::updates::bot_command::{BotCommand, start_code};
use crate::channels::telegram::updates::seen::seen_beside;
use crate::channels::telegram::updates::sent_text::SentText;
use crate::channels::telegram::updates::update::{
    IncomingUpdate, MediaMessage, MessageRelation, RepliedMessage, TextEnd, UpdateContent,
    UpdatePlace,
};
use crate::channels::telegram::words;
use crate::channels::telegram::worker::command::WorkerCommand;
use beckon_client::config::LOCAL_ASKS;
use beckon_core::{
    AnswerRefusal, AskId, AskState, AwaitedText, ButtonTarget, CardSight, CardTap, ChannelView,
    Entry, Event, Responder, SeenStep, Surface, Timestamp, Voucher,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// The consequence of an update.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, and none is stored"
)]
pub enum Reaction {
    /// Nothing is left to do; the update may have been answered already.
    Nothing,
    /// An event for the desk. After it, [`TelegramChannel::reply`] tells the person its result.
    Tell(Event),
    /// A change of the pairings, which is to be committed.
    Enter(Vec<PairingChange>),
}

/// The updates that were handled already and may be read again, because their step could not be
/// committed, or the poll was broken off first. They are recognized by their numbers, not by the
/// order of these: after a quiet week Telegram may begin anew with any number
/// (<https://core.telegram.org/bots/api#update>).
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct TakenUpdates {
    numbers: BTreeSet<i64>,
    /// The offset up to which they were read.
    read: Option<ReadOffset>,
    /// The offset with which the last batch was requested.
    asked: i64,
}

impl TelegramChannel {
    /// Takes a batch of updates. Returns those that are new, since an update that could not be
    /// committed is read again, and the changes to be committed with them.
    pub fn take_batch(&mut self, batch: &UpdateBatch) -> (Vec<IncomingUpdate>, Vec<PairingChange>) {
        let read = PairingChange::Read(batch.read.clone());
        let fresh = self.taken.fresh(batch);
        let learnt: Vec<_> = fresh.iter().flat_map(|heard| self.learn(heard)).collect();
        let read = self.apply_changes(vec![read]);
        (fresh, learnt.into_iter().chain(read).collect())
    }

    /// Takes over what an update tells about the chats themselves.
    fn learn(&mut self, heard: &IncomingUpdate) -> Vec<PairingChange> {
        let place = &heard.place;
        let group = Some(place).filter(|place| !place.private && !place.title.is_empty());
        let renamed = group.and_then(|it| self.pairings.renamed(it.chat, &it.title, it.topics));
        if renamed.is_some() {
            let changes = self.apply_changes(renamed.into_iter().collect());
            self.send_topics();
            return changes;
        }

        let writes = matches!(
            heard.what,
            UpdateContent::Text { .. } | UpdateContent::Wordless { .. } | UpdateContent::Tap { .. }
        );
        let from = heard.from.as_ref().filter(|_| writes);
        let opened = from.and_then(|from| self.pairings.opened_by(from.id, place.chat));
        let Some(opened) = opened else {
            return Vec::new();
        };
        let changes = self.apply_changes(vec![opened]);
        self.command(WorkerCommand::LookUpTimers(vec![place.chat]));
        self.report_availability_anew();
        changes
    }

    /// Decides what follows from an update.
    pub fn dispatch(&mut self, heard: &IncomingUpdate, view: ChannelView<'_>) -> Reaction {
        if let UpdateContent::Text { text, .. } = &heard.what
            && let Some(changes) = self.try_pairing(heard, &text.plain, view.now())
        {
            return Reaction::Enter(changes);
        }
        let admitted = heard
            .from
            .as_ref()
            .is_some_and(|f| self.pairings.admits(f.id, heard.place.chat));
        match &heard.what {
            UpdateContent::Moved(to) => Reaction::Enter(self.moved(heard.place.chat, *to)),
            UpdateContent::Barred => self.on_blocked(heard.place.chat),
            UpdateContent::Unbarred => self.on_unblocked(heard.place.chat),
            UpdateContent::Timer(seconds) => {
                let after = Some(*seconds).filter(|seconds| *seconds > 0);
                let after = after.map(Duration::from_secs);
                self.command(WorkerCommand::Timer(heard.place.chat, after));
                Reaction::Nothing
            }
            UpdateContent::Nothing => Reaction::Nothing,
            UpdateContent::Unreadable => {
                self.unread_updates += 1;
                Reaction::Nothing
            }
            what if !admitted => {
                self.tell_anonymous(heard, what, view.now());
                self.ignore(heard)
            }
            what => {
                // A person who writes or taps lets the bot write.
                self.unblock(heard.place.chat);
                self.dispatch_paired(heard, what, view)
            }
        }
    }

    fn dispatch_paired(
        &mut self,
        heard: &IncomingUpdate,
        what: &UpdateContent,
        view: ChannelView<'_>,
    ) -> Reaction {
        if self.unfinished.is_rest(heard) || self.is_late_caption(what) {
            self.answer_note(&heard.place, words::left_out(&self.card_context()));
            return Reaction::Nothing;
        }
        match what {
            UpdateContent::Text { relation, text, .. } => {
                let answered = self.answered_by(heard, relation, text, view);
                let is_own = *relation != MessageRelation::Forwarded;
                if answered.is_none() && is_own && text.plain.starts_with('/') {
                    // The bot says something in reply.
                    self.interrupt_writer(heard);
                    return self.on_slash(heard, (relation, &text.plain), view);
                }
                let reaction = self.on_text(heard, (relation, answered), text, view);
                if matches!(reaction, Reaction::Nothing) {
                    self.unfinished.forget(heard);
                }
                if *relation != MessageRelation::Alone {
                    self.interrupt_writer(heard);
                }
                reaction
            }
            UpdateContent::Wordless { relation, media } => {
                self.on_wordless(&heard.place, relation, media)
            }
            UpdateContent::Tap {
                query,
                message,
                data,
                ..
            } => self.on_tap(heard, query, *message, data, view),
            UpdateContent::Edited { number, text } => {
                self.on_edited(&heard.place, *number, text);
                Reaction::Nothing
            }
            UpdateContent::Eyes { message, seen } => {
                self.interrupt_writer(heard);
                self.on_reaction(&heard.place, (*message, *seen), view)
            }
            _ => Reaction::Nothing,
        }
    }

    /// Tells people who write in the name of the group or of a channel that their words do not
    /// count, if these were meant for the bot: it is unknown who they are. A pairing code that they
    /// write becomes invalid, since everybody there can read it and it has paired nobody.
    fn tell_anonymous(&mut self, heard: &IncomingUpdate, what: &UpdateContent, now: Timestamp) {
        let UpdateContent::Text { relation, text, .. } = what else {
            return;
        };
        let code = start_code(&text.plain).filter(|_| heard.from.is_none());
        if code.is_some_and(|code| self.pairing.expose(code, now)) {
            tracing::warn!("an anonymous person wrote a pairing code, which is now invalid");
            self.answer_note(&heard.place, words::code_exposed(&self.card_context()));
            return;
        }
        if !heard.anonymous {
            return;
        }

        let group = self.pairings.group.as_ref();
        let is_ours = group.is_some_and(|group| group.chat == heard.place.chat);
        let is_command = relation.may_answer() && self.is_command(&text.plain);
        let is_meant = relation.is_to_bot() || is_command;
        if is_ours && is_meant {
            self.answer_note(&heard.place, words::anonymous(&self.card_context()));
        }
    }

    /// Ignores an update of a person who is not paired. They get no reply, which would tell them
    /// that somebody uses this bot.
    fn ignore(&mut self, heard: &IncomingUpdate) -> Reaction {
        self.ignored += 1;
        tracing::debug!(
            chat = heard.place.chat.0,
            "an update of somebody who is not paired"
        );
        Reaction::Nothing
    }

    fn on_blocked(&mut self, chat: ChatId) -> Reaction {
        if self.pairings.chats().contains(&chat) {
            self.blocked.insert(chat);
            self.report_availability();
        }
        Reaction::Nothing
    }

    fn on_unblocked(&mut self, chat: ChatId) -> Reaction {
        if self.pairings.chats().contains(&chat) {
            self.unblock(chat);
        }
        Reaction::Nothing
    }

    fn on_tap(
        &mut self,
        heard: &IncomingUpdate,
        query: &str,
        message: Option<i32>,
        data: &str,
        view: ChannelView<'_>,
    ) -> Reaction {
        if let Some(sent) = button::read_test(data, &self.seal) {
            self.interrupt_writer(heard);
            self.on_test_tap(heard, query, message, sent);
            return Reaction::Nothing;
        }
        if let Some((is_own, tap)) = self.read_list_button(data) {
            self.interrupt_writer(heard);
            let chat = heard.place.chat;
            return match (is_own, tap) {
                (false, ListTap::Open(_)) => self.on_foreign_line((chat, query, message), view),
                _ => self.on_list_tap(heard, (query, message), tap, view),
            };
        }
        let read = self.read_button(data, view);
        let (update, chat) = (heard.update, heard.place.chat.0);
        tracing::debug!(update, chat, card = message, ?read, "a button was tapped");
        match read {
            Some((target, tap)) => {
                self.note_editor(heard, target, view);
                let tap = self.meant_by(heard, target, tap, view);
                if self.is_still_awaited(heard, target, tap) {
                    self.answer(query, String::new());
                    return Reaction::Nothing;
                }
                self.ask_another_writer(heard, target, tap, view);
                let (sight, by) = (self.sight(target, view), Surface::Telegram);
                Reaction::Tell(Event::Tapped {
                    target,
                    tap,
                    sight,
                    by,
                    responder: responder(heard),
                })
            }
            None if self.holder.is_some() && button::read_any(data).is_some() => {
                self.answer(query, self.texts.get("telegram-unknown-here"));
                Reaction::Nothing
            }
            // The card may belong to another program that uses the bot, and is left alone.
            None if self.has_rival => {
                self.ignored += 1;
                self.answer(query, self.texts.get("telegram-rival-card"));
                Reaction::Nothing
            }
            None => {
                self.interrupt_writer(heard);
                self.ignored += 1;
                self.answer(query, words::old_card(&self.card_context()));
                self.strip_keyboard(heard.place.chat, message);
                Reaction::Nothing
            }
        }
    }

    /// Returns whether the card of an ask shows all of it. For an unknown ask it is not known.
    fn sight(&self, target: ButtonTarget, view: ChannelView<'_>) -> CardSight {
        let open = view.entry_of(target);
        open.map_or(CardSight::Obscured, |entry| {
            card::sight(entry, &self.card_context_of(&entry.ask.id))
        })
    }

    /// Notes that a person did something else in that chat, so that their next words are not taken
    /// for the answer that they had begun.
    fn interrupt_writer(&mut self, heard: &IncomingUpdate) {
        if let Some(from) = &heard.from {
            self.writers.interrupt_by(heard.place.chat, from.id);
        }
    }

    /// Returns the card that words answer.
    ///
    /// - Words in reply to a card answer it, whatever sign they begin with: a path or a comment is
    ///   an answer, too. Only a command that was tapped in the menu is none; it is sent as a reply
    ///   where the app's field is open for one.
    /// - Words that reply to nothing, and are no command of the bot, answer the one card that waits
    ///   for words.
    /// - Words that reply to anything else are about that.
    fn answered_by(
        &self,
        heard: &IncomingUpdate,
        relation: &MessageRelation,
        text: &SentText,
        view: ChannelView<'_>,
    ) -> Option<(ButtonTarget, SeenStep)> {
        match relation {
            MessageRelation::ToBot(_) if self.is_tapped_command(text) => None,
            MessageRelation::ToBot(replied) => {
                let target = self.target_at(heard.place.chat, replied, view)?;
                Some((target, self.seen_at(heard, replied, target, view)))
            }
            MessageRelation::Alone if heard.place.private && !self.is_any_command(text) => {
                let target = self.written_to(heard, view)?;
                Some((target, self.seen_by_writer(heard, target)))
            }
            MessageRelation::Alone
            | MessageRelation::ToBotElsewhere
            | MessageRelation::Elsewhere
            | MessageRelation::Forwarded => None,
        }
    }

    fn is_command(&self, text: &str) -> bool {
        BotCommand::parse(text, self.bot_name()).is_some()
    }

    fn is_any_command(&self, text: &SentText) -> bool {
        let plain = &text.plain;
        self.is_command(plain) || BotCommand::is_of_another_bot(plain, self.bot_name())
    }

    /// Whether a text is a command as a menu sends it. In a reply, a command within a sentence is
    /// none.
    fn is_tapped_command(&self, text: &SentText) -> bool {
        let plain = &text.plain;
        let bot = self.bot_name();
        let is_command =
            BotCommand::is_whole(plain, bot) || BotCommand::is_of_another_bot(plain, bot);
        text.begins_with_command && is_command
    }

    fn bot_name(&self) -> &str {
        self.bot.as_ref().map_or("", |bot| bot.name.as_str())
    }

    /// Takes words as the answer to the card that they are for.
    fn on_text(
        &mut self,
        heard: &IncomingUpdate,
        (relation, answered): (&MessageRelation, Option<(ButtonTarget, SeenStep)>),
        text: &SentText,
        view: ChannelView<'_>,
    ) -> Reaction {
        let (chat, private) = (heard.place.chat, heard.place.private);
        let (update, ask) = (heard.update, answered.map(|(target, _)| target.serial));
        tracing::debug!(update, chat = chat.0, ?relation, ask, "words have come");
        match (answered, relation) {
            (Some((target, seen)), _) => {
                self.note_editor(heard, target, view);
                let text = text.without_mention(self.bot_name()).written();
                let sight = self.sight(target, view);
                Reaction::Tell(Event::Wrote {
                    target,
                    seen,
                    text,
                    sight,
                    by: Surface::Telegram,
                    responder: responder(heard),
                })
            }
            // People in a group talk with each other.
            (
                None,
                MessageRelation::Alone | MessageRelation::Elsewhere | MessageRelation::Forwarded,
            ) if !private => Reaction::Nothing,
            (None, relation) => {
                self.answer_note(&heard.place, self.no_card_reply(chat, relation, view));
                Reaction::Nothing
            }
        }
    }

    /// Returns the reply to words that are for no card.
    fn no_card_reply(
        &self,
        chat: ChatId,
        relation: &MessageRelation,
        view: ChannelView<'_>,
    ) -> String {
        let scene = self.card_context();
        let awaited = self.awaiting(chat, view).next().is_some();
        match relation {
            MessageRelation::Alone if awaited => words::which_card(&scene),
            MessageRelation::ToBotElsewhere => words::reply_in_place(&scene),
            MessageRelation::ToBot(_) if self.cards.is_empty() => {
                words::html(&words::refusal(&AnswerRefusal::Unknown, &scene))
            }
            MessageRelation::ToBot(_) | MessageRelation::Elsewhere | MessageRelation::Forwarded
                if !self.cards.is_empty() =>
            {
                words::no_card(&scene)
            }
            _ => words::not_understood(&scene),
        }
    }

    /// Replies to a voice message, a picture and the like without words; to an album once.
    fn on_wordless(
        &mut self,
        place: &UpdatePlace,
        relation: &MessageRelation,
        media: &MediaMessage,
    ) -> Reaction {
        let meant = place.private || relation.is_to_bot();
        if meant && self.is_new(media) {
            self.answer_note(place, words::text_only(&self.card_context()));
        }
        Reaction::Nothing
    }

    /// Whether the update is a caption of an album whose captions were taken as a whole already.
    fn is_late_caption(&self, what: &UpdateContent) -> bool {
        let UpdateContent::Text {
            media: Some(media), ..
        } = what
        else {
            return false;
        };
        media.album.is_some() && self.taken_album == media.album
    }

    /// Whether the message is the first of its album, whose parts come as a message each.
    fn is_new(&mut self, media: &MediaMessage) -> bool {
        let known = media.album.is_some() && self.album == media.album;
        self.album.clone_from(&media.album);
        !known
    }

    /// Returns the target that a message was made for, if it is a card, a prompt or a document. The
    /// buttons of the message tell best, since they say what was shown, whatever is shown there
    /// now.
    fn target_at(
        &self,
        chat: ChatId,
        replied: &RepliedMessage,
        view: ChannelView<'_>,
    ) -> Option<ButtonTarget> {
        let button = replied
            .button
            .as_deref()
            .and_then(|data| self.read_button(data, view));
        let open = || {
            self.open_at(chat, replied.message)
                .map(|shown| shown.entry.target())
        };
        let noted = || self.noted_at(chat, replied.message, view).map(alone);
        let ended = || self.ended.at(chat, replied.message).map(Entry::target);
        button
            .map(|(target, _)| target)
            .or_else(open)
            .or_else(noted)
            .or_else(ended)
    }

    pub(super) fn open_at(&self, chat: ChatId, message: i32) -> Option<&ShownCard> {
        let here = |shown: &&ShownCard| {
            shown
                .posted
                .get(&chat)
                .is_some_and(|posted| posted.has(message))
        };
        self.cards.values().find(here)
    }

    /// Returns the asks whose card in that chat waits for words. A person who writes in another
    /// chat, or has deleted the card, has not seen that it waits.
    fn awaiting<'a>(
        &'a self,
        chat: ChatId,
        view: ChannelView<'a>,
    ) -> impl Iterator<Item = &'a Entry> {
        let awaits = |entry: &&Entry| {
            entry.state == AskState::Open
                && entry
                    .draft
                    .as_ref()
                    .is_some_and(|draft| draft.awaits.is_some())
        };
        view.entries()
            .filter(awaits)
            .filter(move |entry| self.stands_in(chat, entry))
    }

    /// Notes that a person no longer wants to write their own words, or has tapped something else,
    /// so that their next words are about that. Returns true if the card still waits for another
    /// person's words.
    fn is_still_awaited(
        &mut self,
        heard: &IncomingUpdate,
        target: ButtonTarget,
        tap: CardTap,
    ) -> bool {
        let Some(from) = &heard.from else {
            return false;
        };
        let chat = heard.place.chat;
        let no_longer = match tap {
            CardTap::NotOwn { question } => AwaitedText::Text { question },
            CardTap::RejectWithoutReason => AwaitedText::Reason,
            tap => {
                if asks_to_write(tap).is_none() {
                    self.writers.interrupt_by(chat, from.id);
                }
                return false;
            }
        };
        self.writers.end(chat, from.id, target.serial);
        self.note_asked(target.serial, (chat, from.id), false);
        self.writers.is_awaited(target.serial, no_longer)
    }

    /// Notes that a person wants to write their own words. If the card waits for these words
    /// already, for another person's sake, nothing changes for the desk, but this person is asked
    /// for their words, too.
    fn ask_another_writer(
        &mut self,
        heard: &IncomingUpdate,
        target: ButtonTarget,
        tap: CardTap,
        view: ChannelView<'_>,
    ) {
        let (Some(from), Some(awaited)) = (&heard.from, asks_to_write(tap)) else {
            return;
        };
        let chat = heard.place.chat;
        self.forget_what_is_over(chat, from.id, view);
        self.writers
            .begin(chat, from.id, (target, awaited), view.now());
        self.note_asked(target.serial, (chat, from.id), true);
        let entry = view.entry_of(target);
        let waits = |entry: &&Entry| {
            let draft = entry.draft.as_ref();
            draft.is_some_and(|draft| draft.awaits == Some(awaited))
        };
        if let Some(entry) = entry.filter(waits) {
            self.queue_card(&entry.ask.id, true, Priority::Now);
        }
    }

    /// Notes whether the prompt of a card asks this person for their words.
    fn note_asked(&mut self, serial: u64, (chat, user): (ChatId, UserId), is_asked: bool) {
        let mut cards = self.cards.values_mut();
        let Some(shown) = cards.find(|shown| shown.entry.serial == serial) else {
            return;
        };
        let asked = shown.asked.entry(chat).or_default();
        let is_news = if is_asked {
            asked.insert(user)
        } else {
            asked.remove(&user)
        };
        // In a private chat there is only one person.
        if is_news && chat.0 < 0 {
            let ask = shown.entry.ask.id.clone();
            self.report_handle(&ask);
        }
    }

    /// Returns the card that a person's words without a reply are for: the only one to which they
    /// have asked to write, here and a short while ago. What it waits for by now may be something
    /// else. Another person may have answered it meanwhile: then the words are for no other card,
    /// and their writer is told who was faster.
    fn written_to(&self, heard: &IncomingUpdate, view: ChannelView<'_>) -> Option<ButtonTarget> {
        let user = heard.from.as_ref()?.id;
        let chat = heard.place.chat;
        let targets = self.writers.targets(chat, user, view.now());
        let mut known = targets
            .into_iter()
            .filter(|target| self.is_known_in(chat, *target, view));

        // They write to what they saw when they asked to write.
        let only = known.next()?;
        known.next().is_none().then_some(only)
    }

    /// Whether a card stands in that chat, or stood there until it ended lately.
    fn is_known_in(&self, chat: ChatId, target: ButtonTarget, view: ChannelView<'_>) -> bool {
        let mut entries = view.entries().filter(|entry| entry.serial == target.serial);
        let stood = || {
            let ended = self.ended.by_serial(target.serial);
            ended.is_some_and(|card| card.posted.iter().any(|posted| posted.chat == chat))
        };
        entries.any(|entry| self.stands_in(chat, entry)) || stood()
    }

    /// Forgets the cards to which a person can write no longer. A person who asks to write to
    /// another one has seen that these are over.
    fn forget_what_is_over(&mut self, chat: ChatId, user: UserId, view: ChannelView<'_>) {
        for target in self.writers.targets(chat, user, view.now()) {
            let is_it = |entry: &Entry| entry.serial == target.serial;
            let is_open = |entry: &Entry| entry.state == AskState::Open && is_it(entry);
            if !view.entries().any(is_open) {
                self.writers.end(chat, user, target.serial);
            }
        }
    }

    /// Handles words that begin with a slash and answer nothing. A person who has sent a command in
    /// reply to a card is told that it is no answer.
    fn on_slash(
        &mut self,
        heard: &IncomingUpdate,
        (relation, text): (&MessageRelation, &str),
        view: ChannelView<'_>,
    ) -> Reaction {
        let is_to_card = match relation {
            MessageRelation::ToBot(replied) => {
                self.target_at(heard.place.chat, replied, view).is_some()
            }
            MessageRelation::Alone
            | MessageRelation::ToBotElsewhere
            | MessageRelation::Elsewhere
            | MessageRelation::Forwarded => false,
        };
        if is_to_card {
            let note = words::command_no_answer(text, &self.card_context());
            self.answer_note(&heard.place, note);
        }
        if is_to_card && BotCommand::is_of_another_bot(text, self.bot_name()) {
            return Reaction::Nothing;
        }

        self.on_command(heard, text, view)
    }

    fn on_command(
        &mut self,
        heard: &IncomingUpdate,
        text: &str,
        view: ChannelView<'_>,
    ) -> Reaction {
        let place = &heard.place;
        let scene = self.card_context();
        let html = match BotCommand::parse(text, self.bot_name()) {
            Some(_) if start_code(text).is_some() => words::code_expired(&scene),
            Some(BotCommand::Pending) => {
                // A person who asks for a card also learns of cards that have gone meanwhile.
                self.command(WorkerCommand::LookForCards(place.chat));
                if let Some(note) = self.pending(place, view) {
                    self.command(WorkerCommand::Say(place.chat, note));
                    return Reaction::Nothing;
                }
                words::nobody_waits(&view.overview(), &scene)
            }
            Some(BotCommand::Status) => words::status(&view.overview(), &scene),
            Some(BotCommand::Help) => words::help(&scene),
            Some(BotCommand::Said(said, span)) => {
                let until = span.map(|span| view.now() + span);
                let html = words::presence_set(said, until, &scene);
                self.answer_note_once_saved(place, html);
                return Reaction::Tell(self.say_presence(heard, said, until));
            }
            Some(BotCommand::UnclearLength) => words::unclear_length(&scene),
            // In a group it may be for another bot.
            None if !place.private => return Reaction::Nothing,
            None => words::unknown_command(&scene),
        };
        self.answer_note(place, html);
        Reaction::Nothing
    }

    /// Tells a person the result of their tap or words.
    pub fn reply(
        &mut self,
        heard: &IncomingUpdate,
        verdict: Option<&Result<AskId, AnswerRefusal>>,
        view: ChannelView<'_>,
    ) {
        let refusal = verdict.and_then(|verdict| verdict.as_ref().err());
        let chat = heard.place.chat;
        self.end_writing(heard, verdict, view);
        if refusal.is_some() {
            self.unfinished.forget(heard);
        }
        let message = match &heard.what {
            // It was answered as soon as it came.
            UpdateContent::Tap { data, .. } if self.read_list_button(data).is_some() => return,
            UpdateContent::Tap {
                query,
                message,
                data,
                ..
            } => {
                let read = self.read_button(data, view);
                let seen = read.map_or(SeenStep::Whole, |(_, tap)| seen_beside(tap));
                let target = read.map(|(target, _)| target);
                let why = |refusal| {
                    let passed = self.refused_as_passed(heard, refusal, (target, seen), view);
                    passed.unwrap_or_else(|| self.refusal(refusal, target, view))
                };
                let text = refusal.map(why);
                let later = || self.redrawn_later(chat, view.now());
                let text = text.or_else(later).unwrap_or_default();
                if self.is_answer_kept_here(verdict, view) {
                    self.answer_once_saved(query, text);
                } else {
                    self.answer(query, text);
                }
                *message
            }
            UpdateContent::Text {
                relation,
                media,
                text,
                end,
                ..
            } => {
                let replied = match relation {
                    MessageRelation::ToBot(replied) => Some(replied),
                    MessageRelation::Alone
                    | MessageRelation::ToBotElsewhere
                    | MessageRelation::Elsewhere
                    | MessageRelation::Forwarded => None,
                };
                if self.is_answer_kept_here(verdict, view) {
                    self.answer_note_once_saved(&heard.place, String::new());
                }
                let answered = self.answered_by(heard, relation, text, view);
                let (target, seen) = answered.map_or((None, SeenStep::Whole), |(target, seen)| {
                    (Some(target), seen)
                });
                match (refusal, media) {
                    (Some(refusal), _) => {
                        let passed = self.refused_as_passed(heard, refusal, (target, seen), view);
                        let why = passed.unwrap_or_else(|| self.refusal(refusal, target, view));
                        self.answer_note(&heard.place, words::html(&why));
                        self.end_late_writing(heard, refusal, target);
                    }
                    (None, Some(media)) => {
                        self.taken_album.clone_from(&media.album);
                        self.reply_to_caption(&heard.place, media);
                    }
                    (None, None) if verdict.is_some() && *end == TextEnd::LooksCut => {
                        self.answer_note(&heard.place, words::looks_cut(&self.card_context()));
                    }
                    (None, None) => {}
                }
                replied
                    .filter(|replied| replied.button.is_some())
                    .map(|replied| replied.message)
            }
            // The card says what came of it.
            UpdateContent::Eyes { .. }
            | UpdateContent::Edited { .. }
            | UpdateContent::Wordless { .. }
            | UpdateContent::Barred
            | UpdateContent::Unbarred
            | UpdateContent::Moved(_)
            | UpdateContent::Timer(_)
            | UpdateContent::Nothing
            | UpdateContent::Unreadable => None,
        };
        if refusal.is_some_and(AnswerRefusal::is_of_another_state) {
            self.strip_keyboard(chat, message);
        }
    }

    /// Whether an update has answered an ask that was made through Beckon itself. No agent's server
    /// knows that answer, so it has to be saved.
    fn is_answer_kept_here(
        &self,
        verdict: Option<&Result<AskId, AnswerRefusal>>,
        view: ChannelView<'_>,
    ) -> bool {
        let Some(Ok(ask)) = verdict else {
            return false;
        };
        let is_open = view
            .entry(ask)
            .is_some_and(|entry| entry.state == AskState::Open);
        ask.source.0 == LOCAL_ASKS && !is_open
    }

    /// Returns the reply to a tap whose card can't be redrawn for a while. Without it nothing would
    /// show that the tap counts, and what the card asks next.
    fn redrawn_later(&self, chat: ChatId, now: Timestamp) -> Option<String> {
        let until = self.held_back.get(&chat).filter(|until| now < **until)?;
        let time = time::clock(&self.card_context(), *until);
        Some(
            self.texts
                .with("telegram-redrawn-later", &[("time", time.into())]),
        )
    }

    /// Tells a person who edits words that were taken that the first version counts.
    fn on_edited(&mut self, place: &UpdatePlace, number: i32, text: &str) {
        if self.taken_words.is_another(place.chat, number, text) {
            self.answer_note(place, words::edited(&self.card_context()));
        }
    }

    /// Notes that a person whose words were taken is not writing any more.
    fn end_writing(
        &mut self,
        heard: &IncomingUpdate,
        verdict: Option<&Result<AskId, AnswerRefusal>>,
        view: ChannelView<'_>,
    ) {
        let is_text = matches!(heard.what, UpdateContent::Text { .. });
        if let (UpdateContent::Text { number, text, .. }, Some(Ok(_))) = (&heard.what, verdict) {
            let words = (heard.place.chat, *number, text.plain.clone());
            self.taken_words.note(words);
        }
        let taken = verdict.and_then(|verdict| verdict.as_ref().ok());
        let entry = taken.and_then(|id| view.entry(id));
        if let (true, Some(entry), Some(from)) = (is_text, entry, &heard.from) {
            let serial = entry.serial;
            self.writers.end(heard.place.chat, from.id, serial);
            self.note_asked(serial, (heard.place.chat, from.id), false);
        }
    }

    /// Notes that a person who was told that their words came too late writes to that card no
    /// longer.
    fn end_late_writing(
        &mut self,
        heard: &IncomingUpdate,
        refusal: &AnswerRefusal,
        target: Option<ButtonTarget>,
    ) {
        let is_late = matches!(
            refusal,
            AnswerRefusal::Answering { .. } | AnswerRefusal::Settled { .. }
        );
        if let (true, Some(from), Some(target)) = (is_late, &heard.from, target) {
            self.writers.end(heard.place.chat, from.id, target.serial);
        }
    }

    /// Tells a person that the words below their picture were taken, and the picture was not.
    fn reply_to_caption(&mut self, place: &UpdatePlace, media: &MediaMessage) {
        if self.is_new(media) {
            self.answer_note(place, words::caption_only(&self.card_context()));
        }
    }

    /// Returns why a tap or words were refused. If they came too late, that is what was answered,
    /// where and when.
    fn refusal(
        &self,
        refusal: &AnswerRefusal,
        target: Option<ButtonTarget>,
        view: ChannelView<'_>,
    ) -> String {
        let late = matches!(
            refusal,
            AnswerRefusal::Answering { .. } | AnswerRefusal::Settled { .. }
        );
        let serial = target.filter(|_| late).map(|target| target.serial);
        let open = |serial| {
            self.cards
                .values()
                .find(|shown| shown.entry.serial == serial)
        };
        let known = serial.and_then(|serial| {
            let standing = open(serial)
                .and_then(|shown| Some((view.entry(&shown.entry.ask.id)?, shown.by.as_deref())));
            let ended = || {
                self.ended
                    .by_serial(serial)
                    .map(|it| (&*it.entry, it.by.as_deref()))
            };
            standing.or_else(ended)
        });
        let scene = self.card_context();
        match known {
            Some((entry, by)) => words::late(
                entry,
                &CardContext {
                    by: self.answerer(by),
                    ..scene
                },
            ),
            None => words::refusal(refusal, &scene),
        }
    }

    pub(in crate::channels::telegram) fn answer(&self, query: &str, text: String) {
        let query = query.to_owned();
        self.command(WorkerCommand::Answer { query, text });
    }

    /// Removes the keyboard of a message that is not the card's. It is one that was sent a second
    /// time and not noted, or one of an ask that is over, and its buttons answer nothing any more.
    fn strip_keyboard(&self, chat: ChatId, message: Option<i32>) {
        if let Some(message) = message
            && self.open_at(chat, message).is_none()
        {
            self.command(WorkerCommand::Strip(chat, message));
        }
    }
}

/// Returns the kind of text that a person wants to write who makes that tap.
fn asks_to_write(tap: CardTap) -> Option<AwaitedText> {
    match tap {
        CardTap::Own { question } => Some(AwaitedText::Text { question }),
        CardTap::RejectWithReason => Some(AwaitedText::Reason),
        _ => None,
    }
}

/// Returns the person who tapped or wrote. Telegram tells who it was, but not on which device.
fn responder(heard: &IncomingUpdate) -> Option<Responder> {
    let from = heard.from.as_ref()?;
    let vouched = Voucher::Telegram { user: from.id.0 };
    Some(Responder::new(Some(&from.name), Some("Telegram"), vouched))
}

/// Returns the target of an ask as it was on its card before a restart: how many equals the ask has
/// now was not on that card.
pub(super) fn alone(entry: &Entry) -> ButtonTarget {
    ButtonTarget {
        fingerprint: entry.ask.fingerprint(),
        ..entry.target()
    }
}

impl TakenUpdates {
    fn fresh(&mut self, batch: &UpdateBatch) -> Vec<IncomingUpdate> {
        let ReadOffset { bot, address, .. } = &batch.read;
        let asked = ReadOffset {
            bot: *bot,
            address: address.clone(),
            next: batch.asked,
        };
        let same = |read: &ReadOffset| read.bot == asked.bot && read.address == asked.address;
        // Requesting a batch with an offset confirms everything before that offset. A batch that
        // moved no offset is read again.
        let is_acknowledged = self.read.as_ref() == Some(&asked) && self.asked != batch.asked;
        if !self.read.as_ref().is_some_and(same) || is_acknowledged {
            self.numbers.clear();
        }
        self.read = Some(batch.read.clone());
        self.asked = batch.asked;
        batch
            .heard
            .iter()
            .filter(|heard| self.numbers.insert(heard.update))
            .cloned()
            .collect()
    }
}
