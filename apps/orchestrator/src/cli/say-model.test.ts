import { silentLog } from "@troupe/core";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { proseWriter } from "./prose-writer.ts";
import { sayModel } from "./say-model.ts";

afterEach(cleanUp);

async function saidOf(given: object, images: readonly string[] = []): Promise<string> {
  const running = await start(settings.parse({ home: temporaryFolder(), port: 0, agents: [], ...given }), {
    log: silentLog,
  });
  onTestFinished(() => running.close());
  let said = "";
  await sayModel({ err: (text) => void (said += text) }, running.url, images);
  return said;
}

it("says in one line that servers without a key work by rules, and which variable to set", async () => {
  expect(await saidOf({})).toMatch(/^No model key is set: .*playbook.* fixed rules .*ANTHROPIC_API_KEY.*\n$/);
});

it("names the images that are not used without a model", async () => {
  expect(await saidOf({}, ["chart.png"])).toContain(
    "Not used without a model, because fixed rules cannot read images: chart.png.\n",
  );
  expect(await saidOf({ anthropic_api_key: "sk-ant-x" }, ["chart.png"])).toBe("");
});

it("says that no model reviews answers if answer_check asks for one and none is set", async () => {
  expect(await saidOf({ answer_check: "model" })).toMatch(
    /^No model key is set: .*\nanswer_check is model, but no model is set: .* no model reviews them\.\n$/,
  );
  expect(await saidOf({ answer_check: "rules" })).not.toContain("answer_check");
  expect(await saidOf({ answer_check: "model", anthropic_api_key: "sk-ant-x" })).toBe("");
});

it("says nothing of servers that work with a model, or that do not say", async () => {
  expect(await saidOf({ anthropic_api_key: "sk-ant-x" })).toBe("");
  expect(await saidOf({ openai_base_url: "http://127.0.0.1:1/v1", model: "m" })).toBe("");
  let said = "";
  await sayModel({ err: (text) => void (said += text) }, "http://127.0.0.1:1");
  expect(said).toBe("");
});

it("wraps sentences at words for a terminal only, and splits no path", async () => {
  const path = `/home/ann/${"folder/".repeat(8)}agent.log`;
  const text = `The agent stopped and is restarted in 2 seconds. Its log is in ${path}.\n`;
  const lines: string[] = [];
  const err = (line: string): void => void lines.push(line);
  (await proseWriter({ err }))(text);
  (await proseWriter({ err, terminal: { columns: 40 } }))(text);
  expect(lines).toEqual([
    text,
    `The agent stopped and is restarted in 2\nseconds. Its log is in\n${path}.\n`,
  ]);
});
