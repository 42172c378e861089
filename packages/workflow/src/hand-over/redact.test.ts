import { inspect } from "node:util";

import type { Delegation, SendRequest, StepResult } from "@troupe/core";
import { NO_USAGE, type ChartSpec } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { redacted, type RedactAt } from "./redact.ts";

const SECRET = "jane@norrvik.example";
const hide = (text: string): string => text.replaceAll(SECRET, "[e-mail]");

const chart: ChartSpec = {
  v: 1,
  id: "chart-1",
  kind: "bar",
  title: `Calls of ${SECRET}`,
  x: { field: SECRET, label: SECRET, type: "category" },
  series: [{ field: `n ${SECRET}`, label: "N", type: "number", unit: SECRET }],
  rows: [{ [SECRET]: SECRET, [`n ${SECRET}`]: 4 }],
  provenance: { resultId: "r-1", query: `SELECT '${SECRET}'`, source: `${SECRET}.csv` },
};

const result: StepResult = {
  stepId: "find",
  agent: "rag-agent",
  outcome: "partial",
  answer: `Ask ${SECRET} [1].`,
  checks: [{ sentence: `Ask ${SECRET} [1].`, status: "finding", finding: { kind: "name", detail: SECRET } }],
  data: {
    charts: [chart],
    tables: [{ id: "result-1", columns: [SECRET], rows: [[SECRET, 4]], query: SECRET }],
    [`of ${SECRET}`]: { id: SECRET, list: [SECRET, { url: SECRET }] },
  },
  citations: [
    {
      id: "1",
      document: SECRET,
      source: SECRET,
      section: SECRET,
      collection: "c",
      chunkId: "k-1",
      quote: SECRET,
      start: 0,
      end: 1,
    },
  ],
  artifacts: [
    {
      id: "f-1",
      name: `${SECRET}.pptx`,
      mediaType: "x/y",
      bytes: 1,
      sha256: "0".repeat(64),
      url: "http://x/f-1",
    },
  ],
  usage: NO_USAGE,
  error: { code: "agent.failed", message: `no ${SECRET}` },
  provenance: { taskId: "t-1", attempt: 1, startedAt: 1, endedAt: 2 },
};

const delegation: Delegation = {
  v: 1,
  objective: `Write to ${SECRET}`,
  instruction: `Write to ${SECRET}.`,
  expectedOutput: `A mail to ${SECRET}`,
  allowedTools: ["send"],
  limits: { timeoutMs: 5 },
  results: { find: result },
  images: [
    {
      id: "i-1",
      name: `${SECRET}.png`,
      mediaType: "image/png",
      bytes: 1,
      sha256: "0".repeat(64),
      url: "http://x/i-1",
    },
  ],
  earlier: {
    v: 1,
    turns: [{ turn: 1, runId: "r-0", asked: `Find ${SECRET}`, outcome: "completed" }],
    results: { "turn1.find": { ...result, stepId: "turn1.find" } },
  },
};
const request: SendRequest = { messageId: "r/write#1", stepId: "write", delegation };

