import { defineTool, ToolError, type ArtifactStore, type Tool, type ToolContext } from "@troupe/core";
import { z } from "zod";

/** What the sample tools saw, so that a test can wait for it instead of sleeping. */
export interface Seen {
  readonly contexts: ToolContext[];
  /** Resolves when `wait` has been entered. */
  readonly entered: Promise<void>;
  /** Resolves when the signal of `wait` aborted. */
  readonly aborted: Promise<void>;
}

/** Tools that do every kind of thing: answer, cite, hand over a file, fail, throw, wait. */
export function sampleTools(
  artifacts?: ArtifactStore,
  onDie: () => void = () => undefined,
): {
  readonly tools: readonly Tool[];
  readonly seen: Seen;
} {
  const contexts: ToolContext[] = [];
  const entered = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const seen: Seen = { contexts, entered: entered.promise, aborted: aborted.promise };

  const echo = defineTool({
    name: "echo",
    description: "Says the text again.",
    input: z.object({ text: z.string(), times: z.number().int().positive().optional() }),
    idempotent: true,
    execute: async ({ text, times = 1 }, context) => {
      contexts.push(context);
      return { text: Array.from({ length: times }, () => text).join(" ") };
    },
  });
  const cite = defineTool({
    name: "cite",
    description: "Quotes a document.",
    annotations: { title: "Quote", readOnly: false, destructive: false, openWorld: true },
    output: { citations: true, charts: true, data: z.object({ rows: z.number() }) },
    input: z.object({ chart: z.string().meta({ "x-troupe-ref": "chart" }).optional() }),
    execute: async () => ({
      text: "Water is wet [c1].",
      summary: "one passage",
      citations: [
        {
          id: "c1",
          document: "Water",
          source: "water.md",
          collection: "docs",
          chunkId: "w1",
          quote: "Water is wet",
          start: 0,
          end: 12,
        },
      ],
      charts: [
        {
          v: 1 as const,
          id: "k1",
          kind: "column" as const,
          title: "Sales",
          x: { field: "year", label: "Year", type: "category" as const },
          series: [{ field: "eur", label: "Sales", type: "number" as const, unit: "EUR" }],
          rows: [{ year: "2025", eur: 12.5 }],
          provenance: { resultId: "r1", query: "select 1", source: "sales.csv" },
        },
      ],
      data: { rows: 1 },
    }),
  });
  const save = defineTool({
    name: "save",
    description: "Makes a file.",
    annotations: { title: "Save", readOnly: false, destructive: false, openWorld: false },
    output: {},
    input: z.object({ name: z.string(), content: z.string() }),
    execute: async ({ name, content }, { userId: owner = "" }) => {
      const ref = await artifacts?.put(Buffer.from(content), { name, mediaType: "text/plain", owner });
      return { text: `saved ${name}`, ...(ref && { artifacts: [ref] }) };
    },
  });
  const draw = defineTool({
    name: "draw",
    description: "Shows a picture to the model.",
    input: z.object({ name: z.string(), content: z.string().meta({ description: "base64" }) }),
    execute: async ({ name, content }, { userId: owner = "" }) => {
      const bytes = Buffer.from(content, "base64");
      const ref = await artifacts?.put(bytes, { name, mediaType: "image/png", owner });
      return { text: `drew ${name}`, ...(ref && { images: [ref] }) };
    },
  });
  const refuse = defineTool({
    name: "refuse",
    description: "Fails in words a model can use.",
    input: z.object({}),
    execute: () =>
      Promise.reject(
        new ToolError("tool.failed", 'No presentation "p9". Call powerpoint_create_presentation first.'),
      ),
  });
  const boom = defineTool({
    name: "boom",
    description: "Throws what nobody may see.",
    input: z.object({}),
    execute: () => Promise.reject(new Error("ENOENT: /srv/secret/password.txt")),
  });
  const wait = defineTool({
    name: "wait",
    description: "Works until it is told to stop.",
    input: z.object({}),
    execute: (_input, context) =>
      new Promise((_resolve, reject) => {
        contexts.push(context);
        context.signal.addEventListener("abort", () => {
          aborted.resolve();
          reject(context.signal.reason as Error);
        });
        entered.resolve();
      }),
  });
  const die = defineTool({
    name: "die",
    description: "Ends the process it runs in.",
    input: z.object({}),
    execute: () => {
      onDie();
      return new Promise(() => undefined);
    },
  });
  return { tools: [echo, cite, save, draw, refuse, boom, wait, die], seen };
}
