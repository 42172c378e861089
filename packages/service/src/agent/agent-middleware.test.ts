import { silentLog, type Log } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { agentMiddleware, type AgentMiddlewareOptions } from "./agent-middleware.ts";
import { agentSettings } from "./agent-settings.ts";

function names(given: object, options: Partial<AgentMiddlewareOptions> = {}): readonly string[] {
  return agentMiddleware({
    config: { policy: [] },
    settings: agentSettings(0).parse(given),
    artifacts: memoryArtifactStore(),
    log: silentLog,
    ...options,
  }).map((one) => one.name);
}
const skill = { name: "a", description: "b", instructions: "c", files: [], readFile: async () => "" };
const extras = { own: [{ name: "own" }], workflows: () => [], skills: [skill] };

describe("the middleware of an agent", () => {
  it("is what helps and asks for nothing, unless the settings say otherwise", () => {
    expect(names({}, extras)).toEqual([
      "policy",
      "own",
      "tool-call-repair",
      "context-compaction",
      "workflow-catalogue",
      "skills",
    ]);
    expect(names({})).not.toContain("workflow-catalogue");
    expect(names({})).not.toContain("skills");
  });

  it.each([
    ["policy_middleware", "policy"],
    ["tool_call_repair_middleware", "tool-call-repair"],
    ["context_compaction_middleware", "context-compaction"],
    ["file_arguments_middleware", "file-arguments"],
    ["workflow_catalogue_middleware", "workflow-catalogue"],
    ["skills_middleware", "skills"],
  ])("is switched one by one: %s", (setting, name) => {
    expect(names({ [setting]: "true" }, extras)).toContain(name);
    expect(names({ [setting]: "false" }, extras)).not.toContain(name);
  });

  it("has run_workflow only with the catalogue", () => {
    const tools = (given: object) =>
      agentMiddleware({
        config: { policy: [] },
        settings: agentSettings(0).parse(given),
        artifacts: memoryArtifactStore(),
        log: silentLog,
        workflows: () => [],
      }).flatMap((one) => one.tools?.map(({ definition }) => definition.name) ?? []);
    expect(tools({})).toEqual(["run_workflow"]);
    expect(tools({ workflow_catalogue_middleware: "false" })).toEqual([]);
  });

  it("is gone altogether when the master switch is off, whatever the others say", () => {
    expect(names({ middleware: "false", file_arguments_middleware: true }, extras)).toEqual([]);
  });

  it("does not let what an agent brings itself be switched off in silence", () => {
    const warned: unknown[] = [];
    const log: Log = { ...silentLog, warn: (_, fields) => void warned.push(fields) };
    names({}, { ...extras, log });
    names({ middleware: false }, { log });
    expect(warned).toEqual([]);
    names({ middleware: false }, { ...extras, log });
    expect(warned).toEqual([{ names: ["own"] }]);
  });

  it("does not let rules be switched off in silence", () => {
    const warned: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => void warned.push(message) };
    const config = { policy: [{ effect: "deny", tool: "*" }] } as const;
    names({}, { config: { policy: [...config.policy] }, log });
    expect(warned).toEqual([]);
    names({ policy_middleware: false }, { config: { policy: [...config.policy] }, log });
    names({ middleware: false }, { config: { policy: [...config.policy] }, log });
    expect(warned).toHaveLength(2);
  });
});
