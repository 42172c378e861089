import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { answering, responseOf, scriptedAgent } from "@troupe/a2a/testing";
import { startFakeOpenai, type FakeReply } from "@troupe/models/testing";
import { DOMParser } from "@xmldom/xmldom";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { startDocumentsAgent } from "../../testing/documents-agent.ts";
import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const SAYS = "Trips over 500 km go by train.";

/** Writes an eval file beside the home; gives a function that runs it. */
function evalOn(
  { home, troupe }: Pick<Awaited<ReturnType<typeof smallOrchestrator>>, "home" | "troupe">,
  file: object,
) {
  const path = join(home, "eval.yaml");
  mkdirSync(home, { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, name: "Small", ...file }));
  return (args: readonly string[] = [], own: Parameters<typeof troupe>[1] = {}) =>
    troupe(["eval", path, ...args], own);
}

/** How a model answers one request: a search, and then these words with their source. */
function turn(says: string): readonly FakeReply[] {
  const call = (name: string, args: object) => ({
    blocks: [{ type: "tool-call" as const, id: name, name, arguments: JSON.stringify(args) }],
    usage: { input: 100, output: 10 },
  });
  return [call("rag_search", { query: "train" }), call("finish", { content: `${says} [1]` })];
}

it("asks a model as often as the file says, and counts how often it is right", async () => {
  const provider = await startFakeOpenai();
  onTestFinished(() => provider.close());
  const model = { model: "m", openai_base_url: provider.url };
  const agent = await startDocumentsAgent(`${SAYS} Shorter ones go by bus.`, model);
  const orchestrator = await smallOrchestrator({}, { agents: [agent] });
  const run = evalOn(orchestrator, {
    repeats: 3,
    threshold: "60 %",
    concurrency: 1,
    cases: [
      {
        id: "trains",
        request: "How do I travel?",
        expect: { facts: ["by train"], citations: ["travel.md"] },
      },
    ],
  });
  const flaky = [SAYS, "Shorter ones go by bus.", SAYS].flatMap(turn);
  provider.script(...flaky);
  const first = await run(["--json", "out.json", "--junit", "out.xml"]);
  expect(first.stdout).toMatch(/^ {2}trains +2\/3 +220 +\d/m);
  expect(first.stdout).toContain(
    'facts: "by train" is not in the answer: "Shorter ones go by bus. [1]" (run 2)\n',
  );
  expect(first.stdout).toContain(
    "2 of 3 runs passed (67 %); the threshold of 60 % is met; 6 model calls, 660 tokens.",
  );
  expect(first.code).toBe(0);

  const results = JSON.parse(readFileSync(join(orchestrator.home, "out.json"), "utf8")) as object;
  expect(results).toMatchObject({
    v: 1,
    passed: 2,
    attempts: 3,
    met: true,
    tokens: 660,
    cases: [
      {
        id: "trains",
        passed: 2,
        attempts: [
          { passed: true },
          { passed: false, failures: [{ expectation: "facts" }] },
          { passed: true },
        ],
      },
    ],
  });
  const xml = readFileSync(join(orchestrator.home, "out.xml"), "utf8");
  const suite = new DOMParser().parseFromString(xml, "text/xml").documentElement;
  expect([suite?.getAttribute("tests"), suite?.getAttribute("failures")]).toEqual(["3", "1"]);
  const [failure] = [...(suite?.getElementsByTagName("failure") ?? [])];
  expect(failure?.textContent).toContain('"Shorter ones go by bus. [1]"');
  expect(failure?.parentElement?.getAttribute("name")).toBe("trains (run 2)");

  provider.script(...turn("Shorter ones go by bus."));
  const wrong = await run(["--repeats", "1", "--quiet"]);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain("0 of 1 run passed (0 %); the threshold of 60 % is not met");
  expect(wrong.stderr).toBe("");
});

it("fails a case whose run fails, asks a person or takes too long, and runs the others", async () => {
  const orchestrator = await smallOrchestrator({
    worker: async function* ({ text }, { signal }) {
      if (text === "wait")
        await new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("stopped"))));
      if (text === "break") throw new Error("broken");
      yield* answering([`Answer to ${text}.`]);
    },
  });
  const run = evalOn(orchestrator, {
    cases: [
      { id: "break", request: "break" },
      { id: "wait", request: "wait", timeout_seconds: 0.2 },
      { id: "works", request: "work", expect: { facts: ["answer to work"], agents: ["worker"], steps: 1 } },
    ],
  });
  const { code, stdout, stderr } = await run(["--junit", "out.xml"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}break +0\/1 .*\n +outcome: completed expected, the run ended failed: /m);
  expect(stdout).toContain("It took longer than 0.2 s and was stopped");
  expect(stdout).toMatch(/^ {2}works +1\/1 /m);
  expect(stderr).toMatch(/^\[\d\/3\] works: passed, /m);
  expect(readFileSync(join(orchestrator.home, "out.xml"), "utf8")).toContain('failures="0" errors="2"');
  expect((await run(["--only", "works"])).code).toBe(0);
  const unknown = await run(["--only", "work"]);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('no case "work". Its cases: break, wait, works.'),
  ]);
});

