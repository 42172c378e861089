import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";

import { silentLog } from "@troupe/core";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it, onTestFinished } from "vitest";

import { createMcpServer } from "../server/create-mcp-server.ts";
import { serveStdio } from "./serve-stdio.ts";

const program = fileURLToPath(new URL("../testing/stdio-sample-server.ts", import.meta.url));
const args = ["--conditions=troupe-source", program];

it("serves the SDK's client over stdio, with stray output kept off the protocol", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" });
  const stderr: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk.toString()));
  await client.connect(transport);
  onTestFinished(() => client.close());
  const result = await client.callTool({ name: "echo", arguments: { text: "hi", times: 2 } });
  expect(result.content).toEqual([{ type: "text", text: "hi hi" }]);
  const saved = await client.callTool({ name: "save", arguments: { name: "n.txt", content: "bytes" } });
  const link = (saved.content as { uri?: string }[])[1];
  const read = await client.readResource({ uri: link?.uri ?? "" });
  expect(read.contents[0]).toMatchObject({ blob: Buffer.from("bytes").toString("base64") });
  expect(stderr.join("")).toContain("a stray line");
});

it("ends when the client closes stdin", async () => {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
});

it("speaks on the streams it is given, one message a line, until they break", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = createMcpServer({ name: "x", version: "1", tools: [], log: silentLog, newId: () => "id" });
  const over = serveStdio(server, { streams: { input, output } });
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  const [line] = (await once(output, "data")) as [Buffer];
  expect(JSON.parse(line.toString())).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  output.destroy(new Error("EPIPE"));
  await over;
});
