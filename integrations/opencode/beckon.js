// Beckon's plugin for OpenCode: a door to an OpenCode that opens no port.
//
// A plain OpenCode in a terminal, or the desktop app, listens nowhere. A plugin runs inside it and
// can reach its server without a port. This one opens a private door for Beckon: an HTTP listener
// on 127.0.0.1 with a secret of its own, which passes every request on to that server. It registers
// the door with Beckon, which then watches this OpenCode as it watches any other one.
//
// The plugin never gets in the way: it answers nothing by itself, and prints nothing. It holds no
// tool up and throws nothing, except for questions in the mode at the end of this file. Without
// Beckon, all it does is to look every two seconds whether there is one.
//
// Installed by `beckon integrate opencode`, removed by `beckon integrate opencode --remove`. Beckon
// replaces this file when it installs a newer one; changes made here are then lost.
//
// BECKON_HOME                    where Beckon's files are, if not in the usual place
// BECKON_OPENCODE_THROW=1        another way to answer questions, see the end of this file; without
//                                this variable the setting "questions.before_dialog" says, 0 is never
// BECKON_OPENCODE_THROW_WAIT=300 how many seconds it waits for an answer before the dialog appears

import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";

/** The interval at which a plugin looks whether Beckon is running. A look is one system call. */
const LOOK_EVERY_MS = 2_000;
/** The limit for a call to Beckon. A running one answers at once. */
const ANSWER_WITHIN_MS = 5_000;
/** The most bytes of a body, in either direction. What Beckon sends and answers is smaller. */
const LARGEST_BODY = 4 << 20;
/** The interval of the stand-in's heartbeats, the same as in OpenCode's own stream. */
const HEARTBEAT_EVERY_MS = 10_000;
/** The limit for each call that delays a question's dialog, for a Beckon that hangs. */
const SETTING_WITHIN_MS = 1_000;
/** The user name that goes with the secret, as OpenCode's own servers want it. */
const USERNAME = "opencode";

/** The plugin: the one thing that OpenCode takes from this file. OpenCode calls it once for each
 * directory it works in. */
export const Beckon = async (input) => {
  try {
    const door = theDoor();
    door.open(input);
    return hooks(door, input.directory);
  } catch {
    return {};
  }
};

/** Returns the one door of this process. Several instances of the plugin run in one process, but
 * one door leads to all directories. */
function theDoor() {
  return (globalThis[Symbol.for("beckon.door")] ??= new Door());
}

function hooks(door, directory) {
  return {
    event: async ({ event }) => quietly(() => door.hear(directory, event)),
    "tool.execute.before": (call, output) => door.throwAnswer(directory, call, output),
  };
}

