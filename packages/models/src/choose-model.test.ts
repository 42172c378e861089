import { execFileSync } from "node:child_process";

import { silentLog } from "@troupe/core";
import { scriptedModel, virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { chooseModel } from "./choose-model.ts";

const base = { embedded: scriptedModel([]), clock: virtualClock(), log: silentLog };

describe("chooseModel", () => {
  it("takes the embedded model without a key and says so", () => {
    const chosen = chooseModel({ ...base, anthropicApiKey: "", openaiBaseUrl: "" });
    expect(chosen).toMatchObject({ kind: "playbook", model: base.embedded });
    expect(chosen.describe).toBe(
      "No model key is set: running by the built-in playbook: fixed rules that quote documents and query tables, and understand nothing. Set ANTHROPIC_API_KEY, or OPENAI_BASE_URL and TROUPE_MODEL, for a model.",
    );
  });

  it("takes Anthropic with a key, before a server, and shows no key", () => {
    const chosen = chooseModel({
      ...base,
      anthropicApiKey: "sk-ant-secret",
      openaiBaseUrl: "http://127.0.0.1:1/v1",
    });
    expect(chosen).toMatchObject({ kind: "anthropic", model: { id: "claude-sonnet-5-5" } });
    expect(chosen.describe).toBe(
      "Running on claude-sonnet-5-5 at Anthropic. OPENAI_BASE_URL is set too and not used.",
    );
  });

  it("takes the server at the base URL with the named model", () => {
    const chosen = chooseModel({
      ...base,
      openaiBaseUrl: "http://me:pass@127.0.0.1:11434/v1",
      openaiApiKey: "k",
      model: "llama3.3",
    });
    expect(chosen.kind).toBe("openai-compatible");
    expect(chosen.describe).toBe("Running on llama3.3 at http://127.0.0.1:11434/v1.");
  });

  it("takes the provider in the prefix of the name", () => {
    const both = { ...base, anthropicApiKey: "k", openaiBaseUrl: "http://127.0.0.1:1/v1" };
    const local = chooseModel({ ...both, model: "openai:llama3.2:3b" });
    expect(local).toMatchObject({ kind: "openai-compatible", model: { id: "llama3.2:3b" } });
    const remote = chooseModel({ ...both, model: "anthropic:claude-haiku-5-5" });
    expect(remote).toMatchObject({ kind: "anthropic", model: { id: "claude-haiku-5-5" } });
    expect(() => chooseModel({ ...base, model: "openai:llama3.3" })).toThrow(/needs OPENAI_BASE_URL/);
    expect(() => chooseModel({ ...base, model: "anthropic:claude-haiku-5-5" })).toThrow(
      /needs ANTHROPIC_API_KEY/,
    );
    expect(() => chooseModel({ ...both, fallbackModel: "openai:" })).toThrow(/no model is named/);
  });

  it("does not call a server unused on which another model of the process runs", () => {
    const both = { ...base, anthropicApiKey: "k", openaiBaseUrl: "http://127.0.0.1:1/v1" };
    for (const more of [{ alsoUsed: "openai:llama3.3" }, { fallbackModel: "openai:llama3.3" }])
      expect(chooseModel({ ...both, ...more }).describe).not.toContain("not used");
    expect(chooseModel({ ...both, alsoUsed: "claude-haiku-5-5" }).describe).toContain("not used");
  });

  it("needs no fallback for the playbook", () => {
    expect(chooseModel({ ...base, fallbackModel: "small" }).kind).toBe("playbook");
  });

  it("wants a model named for a server, and a server for a key", () => {
    expect(() => chooseModel({ ...base, openaiBaseUrl: "http://127.0.0.1:1/v1" })).toThrow(
      /no model is named/,
    );
    expect(chooseModel({ ...base, openaiApiKey: "k" }).describe).toContain("needs OPENAI_BASE_URL");
  });
});

describe("the index", () => {
  it("loads neither SDK when it is imported", () => {
    const index = new URL("index.ts", import.meta.url).href;
    // A process of its own: this one has loaded both.
    const script = `
      const { registerHooks } = await import("node:module");
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      await import(${JSON.stringify(index)});
      console.log(loaded.filter((url) => /node_modules.(openai|@anthropic-ai)/.test(url)).length, loaded.length);`;
    const output = execFileSync(
      process.execPath,
      ["--conditions=troupe-source", "--no-warnings", "--input-type=module", "--eval", script],
      { encoding: "utf8" },
    );
    const [sdk, all] = output.split(" ").map(Number);
    expect(sdk).toBe(0);
    expect(all).toBeGreaterThan(10);
  });
});
