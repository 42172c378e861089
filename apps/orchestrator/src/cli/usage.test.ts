import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { runHere } from "../testing/run-here.ts";
import { cleanUp, runTroupe, temporaryFolder, type Finished } from "../testing/troupe.ts";

afterEach(cleanUp);

const newHome = (): string => join(temporaryFolder(), "home");
const troupe = (...args: readonly string[]): Promise<Finished> => runHere(args, { home: newHome() });

describe("troupe", { timeout: 60_000 }, () => {
  it("explains itself", async () => {
    const help = await troupe("--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const word of ["up", "run", "plan", "ingest", "agents", "runs", "doctor", "TROUPE_HOME", "130"])
      expect(help.stdout).toContain(word);
    const headings = [...help.stdout.matchAll(/^(\w.*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Options", "Start here", "Runs", "What there is", "Any A2A agent"]);
    const start = help.stdout.slice(help.stdout.indexOf("Start here:"), help.stdout.indexOf("Runs:"));
    expect([...start.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)).toEqual([
      "run",
      "up",
      "ingest",
      "open",
      "doctor",
    ]);
  });

  it.each(["-V", "--version"])("prints its version: %s", async (flag) => {
    const end = await troupe(flag);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ["an unknown command, with the nearest one", ["rnu"], /unknown command 'rnu'[\s\S]*Did you mean run/],
    ["an unknown flag", ["up", "--free-port"], /unknown option '--free-port'[\s\S]*--free-ports/],
    ["a run without a task", ["run"], /Say what to do: troupe run "\.\.\." or troupe run --workflow FILE/],
    ["a run of blanks", ["run", "  "], /Say what to do/],
    ["an input that is no pair", ["run", "x", "--input", "board"], /--input "board" is not of the form/],
    ["a workflow file that is not there", ["run", "--workflow", "no.yaml"], /"no\.yaml" cannot be read/],
    ["a folder that is not there", ["ingest", "nowhere", "--collection", "c"], /nowhere" does not exist/],
    [
      "a collection that is not there",
      ["run", "x", "--collection", "nope"],
      /no collection "nope"\. There are no collections yet\. To add some, run `troupe ingest PATHS --collection NAME/,
    ],
    [
      "a name no collection can have, once",
      ["ingest", ".", "--collection", "My Docs/2026"],
      /^troupe: "My Docs\/2026" cannot be the name of a collection\. [^\n]+\n$/,
    ],
    ["an ingest without a collection", ["ingest", "."], /required option '--collection <name>'/],
  ])("refuses %s", async (_, args, message) => {
    const end = await troupe(...args);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(message);
    expect(end.stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    ["no task", ["run"], /Say what to do/],
    ["an input that is no pair", ["run", "x", "--input", "bad"], /--input "bad" is not of the form/],
    ["an input of the example", ["demo", "--input", "bad"], /--input "bad" is not of the form/],
    ["no run", ["answer"], /missing required argument 'run'/],
    ["an input for a run", ["answer", "x", "--input", "bad"], /--input "bad" is not of the form/],
    [
      "an edit of a call",
      ["answer", "x", "--edit", "send={"],
      /--edit "send=\{" is not of the form CALL=JSON/,
    ],
    ["an unknown flag", ["run", "x", "--jso"], /unknown option '--jso'/],
    ["a workflow file that is not there", ["run", "--workflow", "no.yaml"], /"no\.yaml" cannot be read/],
  ])("ends with a result line where --json is given %s", async (_, args, message) => {
    const end = await troupe(...args, "--json");
    expect(end.code).toBe(2);
    expect(end.stdout).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(end.stdout)).toMatchObject({
      type: "result",
      runId: "",
      outcome: "failed",
      error: { code: expect.stringMatching(/^input\./), message: expect.stringMatching(message) },
    });
    expect(end.stderr).toMatch(message);
  });

  it("refuses a folder with nothing it can read, and says what it can", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "photo.jpg"), "x");
    const end = await troupe("ingest", folder, "--collection", "c");
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/Nothing to take in under .*\.csv/);
  });

  it("takes in what it can read of a folder, names what it cannot, and says so by its code", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "sales.csv"), "region,revenue\nNorth,1\n");
    writeFileSync(join(folder, "cut.pdf"), "%PDF-1.7\n");
    const end = await troupe("ingest", folder, "--collection", "c");
    expect(end).toMatchObject({ code: 3, stderr: expect.stringMatching(/^New home folder: \S+\n$/) });
    expect(end.stdout).toMatch(/1 file with 1 row loaded/);
    expect(end.stdout).toMatch(/failed: "cut\.pdf" cannot be read as a PDF/);
  });

  it.each([
    ["up", "--free-ports"],
    ["run", "hello"],
    ["ingest", ".", "--collection", "c"],
  ])("says what is wrong with a home that cannot be written: %s", async (...args) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const end = await runTroupe(args, {
      home: join(folder, "home"),
      env: { TROUPE_HOME: join(folder, "file", "home") },
    });
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(end.stderr).toMatch(/cannot be written \(ENOTDIR\)\. Set TROUPE_HOME/);
  });

  it("names step and rule of a workflow that goes in circles, before anything is started", async () => {
    const file = join(temporaryFolder(), "circle.yaml");
    writeFileSync(
      file,
      `version: 1
name: Circle
steps:
  - { id: a, agent: rag-agent, instruction: x, depends_on: [b] }
  - { id: b, agent: rag-agent, instruction: x, depends_on: [a] }
`,
    );
    const end = await troupe("run", "--workflow", file);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(/circle\.yaml cannot be run:\s+line \d, step "[ab]" \(cycle\)/);
  });

  it("names every port that is taken and how to do without, and starts nothing", async () => {
    const holder = createServer();
    // Somebody else may hold it already; then it is taken all the same.
    await new Promise((done) => holder.once("listening", done).once("error", done).listen(8100, "127.0.0.1"));
    const home = join(temporaryFolder(), "home");
    const end = await runTroupe(["up"], { home });
    holder.close();
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(/8100 \(orchestrator\).* already in use.*--free-ports/s);
  });

  it("has no runs and no running agents in a new home", async () => {
    expect(await troupe("runs")).toMatchObject({ code: 0, stdout: "No runs yet.\n" });
    const agents = await troupe("agents", "--json");
    expect(JSON.parse(agents.stdout)).toContainEqual({ name: "data-agent", status: "not running" });
  });
});

describe("troupe doctor", { timeout: 60_000 }, () => {
  it("says what is in force and where it comes from, and shows no secret", async () => {
    const home = join(temporaryFolder(), "home");
    const end = await runTroupe(["doctor", "--json"], {
      home,
      env: { ANTHROPIC_API_KEY: "sk-ant-very-secret" },
    });
    const report = JSON.parse(end.stdout) as {
      settings: { key: string; shown: string; origin: string; env?: string }[];
      checks: { name: string; ok: boolean; says: string }[];
    };
    expect(report.settings).toContainEqual(
      expect.objectContaining({ key: "anthropic_api_key", shown: "***", env: "ANTHROPIC_API_KEY" }),
    );
    expect(report.settings).toContainEqual(
      expect.objectContaining({ key: "home", shown: home, origin: "env" }),
    );
    expect(report.checks).toContainEqual(expect.objectContaining({ name: "home", ok: true }));
    expect(report.checks.find((check) => check.name === "model")?.says).toMatch(/^Running on claude/);
    // A taken port is a finding, and findings are exit 1.
    expect(end.code).toBe(report.checks.every((check) => check.ok) ? 0 : 1);
    expect(end.stdout + end.stderr).not.toContain("very-secret");
  });

  it("says which home is used where none is named, and what a model lacks", async () => {
    const home = join(temporaryFolder(), ".troupe");
    const end = await runTroupe(["doctor", "--settings"], {
      home,
      env: { TROUPE_HOME: undefined, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" },
    });
    expect(end.stdout).toMatch(/home +\S+\.troupe +default/);
    expect(end.stdout).toContain(`ok  home           ${home}`);
    expect(end.stdout).toMatch(/BAD model .*no model is named/);
    expect(end.stdout.indexOf("Checks")).toBeLessThan(end.stdout.indexOf("Settings"));
    expect(end.code).toBe(1);
  });

  it("shows the checks alone, and how to see the settings", async () => {
    const end = await troupe("doctor");
    expect(end.stdout).toMatch(/^Checks\n/);
    expect(end.stdout).toContain("All settings and their origin: troupe doctor --settings\n");
    expect(end.stdout).not.toContain("anthropic_api_key");
  });

  it("says what is wrong with a home that cannot be written", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const end = await runTroupe(["doctor"], {
      home: join(folder, "home"),
      env: { TROUPE_HOME: join(folder, "file", "home") },
    });
    expect(end.code).toBe(1);
    expect(end.stdout).toMatch(/BAD home .* cannot be written \(ENOTDIR\)\. Set TROUPE_HOME/);
  });
});
