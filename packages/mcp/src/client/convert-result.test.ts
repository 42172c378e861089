import { silentLog, StoreError, type ArtifactStore } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toCallResult } from "../server/to-result.ts";
import { convertResult, type ConvertOptions } from "./convert-result.ts";
import { callResultSchema } from "./wire-schemas.ts";

const citation = {
  id: "c1",
  document: "Water",
  source: "water.md",
  collection: "docs",
  chunkId: "w1",
  quote: "wet",
  start: 0,
  end: 3,
};

function convert(result: unknown, options: Partial<ConvertOptions> = {}) {
  const dropped: unknown[] = [];
  const log = {
    ...silentLog,
    warn: (message: string, fields: unknown) => void dropped.push([message, fields]),
  };
  const converted = convertResult(callResultSchema.parse(result), {
    owner: "",
    maxTextBytes: 100_000,
    signal: new AbortController().signal,
    log,
    ...options,
  });
  return { converted, dropped };
}

const link = (name: string, uri = "troupe-artifact://x/y") => ({ type: "resource_link", uri, name });

describe("a result of a stranger", () => {
  it("joins its texts and keeps its error flag", async () => {
    const { converted } = convert({
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      isError: true,
    });
    expect(await converted).toEqual({ text: "a\nb", isError: true });
  });

  it("keeps what is valid of the structured content and logs the rest", async () => {
    const { converted, dropped } = convert({
      content: [{ type: "text", text: "x" }],
      structuredContent: {
        citations: [citation, { ...citation, quote: 7 }, "x"],
        charts: "none",
        summary: "a\nb",
        data: [1],
      },
    });
    expect(await converted).toEqual({ text: "x", citations: [citation], summary: "a b", data: [1] });
    expect(JSON.stringify(dropped)).toContain("citations[1]: quote is not valid");
    expect(JSON.stringify(dropped)).toContain("charts: not a list");
  });

  it("takes structured content of another shape as data, and shows it when there is no text", async () => {
    const { converted } = convert({ content: [], structuredContent: { temperature: 21, citations: [] } });
    expect(await converted).toEqual({
      text: '{"temperature":21,"citations":[]}',
      data: { temperature: 21, citations: [] },
    });
  });

  it.each([
    ["a list", [1, 2], { data: [1, 2] }],
    ["a text", "x", {}],
    ["data beyond all measure", { data: "x".repeat(1_000_001) }, {}],
    ["a summary that is none", { summary: 7 }, {}],
    ["a long summary", { summary: "x".repeat(400) }, { summary: `${"x".repeat(299)}…` }],
  ])("copes with structured content that is %s", async (_what, structuredContent, expected) => {
    const { converted } = convert({ content: [{ type: "text", text: "t" }], structuredContent });
    expect(await converted).toEqual({ text: "t", ...expected });
  });

  it("leaves out content it does not know and says so in the log", async () => {
    const { converted, dropped } = convert({
      content: [{ type: "hologram" }, 7, { type: "text", text: "x" }],
    });
    expect(await converted).toEqual({ text: "x" });
    expect(dropped).toHaveLength(2);
  });

  it("takes only so many items", async () => {
    const { converted } = convert({
      content: Array.from({ length: 1_002 }, () => ({ type: "text", text: "" })),
    });
    expect((await converted).text.trim()).toBe("[2 more items were left out]");
  });

  it("stores images, sounds and blobs, and tells the model their names", async () => {
    const artifacts = memoryArtifactStore();
    const data = Buffer.from("bytes").toString("base64");
    const { converted } = convert(
      {
        content: [
          { type: "image", data, mimeType: "image/png" },
          { type: "audio", data, mimeType: "audio/wav" },
          { type: "resource", resource: { uri: "x:1", blob: data, mimeType: "application/pdf" } },
          { type: "resource", resource: { uri: "x:2", text: "plain" } },
        ],
      },
      { artifacts },
    );
    const output = await converted;
    expect(output.text).toBe("[image: image-1.png]\n[audio: audio-2.wav]\n[file: file-3.pdf]\nplain");
    expect(output.artifacts).toMatchObject([
      { name: "image-1.png", mediaType: "image/png", bytes: 5 },
      { name: "audio-2.wav" },
      { name: "file-3.pdf", mediaType: "application/pdf" },
    ]);
  });

  it("shows images to the model, and those for the model alone are no files of the answer", async () => {
    const data = Buffer.from("bytes").toString("base64");
    const of = (annotations?: object, name?: unknown) => ({
      type: "image",
      data,
      mimeType: "image/png",
      ...(annotations && { annotations }),
      _meta: { "troupe/name": name },
    });
    const content = [
      of(),
      of({ audience: ["assistant"] }, "../slide-2.png"),
      of({ audience: ["user", "assistant"] }, 7),
      of({ audience: "assistant" }),
    ];
    const artifacts = memoryArtifactStore();
    const output = await convert({ content }, { artifacts, owner: "ann" }).converted;
    const names = (files: typeof output.images) => files?.map(({ name }) => name);
    expect(names(output.images)).toEqual(["image-1.png", "slide-2.png", "image-3.png", "image-4.png"]);
    expect(names(output.artifacts)).toEqual(["image-1.png", "image-3.png", "image-4.png"]);
    expect(output.text).toContain("[image: slide-2.png]");
    expect(JSON.stringify(output)).not.toContain(data);
    const [first] = output.images ?? [];
    expect(await artifacts.get(first?.id ?? "", "ann")).toBeDefined();
    expect(await artifacts.get(first?.id ?? "", "bob")).toBeUndefined();
    const failed = await convert({ content, isError: true }, { artifacts }).converted;
    expect(failed.images).toBeUndefined();
  });

  it("keeps a file with the chart it shows, and any other by itself", async () => {
    const chart = { v: 1, id: "c1", kind: "number", title: "N", rows: [] };
    const rest = {
      series: [{ field: "y1", label: "N", type: "number" }],
      provenance: { resultId: "r", query: "q", source: "s" },
    };
    const of = (id: string, name: string) => ({ ...link(name), _meta: { "troupe/chart": id } });
    const { converted } = convert(
      {
        content: [of("c1", "a.svg"), of("c2", "b.svg"), link("c.txt")],
        structuredContent: { charts: [{ ...chart, ...rest }] },
      },
      { artifacts: memoryArtifactStore(), read: async (uri) => ({ text: uri }) },
    );
    const { charts, chartFiles, artifacts } = await converted;
    expect(charts).toHaveLength(1);
    expect(chartFiles).toMatchObject([{ chartId: "c1", artifact: { name: "a.svg" } }]);
    expect(artifacts?.map(({ name }) => name)).toEqual(["b.svg", "c.txt"]);
  });

  it("gives linked files harmless names", async () => {
    const { converted } = convert(
      { content: [link("../../.ssh/authorized_keys"), { type: "resource_link", uri: "x://h/a.txt" }] },
      { artifacts: memoryArtifactStore(), read: async () => ({ text: "x" }) },
    );
    const output = await converted;
    expect(output.artifacts?.map((ref) => ref.name)).toEqual(["authorized_keys", "a.txt"]);
    expect(output.text).toBe("[file: a.txt]");
  });

  it("shows a link as a link when the server has no resources", async () => {
    const { converted } = convert({ content: [link("a", "https://example.org/a")] });
    expect(await converted).toEqual({ text: "[link: https://example.org/a]" });
  });

  it.each([
    ["cannot be read", {}, "it could not be read"],
    ["cannot be stored", { content: "x" }, "The disk is full."],
  ])("goes on without a file that %s", async (_what, resource, why) => {
    const full: ArtifactStore = {
      ...memoryArtifactStore(),
      put: () => Promise.reject(new StoreError("store.full", "The disk is full.")),
    };
    const { converted } = convert(
      { content: [{ type: "text", text: "done" }, link("a.txt")] },
      {
        artifacts: full,
        read: () =>
          "content" in resource ? Promise.resolve({ text: "x" }) : Promise.reject(new Error("reset")),
      },
    );
    expect((await converted).text).toBe(`done\n[file "a.txt" was left out: ${why}]`);
  });

  it("says that it has nowhere to put files, and takes only so many", async () => {
    const content = [link("a.txt")];
    const nowhere = convert({ content }, { read: async () => ({ text: "x" }) });
    expect((await nowhere.converted).text).toContain("nowhere to put files");
    const many = convert(
      { content: Array.from({ length: 33 }, (_, i) => link(`${i}.txt`)) },
      { artifacts: memoryArtifactStore(), read: async () => ({ text: "x" }) },
    );
    const output = await many.converted;
    expect([output.artifacts?.length, output.text]).toEqual([
      32,
      '[file "32.txt" was left out: at most 32 are taken from one call]',
    ]);
  });

  it("gives up with the caller", async () => {
    const caller = new AbortController();
    const { converted } = convert(
      { content: [link("a.txt")] },
      {
        artifacts: memoryArtifactStore(),
        signal: caller.signal,
        read: () => {
          caller.abort(new Error("enough"));
          return Promise.reject(new Error("reset"));
        },
      },
    );
    await expect(converted).rejects.toThrow("enough");
  });

  it("leaves out data that is nested too deep to be sent on", async () => {
    const structuredContent: unknown = { data: JSON.parse("[".repeat(9_000) + "]".repeat(9_000)) };
    const output = await convert({ content: [{ type: "text", text: "hi" }], structuredContent }).converted;
    expect(output).toEqual({ text: "hi" });
  });

  it("never throws, whatever stands in it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.jsonValue(), async (content, structuredContent) => {
        const output = await convert({ content, structuredContent }).converted;
        expect(typeof output.text).toBe("string");
      }),
      { numRuns: 200 },
    );
  });
});

it("undoes what our server does", async () => {
  const output = { text: "Water [c1]", given: "", citations: [citation], data: { a: 1 }, summary: "one" };
  expect(await convert(toCallResult(output, true)).converted).toEqual(output);
});

it("takes the empty structured content of a tool with an output schema as no data", async () => {
  expect(await convert(toCallResult({ text: "done" }, true)).converted).toEqual({ text: "done" });
  expect(toCallResult({ text: "failed", isError: true }, true)).not.toHaveProperty("structuredContent");
});