describe("redacted", () => {
  it("leaves no text of a request as it was, and every id and number", () => {
    const values = { mail: SECRET, more: [SECRET], n: 4 };
    const sent = redacted({ ...request, reply: { requestId: "q-1", values } }, "mailer", hide);
    expect(JSON.stringify(sent)).not.toContain("jane");
    expect(sent.delegation.results["find"]).toMatchObject({
      stepId: "find",
      outcome: "partial",
      answer: "Ask [e-mail] [1].",
      citations: [{ id: "1", chunkId: "k-1", collection: "c", quote: "[e-mail]" }],
      artifacts: [{ id: "f-1", name: "[e-mail].pptx", url: "http://x/f-1", sha256: "0".repeat(64) }],
      error: { code: "agent.failed" },
      provenance: result.provenance,
    });
    expect(sent.delegation.images).toMatchObject([{ id: "i-1", name: "[e-mail].png", url: "http://x/i-1" }]);
    const [shown] = sent.delegation.results["find"]?.data?.charts ?? [];
    expect(sent.delegation.results["find"]).toMatchObject({
      checks: [{ sentence: "Ask [e-mail] [1].", status: "finding", finding: { kind: "name" } }],
      data: { tables: [{ id: "result-1", columns: ["[e-mail]"], rows: [["[e-mail]", 4]] }] },
    });
    // A chart still finds its columns.
    expect(Object.keys(shown?.rows[0] ?? {})).toEqual([shown?.x?.field, shown?.series[0]?.field]);
    expect(shown).toMatchObject({ id: "chart-1", kind: "bar", provenance: { resultId: "r-1" } });
    expect(sent.reply).toEqual({ requestId: "q-1", values: { mail: "[e-mail]", more: ["[e-mail]"], n: 4 } });
    expect(sent.delegation).toMatchObject({ allowedTools: ["send"], limits: { timeoutMs: 5 } });
    const decisions = [
      { callId: "c-1", type: "edit" as const, arguments: { to: SECRET, id: SECRET } },
      { callId: "c-2", type: "reject" as const, reason: `not to ${SECRET}` },
    ];
    const decided = redacted({ ...request, reply: { requestId: "q-2", decisions } }, "mailer", hide);
    expect(JSON.stringify(decided)).not.toContain("jane");
    expect(decided.reply).toMatchObject({ decisions: [{ callId: "c-1", type: "edit" }, { type: "reject" }] });
  });

  it("hides a file's name in its address too, by which the file is found all the same", () => {
    const sent = (url: string) => {
      const artifacts = result.artifacts.map((file) => ({ ...file, name: `of ${SECRET}.pptx`, url }));
      const asked = { ...delegation, results: { find: { ...result, artifacts } } };
      return redacted({ ...request, delegation: asked }, "mailer", hide).delegation.results["find"]
        ?.artifacts[0]?.url;
    };
    const named = encodeURIComponent(`of ${SECRET}.pptx`);
    expect(sent(`http://x/artifacts/f-1/${named}?exp=1&sig=a`)).toBe(
      "http://x/artifacts/f-1/of%20%5Be-mail%5D.pptx?exp=1&sig=a",
    );
    expect(sent("http://x/artifacts/f-1")).toBe("http://x/artifacts/f-1");
    for (const address of [`http://x/${named}/raw`, `http://x/get?file=${named.replaceAll("%20", "+")}`])
      expect(sent(address)).toBe("http://x");
  });

  it("hides what a schema says in words, and nothing that an answer has to be", () => {
    const schema = {
      title: SECRET,
      type: "object",
      required: ["title"],
      properties: {
        title: { type: "string", description: `as ${SECRET}`, examples: [SECRET], enum: [SECRET, "b"] },
        list: { type: "array", items: { anyOf: [{ const: SECRET, description: SECRET }] } },
      },
    };
    const { outputSchema } = redacted(
      { ...request, delegation: { ...delegation, outputSchema: schema } },
      "mailer",
      hide,
    ).delegation;
    expect(outputSchema).toEqual({
      title: "[e-mail]",
      type: "object",
      required: ["title"],
      properties: {
        title: { type: "string", description: "as [e-mail]", examples: ["[e-mail]"], enum: [SECRET, "b"] },
        list: { type: "array", items: { anyOf: [{ const: SECRET, description: "[e-mail]" }] } },
      },
    });
  });

  it("is told where each text comes from and who gets it", () => {
    const seen = new Set<string>();
    redacted(
      { ...request, reply: { requestId: "q", values: { a: "b" } } },
      "mailer",
      (text, { from, to }) => {
        seen.add(`${from} to ${to.step} (${to.agent})`);
        return text;
      },
    );
    expect([...seen].toSorted()).toEqual(
      ["find", "person", "task", "turn1.find"].map((from) => `${from} to write (mailer)`),
    );
  });

  it("changes nothing where nothing is to be hidden, and is the same each time", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue({ maxDepth: 2 }), (answer, value) => {
        const found = { ...result, answer, data: { value } as StepResult["data"] };
        const asked = { ...request, delegation: { ...delegation, results: { find: found } } };
        expect(redacted(asked, "a", (text) => text)).toEqual(asked);
        expect(redacted(asked, "a", hide)).toEqual(redacted(asked, "a", hide));
      }),
    );
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error(SECRET);
      },
    ],
    ["gives no text", (text: string) => (text.includes("Ask") ? (undefined as never) : text)],
  ])(
    "fails without a word of the text where the hook %s",
    (_, broken: (text: string, at: RedactAt) => string) => {
      let failure: unknown;
      try {
        redacted(request, "mailer", broken);
      } catch (error) {
        failure = error;
      }
      expect(failure).toMatchObject({ code: "workflow.redaction-failed", retryable: false });
      expect(inspect(failure, { depth: 5 })).not.toContain("jane");
    },
  );
});
