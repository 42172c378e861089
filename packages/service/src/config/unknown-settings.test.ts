import { expect, it } from "vitest";

import { agentSettings } from "../agent/agent-settings.ts";
import { requireKnownKeys, unknownKeys, unknownVariables } from "./unknown-settings.ts";

const { shape } = agentSettings(1);

it("names each TROUPE_ variable that nothing reads, with the nearest one that is", () => {
  const env = {
    TROUPE_AUHT: "on",
    TROUPE_XYZZY: "1",
    TROUPE_EMPTY: "",
    TROUPE_TASKS_URL_FILE: "/run/secrets/tasks",
    TROUPE_RUNS_KEEP_DAYS: "3",
    TROUPE_CONFIG: "/etc/troupe.json",
    PATH: "/bin",
  };
  expect(unknownVariables(env)).toEqual([
    'TROUPE_AUHT has no effect: there is no such setting. Did you mean "TROUPE_AUTH"?',
    "TROUPE_XYZZY has no effect: there is no such setting.",
  ]);
});

it("names unknown keys at the top of the file, and takes other objects for sections of servers", () => {
  const file = {
    $schema: "./x.json",
    auht: "on",
    limts: { maxTotalTokens: 5 },
    "rag-agnet": { log_level: "debug" },
    "weather-agent": { city: "Oslo" },
    engine: "restate",
    legacy_sse: true,
    chunk_size: 3,
  };
  expect(unknownKeys(file, { servers: ["rag-agent"] })).toEqual([
    'The config file has the unknown key "auht". Did you mean "auth"?',
    'The config file has the unknown key "limts". Did you mean "limits"?',
    'The config file has the unknown key "rag-agnet". Did you mean "rag-agent"?',
    'The config file has the unknown key "chunk_size". A setting of a server of your own belongs under the name of that server.',
  ]);
});

it("refuses unknown keys under a server's own name, all at once, and leaves other sections alone", () => {
  const file = { "rag-agent": { response_mod: "marker", zzz: 1, model: "m" }, "ppt-agent": { zzz: 1 } };
  expect(() => requireKnownKeys(file, "rag-agent", shape)).toThrow(
    'The config file cannot be used:\n  "response_mod" under "rag-agent": rag-agent has no such setting. ' +
      'Did you mean "response_mode"?\n  "zzz" under "rag-agent": rag-agent has no such setting.',
  );
  expect(() => requireKnownKeys(file, "data-agent", shape)).not.toThrow();
  expect(() => requireKnownKeys({ "rag-agent": 5 }, "rag-agent", shape)).toThrow(/must be an object/);
});
