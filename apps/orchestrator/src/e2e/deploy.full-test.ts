import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Role, TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { discoverApps, type AppManifest } from "../supervisor/discover.ts";
import { repository, runCommand, startServer, type Server } from "../testing/commands.ts";

const SAMPLES: { readonly [extension: string]: string } = {
  ".csv": "region,revenue\nNorth,240\nSouth,160\n",
  ".md": "# Buoys\n\nA buoy of the second generation measures turbidity every ten minutes.\n",
};
const COLLECTION = "sample";
/** A question to look up in the documents or the data, and findings to present. */
const taskFor = (agent: string): string => `${
  agent === "data-agent" ? "Show revenue by region." : "What does a buoy measure?"
}

## Result of step notes (by hand, completed)
# Buoys
- Buoys of the second generation measure turbidity.
`;

const apps = discoverApps(join(repository, "apps"));
const folder = mkdtempSync(join(tmpdir(), "troupe-deploy-"));
const env = { HOME: join(folder, "empty"), TROUPE_HOME: join(folder, "home"), TROUPE_LOG_LEVEL: "warn" };
const servers = new Map<string, Server>();
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder that holds the app and all it needs, from its build. */
async function deploy(app: AppManifest): Promise<string> {
  const target = join(folder, app.name);
  const name = `@troupe/${app.name}`;
  await runCommand("pnpm", ["--filter", name, "deploy", "--prod", target], { cwd: repository });
  if (!readdirSync(target).includes("dist")) throw new Error(`${app.name} is not built: run pnpm build`);
  return target;
}

async function run(app: AppManifest, dir: string, more: { [name: string]: string } = {}): Promise<Server> {
  const server = await startServer(["dist/main.js", "--port", "0"], { cwd: dir, env: { ...env, ...more } });
  servers.set(app.name, server);
  return server;
}

/** As a parent on this machine does it, with the SDK's own client. */
async function ingestOverStdio(dir: string, ingest: NonNullable<AppManifest["ingest"]>): Promise<void> {
  const paths = ingest.extensions.filter((extension) => extension in SAMPLES).map(sample);
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["dist/main.js", "--stdio"],
      cwd: dir,
      env,
    }),
  );
  const answer = await client.callTool({ name: ingest.tool, arguments: { paths, collection: COLLECTION } });
  await client.close();
  if (answer["isError"] === true) throw new Error(JSON.stringify(answer["content"]));
}

beforeAll(() => {
  mkdirSync(env.HOME);
  for (const [extension, text] of Object.entries(SAMPLES)) writeFileSync(sample(extension), text);
});
const sample = (extension: string): string => join(folder, `sample${extension}`);

describe.each(apps.filter((app) => app.kind === "mcp"))("$name, deployed", (app) => {
  let dir = "";
  let client: Client;
  beforeAll(async () => {
    dir = await deploy(app);
    if (app.ingest !== undefined) await ingestOverStdio(dir, app.ingest);
  });
  afterAll(() => client.close());

  it("answers the SDK's own client over HTTP: initialize, tools/list, a call", async () => {
    const { url } = await run(app, dir);
    client = new Client({ name: "e2e", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    expect(client.getServerVersion()?.name).toBe(app.name);
    const { tools } = await client.listTools();
    // Reading paths of the machine is for a local parent only.
    expect(tools.map((tool) => tool.name)).not.toContain(app.ingest?.tool);
    const [simplest] = tools
      .map(({ name, inputSchema: { required = [], properties = {} } }) => ({
        name,
        // One that takes a query or several requires neither of the two names.
        required: "query" in properties ? [...new Set([...required, "query"])] : required,
      }))
      .toSorted((a, b) => a.required.length - b.required.length);
    const answer = await client.callTool({
      name: simplest?.name ?? "",
      arguments: Object.fromEntries((simplest?.required ?? []).map((name) => [name, COLLECTION])),
    });
    expect(answer).not.toMatchObject({ isError: true });
    expect(JSON.stringify(answer.content)).toMatch(/\w/);
  });
});

describe.each(apps.filter((app) => app.kind === "agent"))("$name, deployed", (app) => {
  it("answers the SDK's own client: card, and a streamed message to its end", async () => {
    const used = app.uses.map((name) => [name, `${servers.get(name)?.url}/mcp`]);
    const { url } = await run(app, await deploy(app), {
      TROUPE_MCP_SERVERS: JSON.stringify(Object.fromEntries(used)),
    });
    const client = await new ClientFactory().createFromUrl(url);
    const card = await client.getAgentCard();
    expect(card.name).toBe(app.name);
    expect(card.skills.length).toBeGreaterThan(0);
    const states: TaskState[] = [];
    const artifacts = new Set<string>();
    for await (const { payload } of client.sendMessageStream({
      tenant: "",
      configuration: undefined,
      metadata: undefined,
      message: {
        messageId: "m-1",
        contextId: "",
        taskId: "",
        role: Role.ROLE_USER,
        parts: [
          {
            content: { $case: "text", value: taskFor(app.name) },
            metadata: undefined,
            filename: "",
            mediaType: "text/plain",
          },
        ],
        metadata: { collection: COLLECTION },
        extensions: [],
        referenceTaskIds: [],
      },
    })) {
      if (payload?.$case === "statusUpdate" && payload.value.status) states.push(payload.value.status.state);
      if (payload?.$case === "artifactUpdate") artifacts.add(payload.value.artifact?.name ?? "");
    }
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
    // One that was only partly done would be a partial_result.
    expect([...artifacts]).toEqual(expect.arrayContaining(["streaming_result", "final_result"]));
  });
});
