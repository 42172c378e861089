import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

import { ARTIFACT_NAMES, EXT } from "@troupe/a2a";
import { agentEventSchema } from "@troupe/core";
import { NODE_NEEDED } from "@troupe/core/sqlite";
import { settings as orchestratorSettings } from "@troupe/orchestrator";
import type { SettingMeta } from "@troupe/service";
import { agentSettings } from "@troupe/service/agent";
import { mcpSettings } from "@troupe/service/mcp";
import { parseWorkflow, validateWorkflow, workflowSchema } from "@troupe/workflow";
import { describe, expect, it } from "vitest";
import type { z } from "zod";

import { readPage, tableUnder } from "./support/read-page.ts";

const root = new URL("../../", import.meta.url);

/** The default as the pages write it. */
function defaultOf(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success) return "required";
  if (parsed.data === undefined) return "-";
  return typeof parsed.data === "string" && parsed.data !== "" ? parsed.data : JSON.stringify(parsed.data);
}

it("settings.md has every setting with its env, flag, default and meaning", () => {
  const rows = new Map<string, string[]>();
  const schemas = { O: orchestratorSettings, A: agentSettings(1), M: mcpSettings(1) };
  for (const [process, schema] of Object.entries(schemas)) {
    for (const [key, setting] of Object.entries<z.ZodType>(schema.shape)) {
      const { env = "-", flag, description = "" } = (setting.meta() ?? {}) as SettingMeta;
      const fallback = key === "port" ? "its own" : defaultOf(setting);
      const processes = [rows.get(key)?.[4] ?? "", process].join(" ").trim();
      rows.set(key, [key, env, flag === undefined ? "-" : `--${flag}`, fallback, processes, description]);
    }
  }
  expect(tableUnder(readPage("docs/settings.md"), "# Settings")).toEqual([...rows.values()]);
});

describe("run-workflows.md", () => {
  const page = readPage("docs/run-workflows.md");
  const step = workflowSchema.shape.steps.element.shape;
  const field = step.form.unwrap().shape.fields.element.shape;
  it.each([
    ["## Keys of a workflow", workflowSchema.shape],
    ["## Keys of a step", step],
    ["## Keys of a form field", field],
  ])("has every key with its default: %s", (heading, shape) => {
    const expected = Object.entries<z.ZodType>(shape).map(([key, schema]) => [key, defaultOf(schema)]);
    expect(tableUnder(page, heading).map((cells) => cells.slice(0, 2))).toEqual(expected);
  });
});

it("no agent's own prompt says how to end: the response mode decides that", () => {
  const prompts = globSync(["apps/*/src/prompt.ts", "examples/*/src/prompt.ts"], { cwd: root });
  expect(prompts.length).toBeGreaterThan(4);
  const say = /\bfinish|final answer|require_user_input/i;
  const saying = prompts.filter((file) => say.test(readFileSync(new URL(file, root), "utf8")));
  expect(saying).toEqual([]);
});

it("the ports in deploy-one-agent.md are those of the apps", () => {
  const rows = globSync("apps/*/package.json", { cwd: root }).map((file) => {
    const { name, troupe } = JSON.parse(readFileSync(new URL(file, root), "utf8")) as {
      readonly name: string;
      readonly troupe: { readonly kind: string; readonly port: number };
    };
    return [
      name.replace("@troupe/", ""),
      troupe.kind === "mcp" ? "MCP server" : "A2A server",
      `${troupe.port}`,
    ];
  });
  const table = tableUnder(readPage("docs/deploy-one-agent.md"), "## Ports and settings");
  const ports = table.map((cells) => cells.slice(0, 3));
  for (const row of rows) expect(ports).toContainEqual(row);
});

it("deploy-one-agent.md lists the tools of every MCP server", () => {
  const table = tableUnder(readPage("docs/deploy-one-agent.md"), "## MCP servers from any client");
  for (const [server = "", tools = ""] of table) {
    const sources = globSync(`apps/${server}/src/tools/*.ts`, { cwd: root }).filter(
      (file) => !file.includes(".test."),
    );
    const named = sources.flatMap((file) => [...readPage(file).matchAll(/^ +name: "([a-z_]+)",$/gm)]);
    const listed = [...tools.matchAll(/`(\w+)`/g)];
    const names = (found: readonly RegExpMatchArray[]) => new Set(found.map(([, name]) => name));
    expect(names(listed)).toEqual(names(named));
  }
});

