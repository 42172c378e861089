import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { readConfigFile } from "../adapters/run-main.ts";
import { agentSettings } from "../agent/agent-settings.ts";

import { loadConfig } from "./load-config.ts";
import { modelChoice } from "./model-choice.ts";
import { allowedOriginsSetting, modelSettings } from "./process-settings.ts";

describe("origins that may be called", () => {
  const schema = z.object({ allowed_origins: allowedOriginsSetting });
  const read = (...origins: readonly string[]): readonly string[] =>
    loadConfig(schema, {
      env: { TROUPE_ALLOWED_ORIGINS: JSON.stringify(origins) },
      readSecret: () => "",
    }).value.allowed_origins;

  it("are scheme, host and port", () => {
    const origins = [
      "http://127.0.0.1:9000",
      "https://agents.example/",
      "http://[::1]:80",
      "HTTP://Me.example",
    ];
    expect(read(...origins)).toEqual(origins);
  });

  it.each(["https://a.example/agents", "https://a.example/?x", "https://a.example#x", "http://me@a.example"])(
    "are not %s, which says more",
    (address) => {
      expect(() => read("http://127.0.0.1:9000", address)).toThrow(
        /allowed_origins \(TROUPE_ALLOWED_ORIGINS\): .*at 1 - an origin has no path, query or user/,
      );
    },
  );

  it.each(["a.example", "ftp://a.example", ""])('are not "%s", which is no address of the web', (address) => {
    expect(() => read(address)).toThrow(/at 0 - Invalid URL/);
  });
});

describe("models", () => {
  it("are waited for as long as the environment says, with its fallback, effort and thinking", () => {
    const read = (env: { readonly [name: string]: string }) =>
      modelChoice(loadConfig(z.object(modelSettings), { env, readSecret: () => "" }).value);
    expect(read({})).toMatchObject({ firstTokenTimeoutMs: 60_000, idleTimeoutMs: 30_000 });
    const env = {
      TROUPE_FIRST_TOKEN_TIMEOUT_SECONDS: "600",
      TROUPE_IDLE_TIMEOUT_SECONDS: "1.5",
      TROUPE_FALLBACK_MODEL: "openai:llama3.3",
      TROUPE_EFFORT: "low",
      TROUPE_THINKING: "between_tools",
    };
    expect(read(env)).toMatchObject({
      firstTokenTimeoutMs: 600_000,
      idleTimeoutMs: 1_500,
      fallbackModel: "openai:llama3.3",
      effort: "low",
      thinking: "between_tools",
    });
    expect(() => read({ TROUPE_EFFORT: "huge", TROUPE_IDLE_TIMEOUT_SECONDS: "0" })).toThrow(
      /idle_timeout_seconds \(TROUPE_IDLE_TIMEOUT_SECONDS\)[^]*effort \(TROUPE_EFFORT\)/,
    );
  });

  it("may be another for one agent, by its section of the file", () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-config-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "troupe.config.json");
    writeFileSync(path, JSON.stringify({ model: "big", "rag-agent": { model: "small", effort: "low" } }));
    const modelOf = (name: string) =>
      loadConfig(agentSettings(0), { file: readConfigFile(path, name), readSecret: () => "" }).value;
    expect(modelOf("rag-agent")).toMatchObject({ model: "small", effort: "low" });
    expect(modelOf("data-agent")).toMatchObject({ model: "big" });
  });
});
