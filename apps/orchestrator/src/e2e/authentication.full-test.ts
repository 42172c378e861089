import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openToOthers } from "../testing/open-to-others.ts";
import { cleanUp, runTroupe, startTroupe, temporaryFolder, type Troupe } from "../testing/troupe.ts";

/** The example's servers with authentication on, and two people at the machine. */
describe("the processes of one machine, with authentication on", () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const auth = { TROUPE_AUTH: "on" };
  let up: Troupe;
  let address = "";
  const tokens = { ann: "", bob: "" };
  const as = (token: string, ...args: readonly string[]) =>
    runTroupe(args, { home, env: { ...auth, TROUPE_TOKEN: token } });

  beforeAll(async () => {
    mkdirSync(home, { mode: 0o755 });
    const add = async (user: string, ...more: readonly string[]): Promise<string> => {
      const made = await runTroupe(["keys", "add", user, "--user", user, ...more], { home, env: auth });
      expect(made).toMatchObject({ code: 0 });
      expect(made.stderr).toContain("shown once");
      return made.stdout.trim();
    };
    tokens.ann = await add("ann");
    tokens.bob = await add("bob", "--scopes", "agent:orchestrator,agent:rag-agent");
    up = startTroupe(["up", "--free-ports"], { home, env: { ...auth, TROUPE_TOKEN: tokens.ann } });
    [, address = ""] = await up.waitFor("stdout", /^ready (\S+)/m);
  });
  afterAll(cleanUp);

  it("does the example for whoever may use everything", async () => {
    const end = await as(tokens.ann, "demo");
    expect(end.stderr).not.toContain("does not know this caller");
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toMatch(/^Files\n(?: {2}.+\n)*? {2}.+\.pptx$/m);
  });

  it("keeps its secrets and everything else from others on the machine", () => {
    const { kept, open } = openToOthers(home);
    expect(kept).toEqual(expect.arrayContaining(["artifacts", "auth", "keys", "runs.db", "tasks"]));
    expect(open).toEqual([]);
  });

  it("goes with each person as far as they may, and says where that ends", async () => {
    const workflow = join(folder, "both.json");
    const question = "Who approves a trip outside Europe?";
    const steps = [
      { agent: "rag-agent", instruction: question, collection: "norrvik" },
      { agent: "data-agent", instruction: "Show revenue by region.", collection: "norrvik" },
    ];
    writeFileSync(
      workflow,
      JSON.stringify({ version: 1, name: "Both", mode: "parallel", final: "synthesize", steps }),
    );
    const end = await as(tokens.bob, "run", "--workflow", workflow, question);
    expect(end.code).toBe(3);
    expect(end.stdout + end.stderr).toContain('"bob" may not use agent "data-agent"');
    const listed = await as(tokens.bob, "agents");
    expect(listed.stdout).toContain("rag-agent");
    expect(listed.stdout).not.toContain("data-agent");
  });

  it("shows each person their own runs, and a stranger none", async () => {
    const runs = async (token: string) =>
      JSON.parse((await as(token, "runs", "--json")).stdout) as { runId: string; userId: string }[];
    const [ann, bob] = await Promise.all([runs(tokens.ann), runs(tokens.bob)]);
    expect(new Set(ann.map(({ userId }) => userId))).toEqual(new Set(["ann"]));
    expect(new Set(bob.map(({ userId }) => userId))).toEqual(new Set(["bob"]));
    const other = await as(tokens.bob, "cancel", ann[0]?.runId ?? "");
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no run") as unknown });
    for (const env of [auth, { ...auth, TROUPE_TOKEN: `${tokens.ann.slice(0, -1)}!` }]) {
      const stranger = await runTroupe(["run", "Hello?"], { home, env });
      expect(stranger.code).not.toBe(0);
      expect(stranger.stderr).toMatch(/asks who calls|is no token/);
    }
    const asked = await runTroupe(["runs"], { home, env: auth });
    expect(asked.stderr).toContain("Set TROUPE_TOKEN");
  });

  it("hands what a person brought to no process, and writes it nowhere", async () => {
    const environments = up.children().map(({ pid }) => readFileSync(`/proc/${pid}/environ`, "utf8"));
    expect(environments.filter((environment) => environment.includes("TROUPE_AUTH=on"))).toHaveLength(7);
    for (const environment of environments) {
      expect(environment).not.toContain("TROUPE_TOKEN=");
      for (const token of Object.values(tokens)) expect(environment).not.toContain(token);
    }
    expect((await fetch(`${address}/metrics`)).status).toBe(401);
  });

  it("forgets a key within a second of its end", async () => {
    expect(await runTroupe(["keys", "revoke", "bob"], { home, env: auth })).toMatchObject({ code: 0 });
    const status = async (): Promise<number> =>
      (await fetch(`${address}/api/runs`, { headers: { Authorization: `Bearer ${tokens.bob}` } })).status;
    await expect.poll(status, { timeout: 5_000 }).toBe(401);
    const list = await runTroupe(["keys", "list"], { home, env: auth });
    expect(list.stdout).toMatch(/^bob .* revoked /m);
    expect(list.stdout).not.toContain(tokens.bob.slice(20));
  });
});
