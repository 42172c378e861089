import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { answering } from "@troupe/a2a/testing";
import type { SentenceCheck } from "@troupe/stream";
import type { RunDetail, RunExport, RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../testing/small-orchestrator.ts";
import { cleanUp } from "../testing/troupe.ts";

afterEach(cleanUp);

const ANSWER = "It sends 12 warnings a day. Customers accept up to **2.4 false alarms** a month.";
const checks: readonly SentenceCheck[] = [
  { sentence: "It sends 12 warnings a day.", status: "verified" },
  {
    sentence: "Customers accept up to **2.4 false alarms** a month.",
    status: "finding",
    finding: { kind: "uncited", detail: "2.4" },
  },
];
const SHOWN = "2 claims: 1 found in sources or data, 1 not found\n";

/** A run in another home, as it was exported there, with these checks of its answer. */
async function imported(checked: readonly SentenceCheck[] | undefined) {
  const own = await smallOrchestrator({ finder: () => answering([ANSWER]) });
  const steps = [{ id: "find", agent: "finder", instruction: "Find it." }];
  await own.troupe(["run", "--workflow", own.workflow(steps), "--quiet"]);
  const [{ runId } = { runId: "" }] = JSON.parse((await own.troupe(["runs", "--json"])).stdout) as RunView[];
  const file = join(own.home, "run.json");
  await own.troupe(["runs", "export", runId, "--out", file]);
  const made = JSON.parse(readFileSync(file, "utf8")) as RunExport;
  const withChecks = JSON.stringify(made, (key, value: unknown) =>
    key === "response" && checked !== undefined ? { ...(value as object), checks: checked } : value,
  );
  writeFileSync(file, withChecks);
  const other = await smallOrchestrator({});
  expect((await other.troupe(["runs", "import", file])).code).toBe(0);
  return { troupe: other.troupe, runId, file };
}

it("shows what was looked for once, beside its sentence, and how many claims hold", async () => {
  const { troupe, runId } = await imported(checks);
  const marked = ANSWER.replace("a month.", "a month. (! no source is given for 2.4)");
  const watched = await troupe(["watch", runId, "--quiet"]);
  expect(watched.stdout).toBe(`${marked}\n\n${SHOWN}`);
  expect((await troupe(["show", runId])).stdout).toContain(`\nAnswer\n  ${marked}\n\n${SHOWN}`);
});

it("says once why a run is partial whose only step is, without the claims that its answer marks", async () => {
  const lines = ["1 of 2 claims could not be verified.", `- "${ANSWER}"`, "References were removed: [77]."];
  const error = { code: "agent.unverified", message: lines.join("\n") };
  const { workflow, troupe } = await smallOrchestrator({
    finder: () =>
      answering([ANSWER], "partial").map((event) => (event.type === "finish" ? { ...event, error } : event)),
  });
  const file = workflow([{ id: "find", agent: "finder", instruction: "Find it." }]);
  const { code, stderr } = await troupe(["run", "--workflow", file, "--quiet"]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`The run ended partial.\n${lines[0]}\n${lines[2]}\n  find (finder): partial\n`),
  ]);
});

it("lists the unverified claims of an intermediate step below it, in `run` and in `show`", async () => {
  const claim = '- "Customers accept **2.4** alarms." (2.4 is not in its sources)';
  const error = { code: "agent.unverified", message: `1 of 2 claims could not be verified.\n${claim}` };
  const { workflow, troupe } = await smallOrchestrator({
    finder: () =>
      answering([ANSWER], "partial").map((event) => (event.type === "finish" ? { ...event, error } : event)),
    writer: () => answering(["All is well."]),
  });
  const file = workflow([
    { id: "find", agent: "finder", instruction: "Find it." },
    { id: "write", agent: "writer", instruction: "Write it.", depends_on: ["find"] },
  ]);
  const { stderr } = await troupe(["run", "--workflow", file, "--quiet"]);
  expect(stderr).toContain(`  find (finder): partial: 1 of 2 claims could not be verified.\n    ${claim}\n`);
  const [{ runId } = { runId: "" }] = JSON.parse((await troupe(["runs", "--json"])).stdout) as RunView[];
  expect((await troupe(["show", runId])).stdout).toContain(
    `     1 of 2 claims could not be verified.\n     ${claim}\n`,
  );
});

it("wraps them at a terminal, with the mark in colour where there is colour", async () => {
  const { troupe, runId } = await imported(checks);
  const shown = async (color: boolean) =>
    (await troupe(["show", runId], { screen: () => ({ columns: 50, color }) })).stdout;
  const plain = await shown(false);
  expect(plain.split("\nAnswer\n")[1]).toBe(
    [
      "  It sends 12 warnings a day. Customers accept up",
      "  to 2.4 false alarms a month. (! no source is",
      "  given for 2.4)",
      "",
      "2 claims: 1 found in sources or data, 1 not",
      "    found\n",
    ].join("\n"),
  );
  expect((await shown(true)).split("\u001b[33m(!\u001b[39m")).toHaveLength(2);
});

it("has the checks in JSON, and in what is exported again", async () => {
  const { troupe, runId, file } = await imported(checks);
  const lines = (await troupe(["watch", runId, "--json"])).stdout.trim().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "result", answer: ANSWER, checks });
  const detail = JSON.parse((await troupe(["show", runId, "--json"])).stdout) as RunDetail;
  expect(detail).toMatchObject({ answer: ANSWER, checks });
  const again = (await troupe(["runs", "export", runId, "--out", "-"])).stdout;
  expect(JSON.parse(again)).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

it("says of a run whose answer nobody checked that it was not, where it is shown, and nothing where it runs", async () => {
  const { troupe, runId } = await imported(undefined);
  expect((await troupe(["show", runId])).stdout).toContain(`\nAnswer\n  ${ANSWER}\n\nnot checked\n`);
  expect((await troupe(["watch", runId, "--quiet"])).stdout).toBe(`${ANSWER}\n`);
  expect((await troupe(["show", runId, "--json"])).stdout).not.toContain('"checks"');
});

it("has nothing to say of an answer without claims", async () => {
  const { troupe, runId } = await imported([]);
  expect((await troupe(["show", runId])).stdout.split("\nAnswer\n")[1]).toBe(`  ${ANSWER}\n`);
  expect((await troupe(["watch", runId, "--quiet"])).stdout).toBe(`${ANSWER}\n`);
});
