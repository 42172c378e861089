import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { defineTool, silentLog, systemClock, type ToolContext } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import { createMcpPool, type McpServerConfig } from "@troupe/mcp";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { artifactFolder } from "../artifacts/artifact-folder.ts";
import { OWNER_BYTES } from "../artifacts/owner-quota.ts";
import { mcpSettings } from "./mcp-settings.ts";
import { startMcp, type McpDefinition } from "./start-mcp.ts";

const PROGRAM = fileURLToPath(new URL("../testing/sample-main.ts", import.meta.url));
const tools = { log: silentLog };

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-mcp-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const settings = (given: object = {}) => mcpSettings(0).parse({ home, ...given });

/** A server with one tool that says whether it was opened for a trusted caller and hands over a file. */
function sample(): McpDefinition & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    name: "sample",
    version: "1.0.0",
    instructions: "",
    open: ({ trusted, artifacts }) => {
      seen.push("opened");
      const note = defineTool({
        name: "note",
        description: "Keeps a note.",
        input: z.object({}),
        async execute(_input, { userId: owner = "" }) {
          const bytes = new TextEncoder().encode("a note");
          const meta = { name: "note.txt", mediaType: "text/plain", owner };
          return { text: `trusted: ${trusted}`, artifacts: [await artifacts.put(bytes, meta)] };
        },
      });
      return Promise.resolve({
        tools: [note],
        close: () => {
          seen.push("closed");
          return Promise.resolve();
        },
      });
    },
  };
}

async function call(server: McpServerConfig, tool: string, userId?: string) {
  const artifacts = memoryArtifactStore();
  const pool = createMcpPool([server], { clock: systemClock, log: silentLog, artifacts });
  try {
    const listed = await pool.source(server.name).list({ signal: AbortSignal.timeout(60_000) });
    const context: ToolContext = {
      runId: "r",
      callId: "c",
      agent: "a",
      signal: AbortSignal.timeout(60_000),
      shared: { v: 1, results: {} },
      log: silentLog,
      ...(userId === undefined ? {} : { userId }),
    };
    return await listed.find((one) => one.definition.name === tool)?.execute({}, context);
  } finally {
    await pool.close();
  }
}

describe("startMcp", () => {
  it("serves its tools and their files over HTTP, to callers it does not trust", async () => {
    const definition = sample();
    const running = await startMcp(definition, settings(), tools);
    const output = await call({ name: "sample", url: running.url }, "note");
    expect(output).toMatchObject({
      text: expect.stringContaining("trusted: false"),
      artifacts: [{ name: "note.txt", bytes: 6 }],
    });
    expect(running.ended).toBeUndefined();
    await running.close();
    expect(definition.seen).toEqual(["opened", "closed"]);
    await expect(call({ name: "sample", url: running.url }, "note")).rejects.toThrow("sample");
  });

  it("closes what it opened when its port is taken", async () => {
    const first = await startMcp(sample(), settings(), tools);
    const second = sample();
    const port = Number(new URL(first.url).port);
    await expect(startMcp(second, settings({ port }), tools)).rejects.toThrow(`Port ${port}`);
    expect(second.seen).toEqual(["opened", "closed"]);
    await first.close();
  });

  it("opens nothing for an address that others can reach", async () => {
    const definition = sample();
    await expect(startMcp(definition, settings({ host: "0.0.0.0" }), tools)).rejects.toThrow(
      'host "0.0.0.0" can be reached from other machines',
    );
    expect(definition.seen).toEqual([]);
  });

  it("keeps no more for a person than they may have where people are told apart", async () => {
    const folder = artifactFolder(join(home, "artifacts"));
    const file = { name: "all", mediaType: "text/plain", sha256: "0".repeat(64), storedAt: 0 };
    const entry = { ...file, id: "0".repeat(32), owner: "eva", bytes: OWNER_BYTES };
    await folder.writeEntry(entry, folder.part("all"));
    const token = "a-secret-of-thirty-three-letters";
    const running = await startMcp(sample(), settings({ auth: "on", mcp_token: token }), tools);
    const server = { name: "sample", url: running.url, headers: { Authorization: `Bearer ${token}` } };
    expect(await call(server, "note", "eva")).toMatchObject({
      isError: true,
      text: expect.stringContaining("Delete some first"),
    });
    expect(await call(server, "note", "ole")).toMatchObject({ artifacts: [{ name: "note.txt" }] });
    await running.close();
  });

  it("trusts a parent over stdio, and ends with it", async () => {
    const args = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning", PROGRAM];
    const server = {
      name: "sample-mcp",
      command: process.execPath,
      args: [...args, "--does", "mcp", "--stdio", "--home", home],
      env: {},
    };
    expect(await call(server, "trusts")).toMatchObject({ text: "true" });
  });
});
