-- The database of Beckon 0.1.0, schema 34. Frozen: see frozen.rs.
PRAGMA user_version = 35;
CREATE TABLE asks (
        serial     INTEGER PRIMARY KEY,
        source     TEXT NOT NULL,
        own        TEXT NOT NULL,
        ask        TEXT NOT NULL,
        state      TEXT NOT NULL,
        asked_at   INTEGER NOT NULL,
        settled_at INTEGER, draft TEXT, reminded_at INTEGER, warned_at INTEGER, given TEXT, inquired INTEGER NOT NULL DEFAULT 0, fingerprint TEXT, returned TEXT, attention TEXT, responder TEXT, agreed TEXT, late TEXT, request TEXT, undelivered TEXT, answered_at INTEGER,
        UNIQUE (source, own)
    ) STRICT;
CREATE TABLE cards (
        source  TEXT NOT NULL,
        own     TEXT NOT NULL,
        channel TEXT NOT NULL,
        handle  TEXT, closed INTEGER NOT NULL DEFAULT 0, serial INTEGER,
        PRIMARY KEY (source, own, channel)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE standing (
        only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
        said         TEXT NOT NULL,
        paused_until INTEGER
    , said_until INTEGER, at INTEGER) STRICT;
CREATE TABLE receipts (
        id     INTEGER PRIMARY KEY,
        source TEXT NOT NULL,
        own    TEXT NOT NULL,
        what   TEXT NOT NULL,
        at     INTEGER NOT NULL
    , serial INTEGER, shown TEXT, responder TEXT, detail TEXT) STRICT;
CREATE TABLE seal (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        word     TEXT NOT NULL
    ) STRICT;
CREATE TABLE telegram_read (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        bot      INTEGER NOT NULL,
        next     INTEGER NOT NULL
    , address TEXT) STRICT;
CREATE TABLE telegram_people (
        id      INTEGER PRIMARY KEY,
        name    TEXT NOT NULL,
        private INTEGER NOT NULL
    ) STRICT;
CREATE TABLE telegram_group (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        chat     INTEGER NOT NULL,
        title    TEXT NOT NULL,
        topics   INTEGER NOT NULL
    ) STRICT;
CREATE TABLE telegram_topics (
        project TEXT PRIMARY KEY,
        thread  INTEGER NOT NULL
    ) STRICT;
CREATE TABLE window_drafts (
        source TEXT NOT NULL,
        own    TEXT NOT NULL,
        draft  TEXT NOT NULL,
        PRIMARY KEY (source, own)
    ) STRICT;
CREATE TABLE asking (
        own       TEXT PRIMARY KEY,
        questions TEXT NOT NULL,
        attended  INTEGER NOT NULL,
        deadline  INTEGER,
        ended     TEXT,
        ended_at  INTEGER
    , receipts INTEGER NOT NULL DEFAULT 0, proof TEXT, over INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE serials (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        reserved INTEGER NOT NULL
    ) STRICT;
CREATE TABLE set_aside (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        file     TEXT NOT NULL
    ) STRICT;
CREATE TABLE telegram_lists (
        chat    INTEGER PRIMARY KEY,
        message INTEGER NOT NULL
    ) STRICT;
CREATE TABLE rounds (
        serial INTEGER PRIMARY KEY,
        used   INTEGER NOT NULL
    ) STRICT;
CREATE TABLE hub_desk (
        admin    TEXT PRIMARY KEY,
        revision INTEGER NOT NULL,
        record   TEXT NOT NULL
    ) STRICT;
CREATE TABLE shared_chats (
        bot   INTEGER NOT NULL,
        name  TEXT NOT NULL,
        mark  INTEGER NOT NULL,
        value TEXT,
        PRIMARY KEY (bot, name)
    ) STRICT;
CREATE TABLE hub_since (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        hub      TEXT,
        after    INTEGER NOT NULL
    , bot_at TEXT) STRICT;
CREATE INDEX asks_open ON asks (serial) WHERE settled_at IS NULL;
CREATE INDEX asks_settled ON asks
        (settled_at, source, own, state, given, inquired, fingerprint, request)
        WHERE settled_at IS NOT NULL;
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (1, 'local', 'q1', '{"id":{"source":"local","own":"q1"},"kind":{"questions":[{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}],"limits":{"format":"text","least":null,"most":null,"none":1},"consent":{"commands":["ls"]}},{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}]}]},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '"open"', 900, NULL, '{"page":"sure_dismiss","keep":{"question":1},"replies":[{"choices":[1,0],"text":"in my words"},{"choices":[],"text":null}],"awaits":{"text":{"question":1}}}', 5, 6, NULL, 0, 'QJdu3UErIL', NULL, '{"snoozed":{"until":1000500}}', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (2, 'local', 'p2', '{"id":{"source":"local","own":"p2"},"kind":{"permission":{"permission":"bash","patterns":["rm *"],"always":["rm -r *"],"command":"rm -r ''it''''s old'' 世界","diff":"-a\n+b\n","files":[{"delete":"it''s old"}],"input":{"arguments":[{"name":"workdir","value":"/home/me"}],"is_partial":false},"left_out":{"count":3,"hash":7},"rejects":"session","always_until":"server_stops"}},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '{"answering":{"answer":{"grant":"always"},"by":"telegram","at":999000,"attempts":2,"tried_at":999500,"sent_at":999600}}', 900, NULL, NULL, NULL, NULL, NULL, 0, 'NY3LMcnjLB', NULL, NULL, '{"person":"Ann O''Neill","device":"Telegram","vouched":{"telegram":{"user":1}}}', NULL, NULL, NULL, '{"since":999000,"why":"no route"}', 999000);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (3, 'local', 'c3', '{"id":{"source":"local","own":"c3"},"kind":{"confirm":"Shall I go on?"},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '"open"', 900, NULL, NULL, NULL, NULL, NULL, 0, 'lUfpKmW8pP', '{"undelivered":{"status":502}}', NULL, NULL, '[{"person":"ada","answer":"continue","by":"api","responder":{"person":"ada","vouched":{"device":{"name":"laptop"}}}}]', NULL, NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (4, 'local', 'u4', '{"id":{"source":"local","own":"u4"},"kind":{"unknown":{"asked":"permission","raw":"{\"new\":1}"}},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '"open"', 900, NULL, NULL, NULL, NULL, NULL, 0, 'YMIQeekEej', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (5, 'local', 'p5', '{"id":{"source":"local","own":"p5"},"kind":{"permission":{"permission":"bash","patterns":["rm *"],"always":["rm -r *"],"command":"rm -r ''it''''s old'' 世界","diff":"-a\n+b\n","files":[{"delete":"it''s old"}],"input":{"arguments":[{"name":"workdir","value":"/home/me"}],"is_partial":false},"left_out":{"count":3,"hash":7},"rejects":"session","always_until":"server_stops"}},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '{"settled":{"outcome":{"answered":{"answer":{"grant":{"reject":{"reason":"not now"}}},"by":"window"}},"at":999300}}', 900, 999300, NULL, NULL, NULL, NULL, 0, 'znTEdOFTat', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (6, 'local', 'q6', '{"id":{"source":"local","own":"q6"},"kind":{"questions":[{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}],"limits":{"format":"text","least":null,"most":null,"none":1},"consent":{"commands":["ls"]}},{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}]}]},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '{"settled":{"outcome":{"answered":{"answer":{"replies":[{"choices":[1,0],"text":"in my words"},{"choices":[0],"text":null}]},"by":"cli"}},"at":999200}}', 900, 999200, NULL, NULL, NULL, NULL, 0, 'VC1wQC6amE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (7, 'local', 'p7', '{"id":{"source":"local","own":"p7"},"kind":{"permission":{"permission":"bash","patterns":["rm *"],"always":["rm -r *"],"command":"rm -r ''it''''s old'' 世界","diff":"-a\n+b\n","files":[{"delete":"it''s old"}],"input":{"arguments":[{"name":"workdir","value":"/home/me"}],"is_partial":false},"left_out":{"count":3,"hash":7},"rejects":"session","always_until":"server_stops"}},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '{"settled":{"outcome":"gone","at":999100}}', 900, 999100, NULL, NULL, NULL, '[{"grant":{"reject":{"reason":"not now"}}},"telegram"]', 1, 'aYTBeGmRg3', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (8, 'local', 'q8', '{"id":{"source":"local","own":"q8"},"kind":{"questions":[{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}],"limits":{"format":"text","least":null,"most":null,"none":1},"consent":{"commands":["ls"]}},{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}]}]},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '{"settled":{"outcome":{"elsewhere":{"answers":[["Yes"]]}},"at":999000}}', 900, 999000, NULL, NULL, NULL, NULL, 0, 'lmacbf5JEL', NULL, NULL, '{"person":"Ann O''Neill","device":"laptop","vouched":{"device":{"name":"laptop"}}}', NULL, '{"answer":{"replies":[{"choices":[1,0],"text":"in my words"}]},"by":"notification","responder":{"person":"Ann O''Neill","device":"laptop","vouched":{"device":{"name":"laptop"}}}}', NULL, NULL, NULL);
INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at, given, inquired, fingerprint, returned, attention, responder, agreed, late, request, undelivered, answered_at) VALUES (9, 'local', 'c9', '{"id":{"source":"local","own":"c9"},"kind":{"confirm":"Shall I go on?"},"session":{"id":"ses_1","title":"A session","directory":"/home/me/project","project_root":"/home/me/shop","is_claimed":true,"agent":"build","parent":"ses_0","last_words":"One moment.","via":["sealseals2"],"api":"v2","process":{"pid":4711,"born":8100}},"call":{"message":"msg_1","call":"call_1"},"asked_at":900}', '{"settled":{"outcome":"expired","at":998000}}', 900, 998000, NULL, NULL, NULL, NULL, 0, 'G0bp4yb3c-', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO cards (source, own, channel, handle, closed, serial) VALUES ('local', 'c3', 'telegram', '4712/-1001', 0, 10);
INSERT INTO cards (source, own, channel, handle, closed, serial) VALUES ('local', 'p2', 'desktop', NULL, 1, 2);
INSERT INTO cards (source, own, channel, handle, closed, serial) VALUES ('local', 'q1', 'desktop', ':1.7/12', 0, 1);
INSERT INTO cards (source, own, channel, handle, closed, serial) VALUES ('local', 'q1', 'telegram', '4711/-1001', 0, 1);
INSERT INTO standing (only_row, said, paused_until, said_until, at) VALUES (1, '"away"', 8, 7, 1000000);
INSERT INTO receipts (id, source, own, what, at, serial, shown, responder, detail) VALUES (1, 'local', 'q1', 'asked', 1000000, 1, 'QJdu3UErIL', NULL, '{}');
INSERT INTO receipts (id, source, own, what, at, serial, shown, responder, detail) VALUES (2, 'local', 'p5', 'answered', 1000000, 5, 'znTEdOFTat', NULL, '{"by":"window"}');
INSERT INTO seal (only_row, word) VALUES (1, 'sealsealse');
INSERT INTO telegram_read (only_row, bot, next, address) VALUES (1, 99, 1234, 'https://api.telegram.org');
INSERT INTO telegram_people (id, name, private) VALUES (1, 'Ann O''Neill', 1);
INSERT INTO telegram_people (id, name, private) VALUES (2, 'Bob', 0);
INSERT INTO telegram_group (only_row, chat, title, topics) VALUES (1, -1001, 'Team', 1);
INSERT INTO telegram_topics (project, thread) VALUES ('/home/me/project', 17);
INSERT INTO window_drafts (source, own, draft) VALUES ('local', 'q1', '{"replies":[{"choices":[1,0],"text":"in my words"},{"choices":[],"text":null}],"page":1,"seen":"QJdu3UErIL"}');
INSERT INTO asking (own, questions, attended, deadline, ended, ended_at, receipts, proof, over) VALUES ('ask_1', '[{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}],"limits":{"format":"text","least":null,"most":null,"none":1},"consent":{"commands":["ls"]}},{"header":"Header","question":"Now?","multiple":true,"custom":true,"choices":[{"label":"Yes","description":"About Yes","value":"y"},{"label":"No","description":"About No"}]}]', 1, 2000000, NULL, NULL, 1, NULL, 0);
INSERT INTO asking (own, questions, attended, deadline, ended, ended_at, receipts, proof, over) VALUES ('ask_2', '{"hash":"2b0a2b827cef560ee06efb9854a9ce0ff7beba023e32ed93e2b71e917fea6a8b"}', 0, NULL, '{"answered":{"texts":[["No","in my words"]],"replies":[{"choices":[1,0],"text":"in my words"}]}}', 999000, 0, 'toolu_1@700', 1);
INSERT INTO serials (only_row, reserved) VALUES (1, 1000);
INSERT INTO set_aside (only_row, file) VALUES (1, '/home/me/.local/share/beckon/beckon.broken-20260228-143000.db');
INSERT INTO telegram_lists (chat, message) VALUES (-1001, 22);
INSERT INTO telegram_lists (chat, message) VALUES (1, 501);
INSERT INTO rounds (serial, used) VALUES (1, 2);
INSERT INTO hub_desk (admin, revision, record) VALUES ('key', 3, '{"v":1,"revision":3,"syncs":true,"people":{"Ann":{"roles":["lead"]}},"routes":[{"projects":["shop-*"],"kinds":["permission"],"severity":"dangerous","answerers":["role:lead","rota:nights"],"audience":["everyone"],"others_after":10,"self_approval":false,"approve":2}],"rota":{"utc_offset":60,"shifts":[{"rota":"nights","person":"Ann","from":"fri 22:00","to":"sat 06:00"}]},"devices":{"laptop":{"key":"k","login":"l","person":"Ann"}}}');
INSERT INTO shared_chats (bot, name, mark, value) VALUES (7, 'person:3', 2, NULL);
INSERT INTO hub_since (only_row, hub, after, bot_at) VALUES (1, 'key', 2, 'left');
