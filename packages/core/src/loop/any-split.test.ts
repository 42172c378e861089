import type { AgentEvent } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { ResponseMode } from "../config/agent-config.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { instantClock } from "../testing/virtual-clock.ts";

/** Of each of three modes: 10,000 splits in all. */
const SCRIPTS = 134;
const SPLITS_OF_EACH = 25;

const tools = [echoTool()];
const calls = [{ name: "echo", arguments: { text: "x" } }];

/** What a model writes, and what of it is narration and answer, whoever cuts it where. */
interface Script {
  readonly steps: readonly ScriptedStep[];
  readonly narration: string;
  readonly answer: string;
}

/** Any text that can be seen and contains nothing the marker's rules are about. */
const plain = fc
  .tuple(fc.constantFrom("a", "é", "😀", "]"), fc.string({ unit: "binary", maxLength: 30 }))
  .map(([first, rest]) => (first + rest.replaceAll(/[[*_#"'`“‘«]/g, "-")).toWellFormed());
/** Text with near misses. */
const near = fc
  .array(fc.oneof(plain, fc.constantFrom("[", "[FINAL", "[FINAL ANSWE ", "[1]", "**", "\n## ", "\n")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => `${parts.join("-")}-`)
  .map((text) => (/\S/.test(text) ? text : `a${text}`));

const marker = fc.constantFrom(
  "[FINAL ANSWER]",
  "[final_answer]",
  "**[Final Answer]**",
  "\n## [FINAL ANSWER]",
);

const markerScript: fc.Arbitrary<Script> = fc
  .record({
    before: near,
    more: near,
    marker,
    breaks: fc.constantFrom("", "\n", "\n\r\n\n"),
    answers: fc.array(
      near.map((text) => `a${text}`),
      { minLength: 1, maxLength: 3 },
    ),
    later: fc.constantFrom("", "[FINAL ANSWER]", "__[FINAL_ANSWER]__"),
    cutAt: fc.nat({ max: 20 }),
  })
  .map(({ before, more, marker, breaks, answers, later, cutAt }) => {
    // The heading's line break belongs to the narration.
    const lead = marker.startsWith("\n") ? "\n" : "";
    const text = marker.slice(lead.length);
    // A call stands in the middle of the marker, or next to it.
    const at = cutAt < text.indexOf("[") + 1 ? 0 : cutAt;
    return {
      steps: [
        { text: before, calls },
        { text: more + lead + text.slice(0, at), calls },
        { text: text.slice(at) + breaks + answers.join(later) },
      ],
      narration: before + more + lead,
      answer: answers.join(""),
    };
  });

const anyText = fc
  .tuple(fc.constantFrom("a", "😀"), fc.string({ unit: "binary", maxLength: 40 }))
  .map((parts) => parts.join(""));

const finishScript: fc.Arbitrary<Script> = fc
  .record({ before: anyText, beside: anyText, content: anyText, escaped: fc.boolean() })
  .map(({ before, beside, content, escaped }) => ({
    steps: [
      { text: before, calls },
      { text: beside, calls: [{ name: "finish", arguments: json(content, escaped) }] },
    ],
    narration: before.toWellFormed() + beside.toWellFormed(),
    answer: content.toWellFormed(),
  }));

const structuredScript: fc.Arbitrary<Script> = fc
  .record({
    before: anyText,
    draft: anyText,
    content: anyText,
    escaped: fc.boolean(),
    around: fc.constantFrom("", "```\n", 'As "asked {x}":\n'),
  })
  .map(({ before, draft, content, escaped, around }) => ({
    steps: [{ text: before, calls }, { text: draft }, { text: around + json(content, escaped) + around }],
    narration: `${before.toWellFormed()}${draft.toWellFormed()}Composing the answer ...`,
    answer: content.toWellFormed(),
  }));

/** The arguments of finish, with every character but ASCII escaped or not. */
function json(content: string, escaped: boolean): string {
  const whole = JSON.stringify(finishCall(content).arguments);
  if (!escaped) return whole;
  return whole.replaceAll(/[\u0080-\uFFFF]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function run(
  script: Script,
  responseMode: ResponseMode,
  split?: readonly number[],
  stream_by: "token" | "word" = "token",
) {
  const steps = script.steps.map((step) => (split === undefined ? step : { ...step, split }));
  const model = scriptedModel(steps);
  const agent = createAgent({ ...testConfig, stream_by }, { model, tools, clock: instantClock });
  const events = await runAgent(agent, { responseMode });
  model.assertDone();
  return seen(events);
}

/** What a person is shown: texts by role, and the order of all else. */
function seen(events: readonly AgentEvent[]) {
  const finish = finishOf(events);
  const order: string[] = [];
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type === "text-delta") {
      if (!event.delta.isWellFormed() || event.delta === "") throw new Error("half a character, or nothing");
      texts.set(event.itemId, (texts.get(event.itemId) ?? "") + event.delta);
    } else if (event.type === "text-start") order.push(`${event.type} ${event.itemId} ${event.role}`);
    else if ("itemId" in event) order.push(`${event.type} ${event.itemId}`);
    else order.push(event.type);
  }
  const named = new Set(finish.answerItems);
  const textOf = (ofAnswer: boolean): string =>
    [...texts]
      .filter(([id]) => named.has(id) === ofAnswer)
      .map(([, text]) => text)
      .join("");
  return {
    order,
    narration: textOf(false),
    answer: textOf(true),
    content: finish.response.content,
    outcome: finish.outcome,
  };
}

describe("for any split of what the model writes", () => {
  it.each<[ResponseMode, fc.Arbitrary<Script>]>([
    ["finish", finishScript],
    ["marker", markerScript],
    ["structured", structuredScript],
  ])("%s mode shows the same narration and the same answer, whole and once", async (mode, scripts) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
    const splits = fc.array(sizes, { minLength: SPLITS_OF_EACH, maxLength: SPLITS_OF_EACH });
    await fc.assert(
      fc.asyncProperty(scripts, splits, async (script, each) => {
        const { narration, answer } = script;
        const whole = await run(script, mode);
        expect(whole).toMatchObject({ narration, answer, content: answer, outcome: "completed" });
        const shown = JSON.stringify(whole);
        for (const [at, split] of each.entries()) {
          // Held back to whole words or not, it is the same text.
          const by = at % 5 === 0 ? "word" : "token";
          expect(JSON.stringify(await run(script, mode, split, by))).toBe(shown);
        }
      }),
      { numRuns: SCRIPTS },
    );
  });
});
