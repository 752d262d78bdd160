// The official client of MCP: starts the program it is given, asks its human one question, and
// prints what it saw as one line of JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const { tools } = await client.listTools();
let progress = 0;
const called = await client.callTool(
  {
    name: "ask_user",
    arguments: { question: "Deploy now?", choices: [{ label: "是" }, { label: "No" }] },
  },
  undefined,
  { onprogress: () => (progress += 1), resetTimeoutOnProgress: true },
);
const names = tools.map((tool) => tool.name).sort();
console.log(JSON.stringify({ names, progress, told: called.structuredContent }));
await client.close();
