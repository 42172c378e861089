import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startShop, type Shop } from "../testing/shop.ts";
import { cleanUp, runTroupe } from "../testing/troupe.ts";

/** One set of servers, from start to stop and after: each test goes on where the one before left off. */
describe("a run that waits for a person", { timeout: 120_000 }, () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  }, 120_000);
  afterAll(cleanUp);

  it("says what to type as the command was called", async () => {
    const env = { npm_lifecycle_event: "troupe", npm_package_name: "troupe" };
    const asked = await runTroupe(shop.askFirst, { ...shop.options, env });
    expect(asked.stderr).toMatch(
      /^ {2}npm run --silent troupe -- answer \S+ audience --input audience=\.\.\.$/m,
    );
    const [, id = ""] = /npm run --silent troupe -- cancel (\S+)/.exec(asked.stderr) ?? [];
    expect(await runTroupe(["cancel", id], shop.options)).toMatchObject({ code: 0 });
  });

  it("is shown with the command that answers it, and goes on with the answer", async () => {
    expect(await runTroupe(shop.askFirst, shop.options)).toMatchObject({ code: 4 });
    const shown = await runTroupe(["runs"], shop.options);
    const [, id] = /^ *troupe answer (\S+) audience --input audience=\.\.\.$/m.exec(shown.stdout) ?? [];
    expect(shown.stdout).toMatch(new RegExp(`^${id} .* waiting +Ask first$`, "m"));
    const again = await runTroupe(["answer", id ?? ""], shop.options);
    expect(again).toMatchObject({ code: 4, stdout: "" });
    const typo = await runTroupe(["answer", id ?? "", "--input", "audeince=Board"], shop.options);
    expect(typo).toMatchObject({ code: 2, stdout: "" });
    expect(typo.stderr).toContain('"audeince" is not asked for. What is, nearest first: audience.');
    const wrong = await runTroupe(["answer", id ?? "", "--input", "audience=Aliens", "--json"], shop.options);
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ type: "result", runId: id, outcome: "input-required" });
    expect(wrong.stderr).toContain('audience: "Aliens" is not one of Board, Staff.\n');
    expect(wrong.stderr).toContain(
      "The run waits for a person: Before the work starts. Who is it for?\n  audience: Who is it for? (Board, Staff)\nAnswer it",
    );
    expect(wrong.stderr).toContain(`troupe answer ${id} audience --input audience=...\n`);
    const answered = await runTroupe(
      ["answer", id?.slice(0, 8) ?? "", "--input", "audience=Board"],
      shop.options,
    );
    expect(answered.code).toBe(0);
    expect(answered.stdout).toContain("North");
    const over = await runTroupe(["answer", id ?? "", "audience", "--input", "audience=Board"], shop.options);
    expect(over).toMatchObject({ code: 2, stdout: "" });
    expect(over.stderr).toContain("asks nothing: it is completed");
  });

  it("ends when it is canceled", async () => {
    const asked = await runTroupe(shop.askFirst, shop.options);
    const [, id = ""] = /troupe cancel (\S+)/.exec(asked.stderr) ?? [];
    expect(await runTroupe(["cancel", id], shop.options)).toMatchObject({
      code: 0,
      stdout: `Run ${id} ended canceled.\n`,
    });
    const again = await runTroupe(["cancel", id], shop.options);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("is over: it ended canceled");
    expect((await runTroupe(["cancel", "no-such-run"], shop.options)).stderr).toContain("There is no run");
  });

  it("takes the answer from --input, and refuses one that does not fit", async () => {
    const run = await runTroupe([...shop.askFirst, "--input", "audience=Board"], shop.options);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("North");
    // What happens after the question is shown too.
    expect(run.stderr).toMatch(/^\[audience\] completed$[\s\S]*^\[\w+\] completed$/m);
    const wrong = await runTroupe([...shop.askFirst, "--input", "audience=Aliens"], shop.options);
    expect(wrong.code).toBe(2);
    // Known before anything is sent, so no plan is shown.
    expect(wrong.stderr).toBe('troupe: --input audience: "Aliens" is not one of Board, Staff.\n');
    const typo = await runTroupe([...shop.askFirst, "--input", "audeince=Board"], shop.options);
    expect(typo).toMatchObject({ code: 2, stdout: "" });
    expect(typo.stderr).toBe(
      'troupe: --input "audeince" is not asked for. What is, nearest first: audience.\n',
    );
  });

  it("is answered and ended after its servers were stopped in the meantime", async () => {
    for (const _ of ["to be answered", "to be ended"])
      expect(await runTroupe(shop.askFirst, shop.options)).toMatchObject({ code: 4 });
    shop.up.kill("SIGTERM");
    expect(await shop.up.finished).toMatchObject({ code: 0 });
    const { stdout } = await runTroupe(["runs", "--json"], shop.options);
    const runs = JSON.parse(stdout) as readonly { readonly runId: string; readonly status: string }[];
    const waiting = runs.filter(({ status }) => status === "input-required");
    const [answered, ended] = waiting.map(({ runId }) => runId);
    const args = ["answer", answered ?? "", "--input", "audience=Board", "--json"];
    const end = await runTroupe(args, shop.options);
    expect(end.code).toBe(0);
    expect(JSON.parse(end.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "result",
      runId: answered,
      outcome: "completed",
      answer: expect.stringContaining("North"),
    });
    expect(await runTroupe(["cancel", ended ?? ""], shop.options)).toMatchObject({ code: 0 });
  });
});
