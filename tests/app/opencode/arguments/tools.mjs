// A server of tools as OpenCode starts it: JSON-RPC, a line each (modelcontextprotocol.io, 2025-06-18). Its
// one tool does nothing.
import { createInterface } from "node:readline";

const TOOL = {
  name: "drop",
  description: "Drops a table",
  inputSchema: { type: "object", properties: { table: { type: "string" }, cascade: { type: "boolean" } } },
};

function result({ method, params }) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "tables", version: "1" },
      };
    case "tools/list":
      return { tools: [TOOL] };
    case "tools/call":
      return { content: [{ type: "text", text: `dropped ${JSON.stringify(params.arguments)}` }] };
    default:
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.id === undefined) continue;
  const answer = { jsonrpc: "2.0", id: request.id, result: result(request) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