it("a2a-extension.md names every artifact, every event and the extension", () => {
  const page = readPage("docs/a2a-extension.md");
  expect(page).toContain(EXT);
  const table = tableUnder(page, "## Artifacts").map(([name]) => name);
  for (const name of Object.values(ARTIFACT_NAMES)) expect(table).toContain(name);
  const types = agentEventSchema.options.map((option) => option.shape.type.value);
  expect(types.length).toBeGreaterThan(10);
  for (const type of types) expect(page).toContain(`\`${type}\``);
});

it("command-line.md has every command and flag of the command's own help", () => {
  const page = readPage("docs/command-line.md");
  const flags = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];
  const program = new URL("apps/orchestrator/src/bin/troupe.ts", root).pathname;
  const help = (...args: string[]): string =>
    execFileSync(process.execPath, [...flags, program, ...args, "--help"], { encoding: "utf8" });
  const commands = [...help().matchAll(/^ {2}([a-z]+) .*[a-z]/gm)].map(([, name]) => name ?? "");
  expect(commands).toContain("run");
  for (const command of commands.filter((name) => name !== "help")) {
    expect(page).toContain(`\`${command}`);
    const options = [...help(command).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag ?? "");
    for (const flag of options.filter((name) => name !== "--help")) expect(page).toContain(flag);
  }
}, 120_000);

it("testing.md lists what the testing entries export, and nothing else", () => {
  const table = tableUnder(readPage("docs/testing.md"), "# Test with");
  const listed = table.map(([entry]) => entry?.split("/")[1]);
  const there = globSync("packages/*/src/testing/index.ts", { cwd: root }).map((file) => file.split("/")[1]);
  expect(new Set(listed)).toEqual(new Set(there));
  for (const [entry = "", ...cells] of table) {
    const source = readPage(`packages/${entry.split("/")[1]}/src/testing/index.ts`);
    const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","));
    const exported = lists
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "));
    // A cell that is one name has lost its backticks.
    const named = cells.flatMap((cell) =>
      /^\w+$/.test(cell) ? [cell] : (cell.match(/(?<=`)\w+(?=`)/g) ?? []),
    );
    expect([entry, named.toSorted()]).toEqual([entry, exported.toSorted()]);
  }
});

it.each(globSync("examples/workflows/*", { cwd: root }))("%s is a workflow for our agents", (file) => {
  const workflow = parseWorkflow(readPage(file), { file });
  expect(validateWorkflow(workflow, ["rag-agent", "ppt-agent", "data-agent"])).toEqual([]);
});

describe("AGENTS.md", () => {
  const map = readPage("AGENTS.md");
  const paths = [
    ...map.matchAll(/`((?:apps|packages|examples|benchmarks|docs|scripts|\.ci)\/[^\s`]+)`/g),
  ].map(([, path = ""]) => path);

  it("names only what is there", () => {
    expect(paths.length).toBeGreaterThan(80);
    expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });

  it("leads to every folder of every package", () => {
    const folders = globSync("packages/*/src/*/", { cwd: root }).filter(
      (folder) => !/\/(?:adapters|testing)$/.test(folder),
    );
    expect(folders.length).toBeGreaterThan(40);
    const missing = folders.filter(
      (folder) => !paths.some((path) => path === folder || path.startsWith(`${folder}/`)),
    );
    expect(missing).toEqual([]);
  });
});

it("architecture.md names every family of error codes, and no other", () => {
  const codes = globSync("packages/*/src/**/*-error.ts", { cwd: root }).flatMap((file) => {
    const source = readPage(file);
    const types = source.includes("extends TroupeError") ? source.matchAll(/"([a-z]+)\.[a-z-]+"/g) : [];
    return [...types].map(([, family]) => family);
  });
  const [, section = ""] = readPage("docs/architecture.md").split("## Errors");
  const named = [...section.matchAll(/`([a-z]+)\.\*`/g)].map(([, family]) => family);
  expect(new Set(named)).toEqual(new Set(codes));
});

it("every package asks for the Node that is said to be needed", () => {
  const [, last, next] = /^([\d.]+), ([\d.]+) or later$/.exec(NODE_NEEDED) ?? [];
  for (const file of globSync("{packages,apps}/*/package.json", { cwd: root })) {
    const { engines } = JSON.parse(readPage(file)) as { readonly engines?: { readonly node?: string } };
    expect([file, engines?.node]).toEqual([file, `^${last}.0 || >=${next}.0`]);
  }
});

it.each(["## Method", "## Results"])("benchmarks.md names every measurement under %s", (heading) => {
  const measured = globSync("benchmarks/src/*.mjs", { cwd: root }).map((file) => basename(file, ".mjs"));
  const named = tableUnder(readPage("docs/benchmarks.md"), heading).map(([name]) => name);
  expect(new Set(named)).toEqual(new Set(measured));
});
