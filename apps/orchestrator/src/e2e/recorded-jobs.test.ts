import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, it } from "vitest";

import { repository } from "../testing/commands.ts";
import { cleanUp, runTroupe, temporaryFolder } from "../testing/troupe.ts";

afterAll(cleanUp);

/** In the order in which they are played: planners cannot tell whose recorded plan is next. */
const JOBS = ["document-question", "data-question", "main-job"];

interface Played {
  readonly cases: readonly {
    readonly id: string;
    readonly attempts: readonly { readonly turns: readonly { readonly answer: string }[] }[];
  }[];
}

it("plays a document question, a data question with a chart and a presentation against live servers", async () => {
  const folder = temporaryFolder();
  const recordings = join(repository, "examples", "recordings");
  const norrvik = join(repository, "examples", "norrvik");
  if (!existsSync(join(norrvik, "data", "sales.csv")))
    spawnSync(process.execPath, [join(norrvik, "make", "generate-data.mjs")], { stdio: "ignore" });
  const all = JOBS.map((job) => readFileSync(join(recordings, `${job}.jsonl`), "utf8"));
  writeFileSync(join(folder, "all.jsonl"), all.join(""));

  const end = await runTroupe(["eval", join(recordings, "jobs.yaml"), "--json", "played.json"], {
    home: join(folder, "home"),
    env: { TROUPE_REPLAY: join(folder, "all.jsonl") },
  });
  expect(end.stderr).toMatch(/^The words of the model are a recording of .*; everything else is live\.$/m);
  // Facts, citations, charts, slides and that no sentence is marked are compared by what the file expects.
  expect(end.stdout).toContain("3 of 3 runs passed");
  expect(end.code).toBe(0);
  const { cases } = JSON.parse(readFileSync(join(folder, "played.json"), "utf8")) as Played;
  expect(cases.map(({ id }) => id)).toEqual(JOBS);
  const recorded = all.join("");
  for (const { attempts } of cases.slice(0, 2)) {
    const [first = ""] = attempts[0]?.turns[0]?.answer.split(" [", 1) ?? [];
    expect(recorded).toContain(JSON.stringify(first).slice(1, -1));
  }
});
