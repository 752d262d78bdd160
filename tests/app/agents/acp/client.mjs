// An editor made of the official SDK of ACP. It starts the agent it is given, opens a session and
// prompts it once. What it sees it prints, one line of JSON each; what its human does it reads, one
// word a line: the kind of an option, or "cancel" for the whole turn.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [cwd, prompt, command, ...args] = process.argv.slice(2);
const tell = (event, about = {}) => console.log(JSON.stringify({ event, ...about }));
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], cwd });
agent.on("exit", (code, signal) => tell("exit", { code, signal }));

const { methods } = acp;
let press = () => {};
let interrupt = () => {};
createInterface({ input: process.stdin }).on("line", (word) => {
  if (word === "cancel") interrupt();
  else press(word);
});

function permission({ params, signal }) {
  tell("asked", { title: params.toolCall.title, kinds: params.options.map((it) => it.kind) });
  return new Promise((resolve, reject) => {
    press = (kind) => {
      const { optionId } = params.options.find((it) => it.kind === kind);
      resolve({ outcome: { outcome: "selected", optionId } });
    };
    const cancelTurn = interrupt;
    interrupt = () => {
      cancelTurn();
      resolve({ outcome: { outcome: "cancelled" } });
    };
    signal.addEventListener("abort", () => {
      tell("withdrawn");
      reject(signal.reason);
    });
  });
}

function update({ params: { update } }) {
  if (update.sessionUpdate.startsWith("tool_call")) tell("tool", { status: update.status });
}

const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
const editor = acp
  .client({ name: "test-editor" })
  .onRequest(methods.client.session.requestPermission, permission)
  .onNotification(methods.client.session.update, update);
await editor.connectWith(stream, async (context) => {
  const fs = { readTextFile: false, writeTextFile: false };
  const clientCapabilities = { fs, terminal: false };
  await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
  const { sessionId } = await context.request(methods.agent.session.new, { cwd, mcpServers: [] });
  interrupt = () => context.notify(methods.agent.session.cancel, { sessionId });
  const text = [{ type: "text", text: prompt }];
  const done = await context.request(methods.agent.session.prompt, { sessionId, prompt: text });
  tell("done", { reason: done.stopReason });
});
agent.stdin.end();
