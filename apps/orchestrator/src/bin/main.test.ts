import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import { afterEach, describe, expect, it } from "vitest";

import { cleanUp, temporaryFolder } from "../testing/troupe.ts";

afterEach(cleanUp);

const node = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

function troupe(args: readonly string[], stdout: "pipe" | number = "pipe", cwd = temporaryFolder()) {
  return spawn(process.execPath, [...node, join(import.meta.dirname, "troupe.ts"), ...args], {
    cwd,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
    stdio: ["ignore", stdout, "pipe"],
  });
}

const written = (stream: Readable | null): Promise<string> => text(stream ?? Readable.from([]));

describe("a reader that has gone away", { timeout: 60_000 }, () => {
  it.each([["--help"], ["runs"], ["doctor"]])("ends %s quietly", async (command) => {
    const child = troupe([command]);
    child.stdout?.destroy();
    const [said, [code]] = await Promise.all([written(child.stderr), once(child, "exit")]);
    expect(said).not.toMatch(/EPIPE|Error|\n\s+at /);
    expect(code).toBe(0);
  });

  it("of progress and problems changes nothing about the end", async () => {
    const child = troupe(["rnu"]);
    child.stderr?.destroy();
    const [said, [code]] = await Promise.all([written(child.stdout), once(child, "exit")]);
    expect([said, code]).toEqual(["", 2]);
  });
});

it("names the home of a parent folder, and the home it makes", { timeout: 60_000 }, async () => {
  const parent = realpathSync(temporaryFolder());
  const folder = join(parent, "sub", "folder");
  mkdirSync(join(parent, ".troupe"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "sales.csv"), "shop,eur\nOslo,1\n");
  const ingest = async (): Promise<string> => {
    const child = troupe(["ingest", "sales.csv", "--collection", "shop"], "pipe", folder);
    const [said] = await Promise.all([written(child.stderr), once(child, "exit")]);
    return said;
  };
  expect(await ingest()).toMatch(
    `There is no home in this folder, but there is one at ${join(parent, ".troupe")}. ` +
      `To use that one: TROUPE_HOME=${join(parent, ".troupe")}\n` +
      `New home folder: ${join(folder, ".troupe")}\n`,
  );
  expect(await ingest()).not.toMatch(/home/);
});

it.runIf(process.platform === "linux")(
  "says that a disk is full behind what it says",
  { timeout: 60_000 },
  async () => {
    const child = troupe(["--help"], openSync("/dev/full", "w"));
    const [said, [code]] = await Promise.all([written(child.stderr), once(child, "exit")]);
    expect(said).toBe("troupe: what it says cannot be written (ENOSPC).\n");
    expect(code).toBe(1);
  },
);

it(
  "says what went wrong without what another agent would have a terminal do",
  { timeout: 60_000 },
  async () => {
    const name = "\u001b]0;owned\u0007finder";
    const supportedInterfaces = [
      { url: "http://127.0.0.1:1", protocolBinding: "GRPC", protocolVersion: "1.0" },
    ];
    const server = createServer((_, response) => response.end(JSON.stringify({ name, supportedInterfaces })));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const child = troupe(["trace", `http://127.0.0.1:${port}`, "hi"]);
    const [said, [code]] = await Promise.all([written(child.stderr), once(child, "exit")]);
    server.close();
    expect(said).toMatch(/^troupe: Agent "\]0;ownedfinder" offers GRPC 1\.0,.*\n$/);
    expect(code).not.toBe(0);
  },
);
