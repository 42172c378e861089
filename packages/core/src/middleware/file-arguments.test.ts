import type { Json, JsonObject } from "@troupe/stream";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { ModelRequest } from "../ports/model.ts";
import { memoryArtifactStore } from "../testing/memory-artifact-store.ts";
import { runView } from "../testing/run-view.ts";
import { defineTool } from "../tools/define-tool.ts";
import { fileArguments } from "./file-arguments.ts";

const tool = defineTool({
  name: "send",
  description: "Sends.",
  input: z.strictObject({
    text: z.string().optional(),
    maybe: z.string().nullable().optional(),
    parts: z.array(z.object({ body: z.string() })).optional(),
    count: z.number().optional(),
    own: z.union([z.string(), z.object({ file: z.string() })]).optional(),
    any: z.unknown().optional(),
  }),
  execute: () => Promise.resolve({ text: "" }),
});

let ids = 0;
const storeOf = () => memoryArtifactStore({ newId: () => `file-${++ids}` });
const put = (
  store: ArtifactStore,
  content: string | Uint8Array,
  meta: { owner?: string; mediaType?: string } = {},
) =>
  store.put(typeof content === "string" ? new TextEncoder().encode(content) : content, {
    name: "a.md",
    mediaType: "text/markdown",
    owner: "ann",
    ...meta,
  });

async function fill(store: ArtifactStore, args: JsonObject, maxBytes?: number): Promise<Json> {
  const middleware = fileArguments(store, maxBytes === undefined ? {} : { maxBytes });
  const filled = await middleware.fillArguments?.({ callId: "c", tool, arguments: args }, runView());
  if (filled === undefined) return "left alone";
  return "refuse" in filled ? filled.refuse : filled.arguments;
}

describe("file arguments", () => {
  it("puts a file's text wherever the tool takes text", async () => {
    const store = storeOf();
    const { id } = await put(store, "# Notes é");
    const file = { file: id };
    expect(await fill(store, { text: file, maybe: file, parts: [{ body: "x" }, { body: file }] })).toEqual({
      text: "# Notes é",
      maybe: "# Notes é",
      parts: [{ body: "x" }, { body: "# Notes é" }],
    });
  });

  it("leaves alone what is no such argument, or is one the tool has a meaning of its own for", async () => {
    const store = storeOf();
    const { id } = await put(store, "text");
    for (const args of [
      { text: `{"file":"${id}"}` },
      { text: { file: id, more: 1 } },
      { text: { file: 7 } },
      { count: { file: id } },
      { own: { file: id } },
      { any: { file: id } },
      { unknown: { file: id } },
    ]) {
      expect(await fill(store, args)).toBe("left alone");
    }
  });

  it("counts a file in each place it is named", async () => {
    const store = storeOf();
    const { id } = await put(store, "x".repeat(100));
    const places = (count: number) => ({
      parts: Array.from({ length: count }, () => ({ body: { file: id } })),
    });
    expect(await fill(store, places(9))).toBe("One call may take at most 8 files; this one names 9.");
    expect(await fill(store, places(3), 250)).toMatch(/has 100 bytes; 50 are left/);
    expect(await fill(store, places(2), 250)).toMatchObject({ parts: [{ body: "x".repeat(100) }, {}] });
  });

  it("never reads what it put in for another file", async () => {
    const store = storeOf();
    const secret = await put(store, "secret");
    const trap = await put(store, JSON.stringify({ file: secret.id }));
    expect(await fill(store, { text: { file: trap.id } })).toEqual({ text: `{"file":"${secret.id}"}` });
  });

  it("refuses what is not there and what is somebody else's in the same words", async () => {
    const store = storeOf();
    const { id } = await put(store, "theirs", { owner: "bob" });
    expect(await fill(store, { text: { file: id } })).toBe(`There is no file "${id}" at hand.`);
    expect(await fill(store, { text: { file: "../../etc/passwd" } })).toContain("There is no file");
    expect(await fill(store, { text: { file: "__proto__" } })).toContain("There is no file");
  });

  it.each<[string, string | Uint8Array, string, RegExp]>([
    ["a picture", "x", "image/png", /image\/png; only text/],
    ["bytes that are no UTF-8", new Uint8Array([0xff, 0xfe, 0]), "text/plain", /not text in UTF-8/],
    ["text with zeros", "a\0b", "application/json", /not text in UTF-8/],
    ["a file that is too large", "x".repeat(101), "text/plain", /has 101 bytes; 100 are left/],
  ])("refuses %s", async (_, content, mediaType, why) => {
    const store = storeOf();
    const { id } = await put(store, content, { mediaType });
    expect(await fill(store, { text: { file: id } }, 100)).toMatch(why);
  });

  it("counts all files of a call together, and bytes as they come, not as they are said to be", async () => {
    const store = storeOf();
    const [a, b] = [await put(store, "a".repeat(60)), await put(store, "b".repeat(60))];
    expect(await fill(store, { text: { file: a.id }, maybe: { file: b.id } }, 100)).toMatch(/40 are left/);
    const lying: ArtifactStore = {
      ...store,
      get: async (id, owner) => {
        const found = await store.get(id, owner);
        return found === undefined ? undefined : { ...found, ref: { ...found.ref, bytes: 1 } };
      },
    };
    expect(await fill(lying, { text: { file: a.id } }, 50)).toMatch(/50 are left/);
    const down: ArtifactStore = { ...store, get: () => Promise.reject(new Error("/var/secret: EIO")) };
    expect(await fill(down, { text: { file: a.id } })).toBe(`The file "${a.id}" cannot be read right now.`);
    const many = { parts: Array.from({ length: 9 }, (_, n) => ({ body: { file: `f${n}` } })) };
    expect(await fill(store, many)).toMatch(/at most 8 files; this one names 9/);
  });

  it("tells the model which files there are, and nothing where there are none", async () => {
    const store = storeOf();
    const ref = await put(store, "x");
    const request: ModelRequest = { system: "s", messages: [], tools: [tool.definition] };
    const middleware = fileArguments(store);
    expect(await middleware.beforeModel?.(request, runView())).toBe(request);
    const shown = await middleware.beforeModel?.(request, runView({ files: [ref] }));
    expect(shown?.system).toContain(`- ${ref.id}: "a.md" (text/markdown, 1 bytes)`);
  });
});
