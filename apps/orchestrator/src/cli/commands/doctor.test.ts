import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, it } from "vitest";

import { runHere } from "../../testing/run-here.ts";
import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { checkDisk } from "./doctor.ts";

it.each([
  [0, false],
  [120_000, false],
  [130_000, true],
])("reports a disk with %i free blocks as ready: %s", (bavail, ok) => {
  expect(checkDisk("/home", () => ({ bavail, bsize: 4_096 }))).toEqual([
    {
      name: "disk",
      ok,
      says: expect.stringMatching(ok ? /^0\.5 GB free on .* folder$/ : /free at least 0\.5 GB/),
    },
  ]);
});

it("leaves a home that cannot be read to the check of the home", () => {
  expect(checkDisk("/nowhere/home")).toEqual([]);
});

afterAll(cleanUp);

it("names the models of the planner, of single agents, and the one for when another fails", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "troupe.config.json");
  const url = "http://127.0.0.1:9/v1";
  const models = { model: "big", planner_model: "clever", fallback_model: "small" };
  writeFileSync(file, JSON.stringify({ ...models, "rag-agent": { model: "tiny" } }));
  const env = { TROUPE_CONFIG: file, OPENAI_BASE_URL: url };
  const { stdout } = await runHere(["doctor", "--settings"], { home: join(folder, "home"), env });
  expect(stdout).toContain(
    `Running on big at ${url}. Where that fails: small. Planning on clever. rag-agent runs on tiny.`,
  );
  expect(stdout).toMatch(/first_token_timeout_seconds +60 +default \(TROUPE_FIRST_TOKEN_TIMEOUT_SECONDS\)/);
  const wrong = { ...env, TROUPE_PLANNER_MODEL: "anthropic:claude-haiku-5-5" };
  const refused = await runHere(["doctor"], { home: join(folder, "home"), env: wrong });
  expect(refused.stdout).toMatch(/BAD model .*needs ANTHROPIC_API_KEY/);
});