/** Runs some work and swallows its errors, which must not reach OpenCode. */
function quietly(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

class Door {
  #client;
  #directory;
  #secret = randomBytes(32).toString("hex");
  #standIn = new StandIn();
  #waits = new Waits();
  /** Whether there is a way to the server itself. */
  #leadsToServer = false;
  #opened = false;
  #registered;
  #registering = false;

  open({ client, directory }) {
    // The newest client surely works: a server may have been opened since the last one.
    this.#client = client;
    this.#leadsToServer = serverOf(client) !== undefined;
    if (this.#opened) return;
    this.#opened = true;
    this.#directory = directory;
    listen((request) => this.answer(request), (given) => admits(this.#secret, given)).then(
      (port) => this.#keepRegistered(port),
      () => {},
    );
  }

  hear(directory, event) {
    this.#waits.hear(event);
    if (!this.#leadsToServer) this.#standIn.hear(directory, event);
  }

  /** Answers a request that came through the door. Without the right secret it says nothing. */
  async answer(request) {
    if (!admits(this.#secret, request.headers.get("authorization"))) {
      return new Response(null, { status: 401, headers: { "www-authenticate": "Basic" } });
    }
    try {
      if (this.#leadsToServer) return await relay(serverOf(this.#client), request);
      return await this.#standIn.answer(this.#client, this.#directory, request);
    } catch {
      return new Response(null, { status: 502 });
    }
  }

  /** Registers the door with each Beckon that starts. Beckon may start later than OpenCode, and
   * start anew at any time; its address file tells. */
  #keepRegistered(port) {
    const look = async () => {
      if (this.#registering) return;
      this.#registering = true;
      await this.#waits.withdrawUnheard();
      await this.#register(port).catch(() => {});
      this.#registering = false;
    };
    look();
    setInterval(look, LOOK_EVERY_MS).unref?.();
  }

  async #register(port) {
    const mark = markOf(endpointFile());
    if (!mark || mark === this.#registered) return;
    const body = {
      name: `${basename(this.#directory ?? "") || "opencode"}-${process.pid}`,
      url: `http://127.0.0.1:${port}`,
      username: USERNAME,
      password: this.#secret,
      directory: this.#directory,
      pid: process.pid,
      kind: this.#leadsToServer ? "door" : "events",
    };
    const response = await callBeckon(
      "POST",
      "/servers",
      body,
      AbortSignal.timeout(ANSWER_WITHIN_MS),
    );
    if (response?.ok) this.#registered = mark;
  }

  /** Handles a question in the mode "throw", which is described at the end of this file. */
  async throwAnswer(directory, call, output) {
    const questions = output?.args?.questions;
    if (call.tool !== "question" || !Array.isArray(questions)) return;
    // Begun here, since the session may be stopped before Beckon is asked.
    const wait = this.#waits.begin(call.sessionID);
    const asked = this.#askBefore(wait, directory, call.sessionID, questions);
    const answers = await asked.catch(() => undefined);
    this.#waits.end(wait);
    if (answers) throw new Error(asOpenCodeSays(questions, answers));
    // Otherwise the tool would open a dialog that nobody waits for.
    if (wait.asks && wait.signal.aborted) throw new Error(STOPPED);
  }

  async #askBefore(wait, directory, sessionID, questions) {
    const seconds = await secondsBeforeDialog();
    if (!seconds) return undefined;
    wait.asks = true;
    const title = await this.#titleOf(directory, sessionID).catch(() => undefined);
    const asking = { questions, directory, title, agent: "OpenCode", timeout: seconds };
    return await this.#waits.askBeckon(wait, asking);
  }

  /** Returns the title of a session, for the card. A title that OpenCode makes up says nothing and
   * is left out. */
  async #titleOf(directory, id) {
    const told = this.#client.session.get({ path: { id }, query: { directory } });
    const { data } = await Promise.race([told, sleep(SETTING_WITHIN_MS).then(() => ({}))]);
    return data?.title?.startsWith("New session - ") ? undefined : data?.title;
  }
}

// --- Beckon's side -----------------------------------------------------------------------------

/** Returns the path of `run/endpoint.json`, which the running Beckon writes for its owner alone. */
function endpointFile() {
  const { BECKON_HOME, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  // A relative path would lead into the agent's directory.
  if (BECKON_HOME && !isAbsolute(BECKON_HOME)) throw new Error("BECKON_HOME is no absolute path");
  if (BECKON_HOME) return join(BECKON_HOME, "run", "endpoint.json");
  const state = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : undefined;
  const usual = {
    win32: () => LOCALAPPDATA ?? join(homedir(), "AppData", "Local"),
    darwin: () => join(homedir(), "Library", "Application Support"),
  };
  const base =
    usual[process.platform]?.() ?? (state ?? join(homedir(), ".local", "state"));
  return join(base, "beckon", "run", "endpoint.json");
}

/** Returns a mark of the address file; `undefined` while there is none. Each Beckon writes the file
 * anew, so that another mark means another Beckon. */
function markOf(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.ino}`;
}

/**
 * Sends a request to the running Beckon. Fails when there is none.
 *
 * What is sent, the secret of the door among it, is for Beckon alone. But a Beckon that was killed
 * leaves its address file behind, and its port is then free for every user of this machine. So the
 * request goes through the socket beside that file, in a directory that only its owner may use.
 * Where there is no socket, as on Windows, the port first has to prove that it knows the token, on
 * the same connection. `fetch` shows no connection, so HTTP is spoken here by hand.
 */
async function callBeckon(method, path, body, signal) {
  const file = endpointFile();
  if (!isPrivate(dirname(file))) throw new Error("others may write to Beckon's directory");
  const { url, token, socket } = JSON.parse(readFileSync(file, "utf8"));
  const line = await dial(socket ? { path: join(dirname(file), "beckon.sock") } : portOf(url), signal);
  try {
    if (!socket) await prove(line, token);
    return await exchange(line, asHttp(method, path, token, body));
  } finally {
    line.destroy();
  }
}

/** Tells whether only the owner may use a directory. Windows closes a user's own folders by
 * itself. */
function isPrivate(directory) {
  if (!process.getuid) return true;
  const { uid, mode } = statSync(directory);
  return uid === process.getuid() && (mode & 0o077) === 0;
}

function portOf(url) {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
}

/** Opens a connection, which ends with the signal. */
function dial(to, signal) {
  return new Promise((made, failed) => {
    const line = connect(to);
    const end = () => line.destroy(new Error("given up"));
    line.once("connect", () => made(line)).once("error", failed);
    line.once("close", () => signal.removeEventListener("abort", end));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

/** Sends some bytes and reads until `isWhole` holds for what came, or until the connection ends. */
function converse(line, said, isWhole) {
  return new Promise((heard, failed) => {
    let all = Buffer.alloc(0);
    const over = (settle) => (given) => {
      line.removeListener("data", more).removeListener("end", end).removeListener("close", gone);
      line.removeListener("error", lost);
      settle(given);
    };
    const more = (bytes) => {
      all = Buffer.concat([all, bytes]);
      if (all.length > LARGEST_BODY) lost(new Error("too much"));
      else if (isWhole(all)) end();
    };
    const end = () => over(heard)(all);
    const lost = over(failed);
    const gone = () => lost(new Error("the connection was lost"));
    line.on("data", more).on("end", end).on("close", gone).on("error", lost);
    line.write(said);
  });
}

/** Returns what follows the head of an answer; `undefined` while the head is not complete. */
function bodyOf(answer) {
  const end = answer.indexOf("\r\n\r\n");
  return end < 0 ? undefined : answer.subarray(end + 4);
}

/** Fails unless the other end of the connection knows the token. */
async function prove(line, token) {
  const nonce = randomBytes(32).toString("hex");
  const asked = `GET /proof?nonce=${nonce} HTTP/1.1\r\nhost: beckon\r\n\r\n`;
  const proven = createHmac("sha256", token)
    .update(`beckon: who answers this knows the token\n${nonce}`)
    .digest("hex");
  const answer = await converse(line, asked, (all) => bodyOf(all)?.length >= proven.length);
  if (!same(String(bodyOf(answer)), proven)) throw new Error("somebody else listens there");
}

/** Writes a request in HTTP/1.0, in which the answer comes in one piece and ends with the
 * connection. */
function asHttp(method, path, token, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.0`,
    "host: beckon",
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

async function exchange(line, request) {
  const answer = await converse(line, request, () => false);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer.subarray(0, 12).toString())?.[1]);
  const body = bodyOf(answer);
  if (!status || !body) throw new Error("no answer");
  return { status, ok: status >= 200 && status < 300, json: async () => JSON.parse(body) };
}

/** Compares two texts. Takes as long for a nearly right secret as for a wrong one. */
function same(given, right) {
  const digest = (text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

function admits(secret, given) {
  return same(given ?? "", basic(secret));
}

function basic(password, username = USERNAME) {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Listens on a free port of 127.0.0.1, and returns the port. Keeps no process alive. */
async function listen(handle, admitted) {
  if (typeof Bun === "undefined") return await listenWithNode(handle, admitted);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    maxRequestBodySize: LARGEST_BODY,
    fetch: handle,
  });
  server.unref();
  return server.port;
}

/** Listens in the same way in Node, in which the desktop app may run OpenCode instead of Bun. */
async function listenWithNode(handle, admitted) {
  const [{ createServer }, { Readable }] = [await import("node:http"), await import("node:stream")];
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    try {
      // Checked before anything is read: any user of this machine can send something here.
      if (!admitted(incoming.headers.authorization)) return refuse(outgoing, 401);
      const read = await bodyWithin(incoming, LARGEST_BODY);
      if (!read) return refuse(outgoing, 413);
      const { method, headers } = incoming;
      const body = ["GET", "HEAD"].includes(method) ? undefined : read;
      const url = `http://127.0.0.1${incoming.url}`;
      const response = await handle(
        new Request(url, { method, headers, body, signal: gone.signal }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.flushHeaders();
      if (!response.body) return outgoing.end();
      Readable.fromWeb(response.body)
        .on("error", () => outgoing.destroy())
        .pipe(outgoing);
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise((listens, fails) => {
    server.once("error", fails).listen(0, "127.0.0.1", listens);
  });
  server.unref();
  return server.address().port;
}

/** Refuses a request and reads no further. */
function refuse(outgoing, status) {
  const login = status === 401 ? { "www-authenticate": "Basic" } : {};
  outgoing.writeHead(status, { ...login, connection: "close" });
  outgoing.end(() => outgoing.req.destroy());
}

/** Reads a whole body; `undefined` when it is larger than `most` bytes. */
async function bodyWithin(incoming, most) {
  if (Number(incoming.headers["content-length"]) > most) return undefined;
  const chunks = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// --- OpenCode's side ---------------------------------------------------------------------------

/** Headers that are not passed on: they belong to the connection with Beckon, or would make the
 * server answer in another encoding. */
const NOT_PASSED_ON = ["authorization", "host", "connection", "content-length", "accept-encoding"];

/** Returns the way to the server of this process: what the client sends its requests with. The
 * field is not documented, and its name has changed before. `undefined` where there is none; see
 * `StandIn`. */
function serverOf(client) {
  return quietly(() => {
    const inner = [client?._client, client?.client].find((inner) => inner?.getConfig);
    const config = inner?.getConfig();
    return typeof config?.fetch === "function" && config.baseUrl ? config : undefined;
  });
}

/** Passes a request on as it is, except for the secret. The answer is streamed as it comes. */
async function relay(server, request) {
  const from = new URL(request.url);
  const headers = new Headers(request.headers);
  NOT_PASSED_ON.forEach((name) => headers.delete(name));
  headers.set("accept-encoding", "identity");
  const login = loginOf(server);
  if (login) headers.set("authorization", login);
  const { method, signal } = request;
  const body = ["GET", "HEAD"].includes(method) ? undefined : await request.arrayBuffer();
  const url = new URL(from.pathname + from.search, server.baseUrl);
  return await server.fetch(new Request(url, { method, headers, body, signal }));
}

/** Returns the login for the server. A server with a password asks for it on this way, too; newer
 * clients carry it already. */
function loginOf(server) {
  const carried = new Headers(server.headers ?? {}).get("authorization");
  const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: username } = process.env;
  return carried ?? (password ? basic(password, username || USERNAME) : undefined);
}

/** A stand-in for the server, used where the client does not show a way to it. It keeps what the
 * events tell, and sends answers with the client's own methods. That is enough for Beckon to show
 * an ask and to answer it; of sessions and projects it knows little. */
class StandIn {
  #open = new Map();
  #status = new Map();
  #streams = new Set();

  hear(directory, event) {
    this.#note(directory, event);
    this.#tell({ directory, payload: event });
  }

  #note(directory, { type, properties }) {
    const [kind, what] = type.split(".");
    if (kind === "question" || kind === "permission") {
      if (what === "asked") this.#open.set(properties.id, { kind, directory, request: properties });
      else this.#open.delete(properties.requestID ?? properties.permissionID);
    } else if (type === "session.status") {
      this.#status.set(properties.sessionID, { directory, status: properties.status });
    } else if (type === "session.idle") {
      this.#status.delete(properties.sessionID);
    } else if (type === "session.deleted") {
      const session = properties.info?.id;
      this.#status.delete(session);
      for (const [id, { request }] of this.#open) {
        if (request.sessionID === session) this.#open.delete(id);
      }
    }
  }

  #tell(frame) {
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`);
    for (const stream of this.#streams) {
      try {
        stream.enqueue(bytes);
      } catch {
        this.#streams.delete(stream);
      }
    }
  }

  async answer(client, home, request) {
    const url = new URL(request.url);
    const directory = directoryOf(request, url) ?? home;
    const [, first, second, third, fourth] = url.pathname.split("/").map(decodeURIComponent);
    if (request.method === "POST") {
      return await this.#reply(client, { kind: first, id: second, verb: third }, request);
    }
    switch (url.pathname) {
      case "/global/health":
        return Response.json({ healthy: true });
      case "/global/event":
        return this.#stream();
      case "/path":
        return Response.json({ directory: home });
      case "/project":
      case "/session":
      case "/experimental/session":
        return Response.json([]);
      case "/session/status":
        return Response.json(this.#statusIn(directory));
      case "/question":
      case "/permission":
        return Response.json(this.#openIn(first, directory));
    }
    if (first !== "session") return new Response(null, { status: 404 });
    const path = { id: second, messageID: fourth };
    const query = { directory };
    const call = third === "message" ? "message" : "get";
    return said(await client.session[call]({ path, query }));
  }

  #stream() {
    const streams = this.#streams;
    let own;
    let pulse;
    const stop = () => {
      clearInterval(pulse);
      streams.delete(own);
    };
    const body = new ReadableStream({
      start: (controller) => {
        own = controller;
        streams.add(own);
        const tell = (type) => {
          const frame = JSON.stringify({ payload: { type, properties: {} } });
          own.enqueue(new TextEncoder().encode(`data: ${frame}\n\n`));
        };
        tell("server.connected");
        pulse = setInterval(() => quietly(() => tell("server.heartbeat")), HEARTBEAT_EVERY_MS);
        pulse.unref?.();
      },
      cancel: stop,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #openIn(kind, directory) {
    const here = [...this.#open.values()].filter(
      (o) => o.kind === kind && o.directory === directory,
    );
    return here.map(({ request }) => request);
  }

  #statusIn(directory) {
    const here = [...this.#status].filter(([, known]) => known.directory === directory);
    return Object.fromEntries(here.map(([session, { status }]) => [session, status]));
  }

  /** Sends an answer. Newer clients have a method for each kind of answer; older ones have another
   * method for permissions. */
  async #reply(client, { kind, id, verb }, request) {
    const open = this.#open.get(id);
    if (open?.kind !== kind) return new Response(null, { status: 404 });
    const body = await request.json().catch(() => ({}));
    const { directory } = open;
    const method = client[kind]?.[verb];
    if (method) {
      const path = { requestID: id };
      const all = { ...body, ...path, directory, path, query: { directory }, body };
      return said(await method.call(client[kind], all));
    }
    const older = client.postSessionIdPermissionsPermissionId;
    if (kind !== "permission" || !older) return new Response(null, { status: 501 });
    const path = { id: open.request.sessionID, permissionID: id };
    return said(
      await older.call(client, { path, query: { directory }, body: { response: body.reply } }),
    );
  }
}

/** Returns the directory that a request is about: the query's, else the header's, which is used for
 * a name that would be decoded twice in a query. */
function directoryOf(request, url) {
  const header = request.headers.get("x-opencode-directory");
  return url.searchParams.get("directory") ?? (header && decodeURIComponent(header));
}

/** Returns the result of a client's method as the server would have answered. */
function said({ data, response }) {
  return Response.json(data ?? null, { status: response?.status ?? 502 });
}

// --- The mode "throw" --------------------------------------------------------------------------
//
// For an OpenCode without the question API, and for people who want no dialog in the terminal: the
// question goes to Beckon before the tool runs, and the answer comes back as the tool's error, in
// the words in which OpenCode itself tells a model what a human answered. The model reads them and
// goes on.
//
// If the session was stopped meanwhile, the tool fails as OpenCode's own dialog does, and no dialog
// appears. When nobody answers in time, when the question is dismissed, and when anything goes
// wrong, the dialog appears as if Beckon had never been there.
//
// The mode is off unless Beckon's setting "questions.before_dialog" or the environment turns it on,
// because nobody else sees a question that waits here.

/** The longest that one request waits, in seconds; then it asks again under the same id. A Beckon
 * that hangs is given up soon after this, and the dialog appears. */
const WAIT_AT_A_TIME_S = 20;
/** OpenCode's own text for a tool whose session was stopped. */
const STOPPED = "Tool execution aborted";

/** Returns how many seconds a question waits in Beckon before its dialog appears; `undefined` if it
 * does not wait. */
async function secondsBeforeDialog() {
  const { BECKON_OPENCODE_THROW: throws, BECKON_OPENCODE_THROW_WAIT: wait } = process.env;
  if (throws !== undefined) return throws === "1" ? Number(wait) || 300 : undefined;
  const soon = AbortSignal.timeout(SETTING_WITHIN_MS);
  const response = await callBeckon("GET", "/integrations/opencode", undefined, soon);
  return response.ok ? (await response.json()).before_dialog : undefined;
}

function sleep(ms) {
  return new Promise((over) => setTimeout(over, ms).unref?.());
}

class Waits {
  /** The waits that are under way. */
  #under = new Set();
  /** Ids of questions that nobody needs any more, which Beckon has not been told yet. */
  #unheard = new Set();

  /** Ends the waits of a session that was aborted or deleted: it needs no answer any more. */
  hear({ type, properties }) {
    if (!["session.idle", "session.error", "session.deleted"].includes(type)) return;
    const over = properties?.sessionID ?? properties?.info?.id;
    this.#under.forEach((wait) => wait.sessionID === over && wait.abort());
  }

  begin(sessionID) {
    const ends = new AbortController();
    const wait = { sessionID, asks: false, signal: ends.signal, abort: () => ends.abort() };
    this.#under.add(wait);
    return wait;
  }

  end(wait) {
    this.#under.delete(wait);
  }

  /** Returns the answers, one list per question; `undefined` when the dialog is to appear. */
  async askBeckon(wait, asking) {
    wait.signal.throwIfAborted();
    const id = `opencode-${randomUUID()}`;
    try {
      return await this.#ended(wait.signal, { id, ...asking });
    } catch (error) {
      // The dialog asks now, if anybody still waits for the answer.
      this.#unheard.add(id);
      this.withdrawUnheard();
      throw error;
    }
  }

  /** Withdraws these questions, and does so again at every look until a Beckon has heard it. */
  async withdrawUnheard() {
    for (const id of this.#unheard) {
      if (await isWithdrawn(id).catch(() => false)) this.#unheard.delete(id);
    }
  }

  async #ended(signal, asking) {
    const until = Date.now() + asking.timeout * 1_000 + ANSWER_WITHIN_MS;
    const path = `/question?wait=${WAIT_AT_A_TIME_S}`;
    while (Date.now() < until) {
      const hung = AbortSignal.timeout(WAIT_AT_A_TIME_S * 1_000 + ANSWER_WITHIN_MS);
      const either = AbortSignal.any([signal, hung]);
      const response = await callBeckon("POST", path, asking, either);
      if (response.status === 202) continue;
      const ended = response.ok ? await response.json() : {};
      return ended.state === "answered" ? ended.answers : undefined;
    }
    throw new Error("Beckon has not said how it ended");
  }
}

/** Tells whether a question is withdrawn. One that is not open (any more) counts as withdrawn. */
async function isWithdrawn(id) {
  const soon = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await callBeckon("DELETE", `/question/${id}`, undefined, soon);
  return response.ok || response.status === 404;
}

/** Returns the answers in OpenCode's own words, which models have learnt to read. */
function asOpenCodeSays(questions, answers) {
  const pair = ({ question }, at) => `"${question}"="${answers[at]?.join(", ") || "Unanswered"}"`;
  const pairs = questions.map(pair).join(", ");
  return `User has answered your questions: ${pairs}. You can now continue with the user's answers in mind.`;
}
