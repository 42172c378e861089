import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import type { ArtifactRef } from "@troupe/stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { saveFiles } from "./files.ts";

const server = createServer((request, response) => response.end(request.url?.slice(1)));
let base = "";
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-out-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function artifact(name: string, content: string): ArtifactRef {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { id: name, name, mediaType: "x/y", bytes: content.length, sha256, url: `${base}/${content}` };
}
const save = async (...artifacts: readonly ArtifactRef[]) => saveAfter([], ...artifacts);
/** Saves files where others were saved in earlier turns. */
const saveAfter = async (earlier: readonly ArtifactRef[], ...artifacts: readonly ArtifactRef[]) => {
  const signal = AbortSignal.timeout(10_000);
  const { saved, problem } = await saveFiles(artifacts, folder, fetch, signal, async () => earlier);
  return [saved.map(({ path }) => basename(path)), problem?.code];
};

describe("saveFiles", () => {
  it("never overwrites a file, and keeps one of the same content", async () => {
    writeFileSync(join(folder, "deck.pptx"), "mine");
    expect(await save(artifact("deck.pptx", "first"))).toEqual([["deck-2.pptx"], undefined]);
    expect(await save(artifact("deck.pptx", "second"))).toEqual([["deck-3.pptx"], undefined]);
    expect(await save(artifact("deck.pptx", "first"))).toEqual([["deck-2.pptx"], undefined]);
    const now = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    expect(now).toEqual([
      ["deck-2.pptx", "first"],
      ["deck-3.pptx", "second"],
      ["deck.pptx", "mine"],
    ]);
  });

  it("replaces an unchanged file of an earlier turn, and no other", async () => {
    const first = artifact("deck.pptx", "first");
    const second = artifact("deck.pptx", "second");
    const content = (name: string): string => readFileSync(join(folder, name), "utf8");
    await save(first);
    expect(await saveAfter([first], second)).toEqual([["deck.pptx"], undefined]);
    expect(content("deck.pptx")).toBe("second");
    writeFileSync(join(folder, "deck.pptx"), "mine");
    expect(await saveAfter([first, second], artifact("deck.pptx", "third"))).toEqual([
      ["deck-2.pptx"],
      undefined,
    ]);
    expect(content("deck.pptx")).toBe("mine");
    writeFileSync(join(folder, "other.pptx"), "first");
    expect((await saveAfter([first], artifact("other.pptx", "fourth")))[0]).toEqual(["other-2.pptx"]);
  });

  it("does not follow a link to a file of an earlier turn", async () => {
    const first = artifact("deck.pptx", "first");
    writeFileSync(join(folder, "mine.pptx"), "first");
    symlinkSync(join(folder, "mine.pptx"), join(folder, "deck.pptx"));
    expect((await saveAfter([first], artifact("deck.pptx", "second")))[0]).toEqual(["deck-2.pptx"]);
  });

  it("tells two files of one run apart, also where a folder has the name", async () => {
    mkdirSync(join(folder, "notes"));
    const saved = await save(artifact("a.md", "one"), artifact("a.md", "two"), artifact("notes", "three"));
    expect(saved).toEqual([["a.md", "a-2.md", "notes-2"], undefined]);
  });

  it("neither follows a link, nor waits for a pipe, nor touches what lies there as a part", async () => {
    const victim = join(folder, "victim.txt");
    writeFileSync(victim, "mine");
    writeFileSync(join(folder, "deck.pptx.part"), "mine too");
    symlinkSync(victim, join(folder, "notes.md.part"));
    symlinkSync(victim, join(folder, "link.md"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    const names = ["deck.pptx", "notes.md", "link.md", "pipe.md"];
    const saved = await save(...names.map((name) => artifact(name, `new ${name}`.replace(" ", "-"))));
    expect(saved).toEqual([["deck.pptx", "notes.md", "link-2.md", "pipe-2.md"], undefined]);
    expect(lstatSync(join(folder, "notes.md")).isFile()).toBe(true);
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "deck.pptx.part"), "utf8")).toBe("mine too");
  });

  it("leaves nothing of a file that is not the announced one", async () => {
    const wrong = { ...artifact("deck.pptx", "first"), url: `${base}/other` };
    expect(await save(wrong)).toEqual([[], "agent.protocol"]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
