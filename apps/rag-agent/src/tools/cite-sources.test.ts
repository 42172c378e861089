import { silentLog, type ToolContext } from "@troupe/core";
import { sampleCitation } from "@troupe/retrieval/testing";
import { describe, expect, it } from "vitest";

import { citeSources } from "./cite-sources.ts";

const plan = {
  ...sampleCitation("1", "Foresight warns 60 hours ahead."),
  passage:
    "Foresight warns 60 hours ahead. At least 80 percent of confirmed events are caught. Ada Lind owns it.",
};
const budget = sampleCitation("2", "The budget is EUR 4.2 million for 2026.");
const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "test",
  signal: new AbortController().signal,
  shared: { v: 1, results: {} },
  citations: [plan, budget],
  log: silentLog,
};

async function check(draft: string, over: Partial<ToolContext> = {}) {
  const parsed = citeSources.parse({ draft });
  if (!parsed.ok) throw new Error(parsed.issues.join());
  const { text, summary } = await citeSources.execute(parsed.value, { ...context, ...over });
  return { lines: text.split("\n\n")[0]?.split("\n") ?? [], text, summary };
}

describe("cite_sources", () => {
  it("checks against the passage as it was shown, not against the short quote", async () => {
    const { text, summary } = await check(
      "- At least 80 percent of confirmed events are caught. [1]\n- The budget for 2026 is EUR 4.2 million. [2]",
    );
    expect(text).toMatch(/^Every statement is covered\.\n\nSources:\n\[1\]\[2\] /);
    expect(summary).toBe("all covered");
  });

  it("gives each sentence one line, with its line in the draft and what was looked for", async () => {
    const { lines, text, summary } = await check(
      "## Goals\n- At least 85 percent of events are caught within 20 hours. [1]\n- It costs EUR 4.2 million. [2]\n\nIn 2027 it is EUR 9 million [99].",
    );
    expect(lines).toEqual([
      "To mend:",
      expect.stringMatching(
        /^- figure \(line 2\): "At least 85 percent of events are caught within 20 hours\. \[1\]": /,
      ),
      expect.stringMatching(/^- unknown \(line 5\): "In 2027 it is EUR 9 million \[99\]\.": \[99\]/),
    ]);
    expect(text).toContain("Passages of this run: [1] [2].");
    expect(summary).toBe("2 to mend");
  });

  it.each([
    [
      "German",
      "Mindestens 80 Prozent der Ereignisse werden erkannt. [1]",
      "Mindestens 85 Prozent der Ereignisse werden erkannt. [1]",
    ],
    ["French", "Au moins 80 pour cent sont détectés. [1]", "Au moins 85 pour cent sont détectés. [1]"],
  ])("reads a draft in %s", async (_, right, wrong) => {
    expect((await check(right)).summary).toBe("all covered");
    expect((await check(wrong)).summary).toBe("1 to mend");
  });

  it("finds a name that is not in the passage", async () => {
    expect((await check("Ada Lind owns Foresight [1].")).summary).toBe("all covered");
    expect((await check("Foresight was set up by King Carl Gustaf [1].")).lines[1]).toMatch(
      /^- name \(line 1\)/,
    );
  });

  it("takes what the run gave without a citation, as the check of the answer does", async () => {
    const draft = "You asked about the 14 sites of Norrvik.";
    expect((await check(draft)).summary).toBe("1 to mend");
    const evidence = () => ({
      citations: [plan, budget],
      tables: [],
      given: ["What about the 14 sites of Norrvik?"],
    });
    expect((await check(draft, { evidence })).summary).toBe("all covered");
  });

  it("says to search first where nothing was found", async () => {
    expect((await check("It costs EUR 3 million [1].", { citations: [] })).text).toContain(
      "Passages of this run: none; search first.",
    );
  });

  it("takes no draft that would keep it busy for long, and says how long one may be", () => {
    expect(citeSources.parse({ draft: "x".repeat(100_000) }).ok).toBe(true);
    const parsed = citeSources.parse({ draft: "x".repeat(100_001) });
    expect(parsed).toMatchObject({ ok: false });
    expect(JSON.stringify(parsed)).toContain(
      "A draft may have 100,000 characters at most; check it in parts.",
    );
  });
});