it("asks the turns of a case in one conversation", async () => {
  const { troupe, home } = await smallOrchestrator({
    worker: ({ text, contextId = "" }) => answering([`${text} in ${contextId}.`]),
  });
  const run = evalOn(
    { troupe, home },
    {
      cases: [
        {
          id: "talk",
          turns: [
            { request: "first", expect: { facts: ["first in"] } },
            { request: "What does the policy say about trains?", expect: { facts: ["nothing of it"] } },
          ],
        },
      ],
    },
  );
  const { stdout } = await run();
  expect(stdout).toMatch(
    /facts: turn 2: "nothing of it" is not in the answer: "What does the policy say about trains\? in /,
  );
  const runs = JSON.parse((await troupe(["runs", "--json"])).stdout) as readonly { threadId: string }[];
  expect(new Set(runs.map(({ threadId }) => threadId)).size).toBe(1);
});

it("asks only the planner where the file says so, with the turns before", async () => {
  const provider = await startFakeOpenai();
  onTestFinished(() => provider.close());
  const plan = (agents: readonly string[], refusal = ""): FakeReply => ({
    blocks: [
      {
        type: "text",
        text: JSON.stringify({
          name: "p",
          steps: agents.map((agent) => ({
            id: agent,
            agent,
            instruction: "Do it.",
            depends_on: [],
            expected_output: "",
          })),
          final: "synthesize",
          refusal,
          needs: "",
        }),
      },
    ],
  });
  provider.script(
    plan(["finder"]),
    plan([], "Nobody books rooms."),
    plan([], "Nobody does."),
    plan(["finder"]),
  );
  const asked: string[] = [];
  const script = ({ text }: { readonly text: string }) => {
    asked.push(text);
    return answering(["Done."]);
  };
  const orchestrator = await smallOrchestrator(
    { finder: script, counter: script },
    { model: "m", openai_base_url: provider.url },
  );
  const run = evalOn(orchestrator, {
    plan_only: true,
    concurrency: 1,
    cases: [
      {
        id: "follow-up",
        turns: [
          { request: "Sales in Norway?", answer: "EUR 18 million.", agents: ["counter"] },
          { request: "Why?", expect: { agents: ["finder"] } },
        ],
      },
      { id: "nobody", request: "Book a room.", expect: { refusal: true, agents: [] } },
      { id: "both", request: "Compare them.", expect: { agents: ["finder", "counter"] } },
    ],
  });
  const { code, stdout } = await run();
  expect(stdout).toMatch(/^ {2}follow-up +1\/1 /m);
  expect(stdout).toMatch(/^ {2}nobody +1\/1 /m);
  expect(stdout).toContain("agents: finder, counter expected, used: finder");
  expect(code).toBe(1);
  expect(asked).toEqual([]);
  const told = JSON.stringify(provider.requests[0]?.body["messages"]);
  for (const part of ["Sales in Norway?", "EUR 18 million.", "turn1.answer", "counter"])
    expect(told).toContain(part);
});

it("stops at Ctrl-C, cancels running cases and prints the results so far", async () => {
  const stop = new AbortController();
  const worker = scriptedAgent(async function* ({ text }, { signal }) {
    if (text === "second") {
      stop.abort();
      await new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("stopped"))));
    }
    yield { type: "finish", outcome: "completed", response: responseOf("Done."), answerItems: [] };
  });
  const orchestrator = await smallOrchestrator({
    worker: (request, options) => worker.run(request, options),
  });
  const cases = ["first", "second", "third"].map((id) => ({ id, request: id }));
  const { code, stdout } = await evalOn(orchestrator, { concurrency: 1, cases })([], {
    interrupted: stop.signal,
  });
  expect(code).toBe(130);
  expect(stdout).toMatch(/^ {2}first +1\/1 /m);
  expect(stdout).toContain("1 of 1 run passed (100 %), then it was interrupted");
  const runs = JSON.parse((await orchestrator.troupe(["runs", "--json"])).stdout) as readonly object[];
  expect(runs).toHaveLength(2);
});
