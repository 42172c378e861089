import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { answering } from "@troupe/a2a/testing";
import type { ReplayReport, RunExport, RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const SECRET = "sk-abcdefghijklmnop";
const steps = [
  { id: "find", agent: "finder", instruction: "Find it." },
  { id: "make", agent: "maker", instruction: `Make it with ${SECRET}.`, depends_on: ["find"] },
];
const ask = { id: "who", kind: "human", form: { title: "Who?", fields: [{ field_name: "audience" }] } };

const small = () =>
  smallOrchestrator({
    finder: () => [
      { type: "tool-start", callId: "c", tool: "search", arguments: { token: SECRET } },
      { type: "tool-end", callId: "c", tool: "search", status: "ok", summary: "1 found", ms: 3 },
      ...answering(["Found."]),
    ],
    maker: () => answering(["Made."]),
  });

/** A run that was exported from its home, and another home to look at it in. */
async function exported() {
  const own = await small();
  await own.troupe(["run", "--workflow", own.workflow(steps), "--quiet"]);
  const [{ runId } = { runId: "" }] = JSON.parse((await own.troupe(["runs", "--json"])).stdout) as RunView[];
  const file = join(own.home, "run.json");
  const { code, stdout } = await own.troupe(["runs", "export", runId.slice(0, 8), "--out", file]);
  expect([code, stdout]).toEqual([0, `${file}\n`]);
  return { own, runId, file, text: readFileSync(file, "utf8") };
}

it("exports a run, the same with and without its servers, for its owner's eyes and without secrets", async () => {
  const { own, runId, file, text } = await exported();
  const made = JSON.parse(text) as RunExport;
  expect(made).toMatchObject({ v: 1, kind: "troupe.run", run: { runId }, outcome: { outcome: "completed" } });
  expect(made.journal?.[0]?.name).toBe("begin");
  expect(made.events.map(({ event }) => event.type)).toContain("tool-start");
  expect(text).not.toContain(SECRET);
  expect(statSync(file).mode & 0o077).toBe(0);
  await own.stop();
  const { stdout } = await own.troupe(["runs", "export", runId, "--out", "-"]);
  expect(JSON.parse(stdout)).toEqual(made);
  const name = join(own.home, `run-${runId}.json`);
  expect((await own.troupe(["runs", "export", runId])).stdout).toBe(`${name}\n`);
  const again = await own.troupe(["runs", "export", runId]);
  expect([again.code, again.stderr]).toEqual([
    2,
    `troupe: "${name}" is there already. Name the file: --out FILE.\n`,
  ]);
});

it("replays a run and a file alike, and tells by name what is not the same", async () => {
  const { own, runId, file, text } = await exported();
  for (const what of [runId, file]) {
    const { code, stdout } = await own.troupe(["runs", "replay", what]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^Run ${runId} replays the same: (\\d+) of \\1 entries .*, and its outcome\\.\n$`),
      ),
    ]);
  }
  writeFileSync(file, text.replace('"name":"begin"', '"name":"start"'));
  const changed = await own.troupe(["runs", "replay", file]);
  expect([changed.code, changed.stdout]).toEqual([
    1,
    expect.stringContaining(
      '  workflow.journal-mismatch, decision: entry 0 of the journal is "start", but the driver waits for',
    ),
  ]);
  const report = JSON.parse((await own.troupe(["runs", "replay", file, "--json"])).stdout) as ReplayReport;
  expect(report).toMatchObject({ result: "differs", differences: [{ where: "decision", name: "start" }] });
});

it("takes in a run to look at, with and without servers, and lets nothing else be done with it", async () => {
  const { own, runId, file } = await exported();
  const refused = await own.troupe(["runs", "import", file]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    `troupe: Run ${runId} is there already: troupe show ${runId}\n`,
  ]);

  const other = await small();
  await other.troupe(["run", "--workflow", other.workflow([ask]), "--quiet"]);
  const { stdout } = await other.troupe(["runs", "import", file]);
  expect(stdout).toBe(`Run ${runId} was imported. See it with: troupe show ${runId}\n`);
  expect((await other.troupe(["runs", "import", file])).code).toBe(2);
  for (const end of [() => Promise.resolve(), other.stop]) {
    await end();
    const listed = JSON.parse((await other.troupe(["runs", "--json"])).stdout) as RunView[];
    expect(listed.map((view) => [view.status, view.importedAt !== undefined])).toEqual([
      ["input-required", false],
      ["completed", true],
    ]);
    const shown = await other.troupe(["show", runId.slice(0, 8)]);
    expect(shown.stdout).toMatch(/^Run \S+ {2}completed\n[\s\S]* {2}imported [\d: -]{19}, to be looked at\n/);
    expect(shown.stdout).toContain("     given: find (finder), completed, 6 characters\n");
    expect((await other.troupe(["watch", runId])).stdout).toBe("Made.\n");
    expect((await other.troupe(["runs", "replay", runId])).stdout).toContain("replays the same");
  }
  for (const command of ["cancel", "answer", "resume", "retry"]) {
    const { code, stderr } = await other.troupe([command, runId]);
    expect([command, code, stderr]).toEqual([
      command,
      2,
      `troupe: Run ${runId} was imported: it can be shown, watched and replayed, and nothing else.\n`,
    ]);
  }
});

it("shows a run that was exported while it waited as far as it came", async () => {
  const own = await small();
  await own.troupe(["run", "--workflow", own.workflow([ask]), "--quiet"]);
  const [{ runId } = { runId: "" }] = JSON.parse((await own.troupe(["runs", "--json"])).stdout) as RunView[];
  const file = join(own.home, "open.json");
  await own.troupe(["runs", "export", runId, "--out", file]);
  expect((await own.troupe(["runs", "replay", file])).stdout).toMatch(
    /had not ended[^\n]*\n {2}It waits for .*signal:human:who/,
  );
  const other = await small();
  await other.troupe(["runs", "import", file]);
  const shown = await other.troupe(["show", runId]);
  expect(shown.stdout).toContain("who: Who?");
  expect(shown.stdout).not.toContain("troupe answer");
  const watched = await other.troupe(["watch", runId]);
  expect([watched.code, watched.stderr]).toEqual([
    0,
    expect.stringContaining(`That is all of run ${runId}: it had not ended when it was exported.\n`),
  ]);
});

it("refuses what is no export, whatever it is, and keeps nothing of it", async () => {
  const { troupe, home } = await small();
  const file = join(home, "bad.json");
  const tried = async (text: string) => {
    writeFileSync(file, text);
    const { code, stderr } = await troupe(["runs", "import", file]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await tried("{")).toContain('bad.json": The export of a run is JSON; this is not.');
  expect(await tried('{"kind":"troupe.run","v":9}')).toContain("has version 9");
  expect(await tried('{"kind":"troupe.run","v":1}')).toContain("cannot be used: run: Invalid input");
  truncateSync(file, 300 * 1024 * 1024);
  expect((await troupe(["runs", "replay", file])).stderr).toContain(
    "has 314572800 bytes; the export of a run has",
  );
  mkdirSync(join(home, "folder.json"));
  expect((await troupe(["runs", "import", join(home, "folder.json")])).stderr).toContain("is no file");
  expect((await troupe(["runs", "import", "nosuch.json"])).stderr).toContain("there is no such file");
  expect(readdirSync(home)).not.toContain("imported");
});

it("keeps a hostile id out of paths, and what a terminal would obey out of lists", async () => {
  const { own, file, text, runId } = await exported();
  await own.stop();
  const hostile = "../../etc/passwd";
  const named = JSON.stringify("Small \u001b[31m");
  const given = text.replaceAll(runId, hostile).replaceAll('"name":"Small"', `"name":${named}`);
  writeFileSync(file, given.replaceAll(hostile, String.raw`a\u001b[31m`));
  expect((await own.troupe(["runs", "import", file])).stderr).toContain("run.runId: must have no control");
  writeFileSync(file, given);
  expect((await own.troupe(["runs", "import", file])).code).toBe(0);
  expect(readdirSync(join(own.home, "imported")).join(" ")).toMatch(
    /^[0-9a-f]{40}\.json [0-9a-f]{40}\.view\.json$/,
  );
  const { stdout } = await own.troupe(["runs"]);
  expect(stdout).toMatch(/^\.\.\/\.\.\/etc\/passwd .* imported: Small \[31m$/m);
  expect(stdout).not.toContain("\u001b");
  expect((await own.troupe(["show", hostile])).stdout).not.toContain("\u001b");
});

it("lists a run that an earlier version imported with times that are none, and says what is wrong with its file", async () => {
  const { own, file, runId, text } = await exported();
  const other = await small();
  await other.stop();
  await other.troupe(["runs", "import", file]);
  const folder = join(other.home, "imported");
  for (const name of readdirSync(folder)) {
    const known = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), known.replace(/"createdAt":\d+/, '"createdAt":1e300'));
  }
  const listed = await other.troupe(["runs"]);
  expect([listed.code, listed.stdout]).toEqual([
    0,
    expect.stringContaining(`${runId}  no valid time  completed`),
  ]);
  const shown = await other.troupe(["show", runId]);
  expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("run.createdAt")]);
  writeFileSync(file, text.replaceAll(runId, "elsewhere").replace(/"createdAt":\s*\d+/, '"createdAt":1e300'));
  const refused = await own.troupe(["runs", "import", file]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("run.createdAt")]);
});
