import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { runHere } from "../../testing/run-here.ts";
import { testContext } from "../../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { checkDisk, doctor } from "./doctor.ts";

afterEach(cleanUp);

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

/** The lines about the check of answers, with these settings in the configuration file. */
async function answerCheckLines(
  config: object,
  env: { readonly [name: string]: string } = {},
): Promise<readonly string[]> {
  const folder = temporaryFolder();
  for (const [name, kind] of [
    ["data-agent", "agent"],
    ["rag-agent", "agent"],
    ["rag-mcp", "mcp"],
  ] as const) {
    mkdirSync(join(folder, "apps", name), { recursive: true });
    const manifest = { name, troupe: { kind, port: 4_001 } };
    writeFileSync(join(folder, "apps", name, "package.json"), JSON.stringify(manifest));
  }
  const path = join(folder, "troupe.config.json");
  writeFileSync(path, JSON.stringify(config));
  let written = "";
  const context = testContext(folder, {
    appsRoot: join(folder, "apps"),
    env: { TROUPE_CONFIG: path, ...env },
    out: (text) => void (written += text),
  });
  await doctor(context, { json: false, settings: true });
  return written
    .split("\n")
    .filter((line) => line.includes("answer_check"))
    .map((line) => line.trim().replaceAll(/ {2,}/g, " | "));
}

it("shows the answer check in force, and agents with another one", async () => {
  expect(await answerCheckLines({})).toEqual(["answer_check | rules | default (TROUPE_ANSWER_CHECK)"]);
  expect(
    await answerCheckLines({ "data-agent": { answer_check: "model" }, "rag-mcp": { answer_check: "off" } }),
  ).toEqual([
    "answer_check | rules | default (TROUPE_ANSWER_CHECK)",
    "answer_check of data-agent | model | config file",
  ]);
  expect(await answerCheckLines({ answer_check: "off", "rag-agent": { answer_check: "rules" } })).toEqual([
    "answer_check | off | config file (TROUPE_ANSWER_CHECK)",
    "answer_check of rag-agent | rules | config file",
  ]);
  expect(
    await answerCheckLines({ "data-agent": { answer_check: "off" } }, { TROUPE_ANSWER_CHECK: "model" }),
  ).toEqual(["answer_check | model | env (TROUPE_ANSWER_CHECK)"]);
});

it("names the fallback model and those of the planner and of single agents", async () => {
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
  const keyless = await runHere(["doctor"], { home: join(folder, "home"), env: { TROUPE_CONFIG: file } });
  expect(keyless.stdout).toContain("No model key is set");
  expect(keyless.stdout).not.toContain("runs on tiny");
  const wrong = { ...env, TROUPE_PLANNER_MODEL: "anthropic:claude-haiku-5-5" };
  const refused = await runHere(["doctor"], { home: join(folder, "home"), env: wrong });
  expect(refused.stdout).toMatch(/BAD model .*needs ANTHROPIC_API_KEY/);
});
