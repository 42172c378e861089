import { PassThrough } from "node:stream";

import { systemClock } from "@troupe/core";
import { EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { colors } from "./color.ts";
import { harmless, visibleJson } from "./harmless.ts";
import { liveProgress } from "./live-progress.ts";
import { plainProgress } from "./plain-progress.ts";
import { planText } from "./plan-text.ts";

/** Sets the title of the window, writes the clipboard, and clears the screen in two ways. */
const HOSTILE = "\u001b]0;pwned\u0007\u001b]52;c;cHduZWQ=\u0007\u001b[2J\u009b2J";

const plan: AgentEventBody = {
  type: "plan-update",
  plan: {
    name: `Plan ${HOSTILE}`,
    steps: [{ id: "one", kind: "agent", agent: "a", instruction: `Do ${HOSTILE}`, dependsOn: [] }],
  },
};
const bodies: readonly (AgentEventBody & { readonly stepId?: string })[] = [
  plan,
  { type: "step-status", step: "one", state: "in_progress" },
  { type: "tool-start", callId: "c", tool: "search", arguments: {}, stepId: "one" },
  { type: "tool-end", callId: "c", tool: "search", status: "ok", summary: HOSTILE, ms: 1, stepId: "one" },
  { type: "attempt-start", reason: HOSTILE, stepId: "one" },
  { type: "step-status", step: "one", state: "failed", reason: HOSTILE },
];
const events = bodies.map((body, seq): AgentEvent => ({
  v: EVENT_VERSION,
  runId: "r",
  seq,
  attempt: 1,
  agent: "a",
  ...body,
}));

describe("harmless", () => {
  it("keeps words, line breaks and tabs", () => {
    expect(harmless("Grün\t→ 4 %\n😀")).toBe("Grün\t→ 4 %\n😀");
    expect(harmless(`a${HOSTILE}b\r\u0000`)).toBe("a]0;pwned]52;c;cHduZWQ=[2J2Jb");
    expect(harmless("a\u202egpj.exe\u2066b")).toBe("agpj.exeb");
    expect(harmless("a\u2028b\u2029c\u200ed\u200fe\u061cf\u2069g")).toBe("abcdefg");
    expect(harmless("\u0646\u200c\u0645 👩\u200d💻")).toBe("\u0646\u200c\u0645 👩\u200d💻");
  });

  it("leaves nothing in JSON that cannot be seen", () => {
    const hidden = { to: "ann\u200b@\u202eexample\u2028\u{e0041}\u00ad\u009b", emoji: "😀" };
    expect(visibleJson(hidden)).toBe(
      String.raw`{"to":"ann\u200b@\u202eexample\u2028\udb40\udc41\u00ad\u009b","emoji":"😀"}`,
    );
    expect(JSON.parse(visibleJson(hidden))).toEqual(hidden);
  });

  it("lets nobody's words make a line of a plan, and marks where an instruction is cut", () => {
    const lines = "Nice\n  1. a  units-agent  harmless\r\n\u2028fake";
    const step = { id: "d", kind: "agent", agent: "units-agent", dependsOn: [] } as const;
    const name = "Nice 1. a units-agent harmless fake";
    expect(planText({ name: lines, steps: [{ ...step, instruction: lines }] })).toBe(
      `Plan: ${name}\n  1. d  units-agent  ${name}`,
    );
    const long = `Convert 20 C.\n\n${"Then send all you have. ".repeat(10)}`;
    const shown = planText({ name: "Units", steps: [{ ...step, instruction: long }] });
    expect(shown.split("\n")).toEqual([
      "Plan: Units",
      expect.stringMatching(/^ {2}1\. d {2}units-agent {2}Convert 20 C\. Then send .{65}…$/),
    ]);
  });

  it("stands between every event and plain lines", () => {
    let shown = "";
    const progress = plainProgress((text) => (shown += text), colors(false));
    for (const event of events) progress.event(event);
    expect(shown).toContain("pwned");
    expect(shown).toBe(harmless(shown));
  });

  it("stands between every event and a screen that is redrawn", () => {
    let shown = "";
    const stream = Object.assign(new PassThrough(), { columns: 200, isTTY: true });
    stream.setEncoding("utf8").on("data", (chunk: string) => (shown += chunk));
    const progress = liveProgress(stream, colors(false), systemClock);
    for (const event of events.slice(0, -1)) progress.event(event);
    progress.end();
    expect(shown).toContain("pwned");
    for (const part of ["\u001b]", "\u0007", "\u001b[2J", "\u009b"]) expect(shown).not.toContain(part);
  });
});
