import { answering } from "@troupe/a2a/testing";
import { NO_USAGE } from "@troupe/stream";
import type { RunDetail, RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const usage = { ...NO_USAGE, inputTokens: 2_000, outputTokens: 500, modelCalls: 1 };
const form = { title: "Who is it for?", fields: [{ field_name: "audience" }] };
const steps = [
  { id: "find", agent: "finder", instruction: "Find it." },
  { id: "who", kind: "human", instruction: "Who?", form },
  { id: "make", agent: "maker", instruction: "Make it.", depends_on: ["find", "who"] },
];

const small = () =>
  smallOrchestrator({
    finder: () => [{ type: "usage", model: "big", usage }, ...answering(["Found \u001b[31mit."])],
    maker: () => answering(["Made."]),
  });

const idOf = (stdout: string): string => /^\S+/.exec(stdout)?.[0] ?? "";

it("shows a run step by step, while it waits and when it is over, with and without its servers", async () => {
  const { troupe, workflow, stop } = await small();
  const file = workflow(steps);
  expect((await troupe(["run", "--workflow", file, "--quiet"])).code).toBe(4);
  const id = idOf((await troupe(["runs"])).stdout);
  const waiting = await troupe(["show", id.slice(0, 6)]);
  expect(waiting.stdout).toContain(`Run ${id}  waiting\n`);
  expect(waiting.stdout).toMatch(/ {2}2\. who {2}person {2}input required\n/);
  expect(waiting.stdout).toMatch(
    /who: Who is it for\? {2}asked [\d: -]{19}, open\n {5}troupe answer \S+ who/,
  );
  expect(waiting.stdout).not.toContain("given:");

  expect((await troupe(["answer", id, "--input", "audience=Board", "--quiet"])).code).toBe(0);
  const env = { TROUPE_PRICES: JSON.stringify({ big: { input: 10, output: 20 } }) };
  const { stdout, code } = await troupe(["show", id], { env });
  expect(code).toBe(0);
  expect(stdout).toContain(`Run ${id}  completed\n  workflow: Small\n  began `);
  expect(stdout).toMatch(
    /1\. find {2}finder {2}completed {2}\S+ m?s {2}1 model call {2}2,000 tokens in {2}500 out {2}\$0\.0300\n/,
  );
  expect(stdout).toContain("     asked: Make it.\n     given: find (finder), completed, 14 characters\n");
  expect(stdout).toContain("     given: who (person), completed, 15 characters\n");
  expect(stdout).toContain("  Total: 1 model call  2,000 tokens in  500 out  $0.0300\n");
  expect(stdout).toMatch(/asked [\d: -]{19}, answered [\d: -]{19}, cli\n {5}\{"audience":"Board"\}\n/);
  expect(stdout).toContain("\nAnswer\n  Made.\n");

  const detail = JSON.parse((await troupe(["show", id, "--json"])).stdout) as RunDetail;
  expect(detail).toMatchObject({ v: 1, run: { runId: id }, usage: { total: usage }, answer: "Made." });
  expect(detail.steps[0]?.answer).toContain("\u001b");
  await stop();
  expect((await troupe(["show", id], { env })).stdout).toBe(stdout);
  expect(JSON.parse((await troupe(["show", id, "--json"])).stdout)).toEqual(detail);
});

it("prints the whole answer, rendered at a terminal", async () => {
  const long = `## Found\n\n**One** ${"word ".repeat(200)}end.`;
  const { troupe, workflow } = await smallOrchestrator({ finder: () => answering([long]) });
  await troupe(["run", "--workflow", workflow([{ agent: "finder", instruction: "Find it." }]), "--quiet"]);
  const id = idOf((await troupe(["runs"])).stdout);
  expect((await troupe(["show", id])).stdout).toContain(
    `\nAnswer\n  ## Found\n\n  **One** ${"word ".repeat(200)}end.\n`,
  );
  const screen = () => ({ columns: 40, color: false });
  const shown = (await troupe(["show", id], { screen })).stdout.split("\nAnswer\n")[1] ?? "";
  expect(shown).toMatch(/^ {2}Found\n\n {2}One word (?:word\s+){199}end\.\n\nnot checked\n$/);
  expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(40);
});

it("says of an id that names no run that there is none, with and without servers", async () => {
  const { troupe, stop } = await small();
  for (const end of [stop, () => Promise.resolve()]) {
    const { code, stderr } = await troupe(["show", "nosuch"]);
    expect([code, stderr]).toEqual([
      2,
      'troupe: There is no run "nosuch". The command `runs` lists the latest.\n',
    ]);
    await end();
  }
});

it.each(["", " ", ".", "..", "../x", "a/b", "%2e%2e", "a?b#c"])(
  "says of an id that nothing is called by, %j, that there is no such run, whatever is asked of it",
  async (id) => {
    const { troupe } = await small();
    for (const args of [
      ["show", id],
      ["watch", id],
      ["answer", id, "--approve"],
      ["retry", id],
      ["resume", id],
      ["cancel", id],
      ["runs", "export", id],
      ["plan", "--run", id],
    ]) {
      const { code, stderr } = await troupe(args);
      expect([args, code, stderr]).toEqual([
        args,
        2,
        `troupe: There is no run "${id}". The command \`runs\` lists the latest.\n`,
      ]);
    }
  },
);

it("lists runs by their state and page by page, the same with and without servers", async () => {
  const { troupe, workflow, stop } = await small();
  const done = workflow([steps[0] ?? {}]);
  for (let n = 0; n < 2; n++) await troupe(["run", "--workflow", done, "--quiet"]);
  await troupe(["run", "--workflow", workflow(steps), "--quiet"]);
  const listed = async (...args: string[]) => {
    const { stdout } = await troupe(["runs", "--json", ...args]);
    return (JSON.parse(stdout) as RunView[]).map(({ runId }) => runId);
  };
  const [waits = "", second = "", first = ""] = await listed();
  for (const end of [stop, () => Promise.resolve()]) {
    expect(await listed("--status", "waiting")).toEqual([waits]);
    expect(await listed("--status", "completed,failed", "--limit", "1")).toEqual([second]);
    expect(await listed("--status", "waiting", "--status", "completed")).toEqual([waits, second, first]);
    expect(await listed("--before", second.slice(0, 8))).toEqual([first]);
    const page = await troupe(["runs", "--limit", "2"]);
    expect(page.stderr).toBe(`Older ones: troupe runs --before ${second}\n`);
    expect((await troupe(["runs", "--status", "failed"])).stdout).toBe("No such runs.\n");
    await end();
  }
  expect(await troupe(["runs", "--status", "wating"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"wating" is no state of a run. There are waiting, planning') as unknown,
  });
  expect((await troupe(["runs", "--limit", "0"])).code).toBe(2);
});
