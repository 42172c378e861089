import { Console } from "node:console";
import process from "node:process";
import { Writable, type Readable } from "node:stream";

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

import type { McpServer } from "../server/create-mcp-server.ts";
import { onClose } from "./sdk-hooks.ts";

export interface StdioOptions {
  /** Default: the process's own, with stdout kept for the protocol. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
}

/**
 * Speaks MCP on stdin and stdout until the client closes stdin or stops reading. Resolves then;
 * `main.ts` closes what it opened and exits. From the call on, whatever else in this process
 * prints to stdout goes to stderr, because one stray line would break the protocol.
 */
export async function serveStdio(server: McpServer, options: StdioOptions = {}): Promise<void> {
  const { input, output } = options.streams ?? { input: process.stdin, output: reserveStdout() };
  const transport = new StdioServerTransport(input, output);
  const over = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    // A parent that died leaves a broken pipe; there is nobody to report it to.
    output.on("error", () => resolve());
    onClose(transport, resolve);
  });
  await server.connect(transport);
  await over;
  await server.close();
}

function reserveStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  globalThis.console = new Console(process.stderr, process.stderr);
  const reserved = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, (error) => done(error));
    },
  });
  process.stdout.on("error", (error) => reserved.destroy(error));
  return reserved;
}
