import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { collect } from "@troupe/a2a/testing";
import { silentLog, systemClock, type ToolOutput } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";
import * as dataMcp from "@troupe/data-mcp";
import { createMcpPool, type McpPool } from "@troupe/mcp";
import * as pptMcp from "@troupe/ppt-mcp";
import * as ragAgent from "@troupe/rag-agent";
import * as ragMcp from "@troupe/rag-mcp";
import {
  addKey,
  delegationIssuer,
  findMcpToken,
  newId,
  openDelegationKey,
  shareCollection,
  type Running,
} from "@troupe/service";
import { OPEN_ACCESS, type McpDefinition } from "@troupe/service/mcp";
import type { Json, JsonObject } from "@troupe/stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const signal = AbortSignal.timeout(120_000);
const tools = { log: silentLog };
const ISSUER = "https://troupe.example.com";
const QUESTION = "What is the bonus of a level 4 engineer?";
const closes: (() => unknown)[] = [];
let home = "";
let pool: McpPool;
let agent: Running;
const urls = { "rag-mcp": "", "data-mcp": "", "ppt-mcp": "" };
const keys = { ann: "", bob: "", eve: "" };

const keep = async (starting: Promise<Running>): Promise<Running> => {
  const running = await starting;
  closes.push(() => running.close());
  return running;
};
const contextFor = (userId: string | undefined, collectionId?: string) => ({
  runId: newId(),
  callId: newId(),
  agent: "test-agent",
  signal,
  shared: { v: 1 as const, results: {} },
  log: silentLog,
  ...(userId === undefined ? {} : { userId }),
  ...(collectionId === undefined ? {} : { collectionId }),
});

/** Calls a tool of a running server in the name of a user, as an agent does. */
async function call(
  userId: string | undefined,
  name: string,
  args: JsonObject,
  collectionId?: string,
): Promise<ToolOutput> {
  const server = name.startsWith("powerpoint_")
    ? "ppt-mcp"
    : name.startsWith("rag_")
      ? "rag-mcp"
      : "data-mcp";
  const tool = (await pool.source(server).list({ signal })).find(
    ({ definition }) => definition.name === name,
  );
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.execute(args, contextFor(userId, collectionId));
}
const fieldOf = (output: ToolOutput, name: string): Json =>
  (output.data as { readonly [key: string]: Json })[name] ?? null;

const idOf = (output: ToolOutput, name: string): string => {
  const id = fieldOf(output, name);
  return typeof id === "string" ? id : "";
};

/** Takes files in as `troupe ingest` does: through a server that trusts its caller. */
async function ingest(definition: McpDefinition, tool: string, path: string, collection: string) {
  const opened = await definition.open({
    home,
    trusted: true,
    artifacts: memoryArtifactStore(),
    access: OPEN_ACCESS,
    log: silentLog,
  });
  const found = opened.tools.find(({ definition: { name } }) => name === tool);
  const output = await found?.execute({ paths: [path], collection, prune: false }, contextFor(undefined));
  expect(output).not.toHaveProperty("isError");
  await opened.close();
}

/** A public key of the orchestrator, where agents fetch it. */
async function serveKeys(keysJson: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(keysJson));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closes.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "troupe-users-"));
  const files = join(home, "files");
  mkdirSync(files);
  const write = (name: string, text: string): string => {
    writeFileSync(join(files, name), text);
    return join(files, name);
  };
  const handbook = write("handbook.md", "# Handbook\n\nThe office opens at 8 in the morning.");
  const payroll = write("payroll.md", "# Pay\n\nThe bonus of a level 4 engineer is 7,350 euros.");
  await ingest(ragMcp.ragMcp, "rag_ingest", handbook, "handbook");
  await ingest(ragMcp.ragMcp, "rag_ingest", payroll, "payroll");
  await ingest(dataMcp.dataMcp, "data_ingest", write("visits.csv", "day,visits\n2025-01-01,3\n"), "handbook");
  await ingest(dataMcp.dataMcp, "data_ingest", write("pay.csv", "level,bonus\n4,7350\n5,9000\n"), "payroll");
  shareCollection({ home, collection: "handbook", owner: "ann", readers: "everyone" });
  shareCollection({ home, collection: "payroll", owner: "ann", readers: ["bob"] });

  const on = { home, port: 0, auth: "on", log_level: "silent" };
  const servers = {
    "rag-mcp": await keep(ragMcp.start(ragMcp.settings.parse(on), tools)),
    "data-mcp": await keep(dataMcp.start(dataMcp.settings.parse(on), tools)),
    "ppt-mcp": await keep(pptMcp.start(pptMcp.settings.parse(on), tools)),
  };
  for (const [name, { url }] of Object.entries(servers)) urls[name as keyof typeof urls] = url;
  const headers = { Authorization: `Bearer ${findMcpToken(home) ?? ""}` };
  pool = createMcpPool(
    Object.entries(servers).map(([name, { url }]) => ({ name, url, headers })),
    { clock: systemClock, log: silentLog },
  );
  closes.push(() => pool.close());
  for (const user of ["ann", "bob", "eve"] as const)
    keys[user] = addKey({ home, name: user, user, scopes: ["*"], clock: systemClock }).key;
  const jwks = await serveKeys((await issuer()).jwks);
  agent = await keep(
    ragAgent.start(
      ragAgent.settings.parse({
        ...on,
        mcp_servers: { "rag-mcp": servers["rag-mcp"].url },
        trusted_issuers: { [ISSUER]: jwks },
      }),
      tools,
    ),
  );
}, 120_000);
afterAll(async () => {
  for (const close of closes.toReversed()) await close();
  rmSync(home, { recursive: true, force: true });
});

const issuer = async () =>
  delegationIssuer({
    key: await openDelegationKey(home),
    actor: "orchestrator",
    issuer: ISSUER,
    clock: systemClock,
    newId,
  });

const strangers = [["eve"], [undefined]] as const;

describe("documents of a collection with an owner", () => {
  it.each([["ann"], ["bob"]])("are found by %s, who may read it", async (user) => {
    for (const within of [{}, { collection: "payroll" }])
      expect((await call(user, "rag_search", { query: "bonus", ...within })).text).toContain("7,350");
    expect((await call(user, "rag_list_collections", {})).text).toContain("payroll");
  });

  it.each(strangers)("are not there for %s", async (user) => {
    const mine = await call("ann", "rag_list_documents", { collection: "payroll" });
    const [document] = fieldOf(mine, "documents") as unknown as [{ documentId: string }];
    const outputs = await Promise.all([
      call(user, "rag_search", { query: "bonus engineer" }),
      call(user, "rag_search", { query: "bonus engineer", collection: "payroll" }),
      call(user, "rag_search", { query: "bonus" }, "payroll"),
      call(user, "rag_search", { query: "bonuss engineers" }),
      call(user, "rag_search", { queries: ["bonus", "pay"], from: "1990", neighbours: 1 }),
      call(user, "rag_outline", { document_id: document.documentId }),
      call(user, "rag_get_page", { document_id: document.documentId, heading: "Pay" }),
      call(user, "rag_list_collections", {}),
      call(user, "rag_list_documents", {}),
      call(user, "rag_list_documents", { collection: "payroll" }),
      call(user, "rag_get_page", { document_id: document.documentId }),
      call(user, "rag_get_page", { document_id: document.documentId, page: 9 }),
      call(user, "rag_delete_document", { document_id: document.documentId }),
    ]);
    for (const output of outputs) {
      // What was asked for may be quoted; nothing else of it may be there.
      const { text, ...rest } = output;
      expect(text).not.toMatch(/7,350|1 of|2 documents/);
      expect(JSON.stringify(rest)).not.toMatch(/7,350|payroll/);
    }
    const searchIn = (documents: readonly string[]) =>
      call(user, "rag_search", { query: "bonus", documents });
    for (const name of [document.documentId, "payroll.md"])
      await expect(searchIn([name])).resolves.toMatchObject({
        isError: true,
        text: `documents: there is no document "${name}". There is, among others: "Handbook" (handbook.md). Give ids, file names or titles of rag_list_documents.`,
      });
    // In words the same as for a collection that never was.
    const absent = await call(user, "rag_search", { query: "x", collection: "payrol" });
    expect(outputs[1]?.text.replace("payroll", "payrol")).toBe(absent.text);
    expect(absent.text).toBe('No documents were taken in under "payrol"; documents are in "handbook".');
    expect((await call("ann", "rag_search", { query: "bonus" })).text).toContain("7,350");
  });

  it("are deleted by the owner only", async () => {
    const listed = await call("bob", "rag_list_documents", { collection: "payroll" });
    const [document] = fieldOf(listed, "documents") as unknown as [{ documentId: string }];
    const refused = await call("bob", "rag_delete_document", { document_id: document.documentId });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("only its owner") as unknown,
    });
    expect((await call("bob", "rag_search", { query: "bonus" })).text).toContain("7,350");
  });
});

describe("tables of a collection with an owner", () => {
  const sql = "SELECT level, bonus FROM pay";

  it("and results of them are there for those who may read it", async () => {
    const result = await call("ann", "query_db", { sql, collection: "payroll" });
    const id = fieldOf(result, "result_id");
    expect((await call("bob", "visualize", { result_id: id })).text).toContain("9000");
    for (const user of ["eve", undefined])
      for (const tool of ["visualize", "analyze"])
        expect(await call(user, tool, { result_id: id })).toMatchObject({
          isError: true,
          text: expect.stringContaining("There is no result") as unknown,
        });
  });

  it.each(strangers)("are not there for %s", async (user) => {
    const listed = (await call(user, "list_collections", {})).text;
    expect(listed).toMatch(
      /^Data collections: handbook\n\nCollection handbook: 1 table\.\n- visits \(1 row\): .*$/,
    );
    // The only one they may read, so it need not be named.
    expect((await call(user, "describe_data", {})).text).toContain("visits");
    const absent = await call(user, "describe_data", { collection: "payrol" });
    for (const [tool, args] of [
      ["describe_data", {}],
      ["query_db", { sql }],
      ["analyze", { table: "pay" }],
    ] as const) {
      const refused = await call(user, tool, { ...args, collection: "payroll" });
      expect(refused.text.replace("payroll", "payrol")).toBe(absent.text);
    }
    expect(absent.text).toBe('No tables were taken in under "payrol"; tables are in "handbook".');
  });
});

it("a presentation is there for the user who started it", async () => {
  const started = await call("ann", "powerpoint_create_presentation", { title: "Pay" });
  const id = fieldOf(started, "presentation_id");
  const slide = { kind: "bullets", title: "Pay", points: [{ text: "It grows" }] };
  const add = { presentation_id: id, slide };
  expect((await call("ann", "powerpoint_add_slide", add)).isError).toBeUndefined();
  for (const user of ["bob", undefined])
    for (const [tool, args] of [
      ["powerpoint_add_slide", add],
      ["powerpoint_list_slides", { presentation_id: id }],
      ["powerpoint_save_presentation", { presentation_id: id, file_name: "x" }],
    ] as const)
      expect(await call(user, tool, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining("There is no presentation") as unknown,
      });
});

it("an overview of an agent has only the data that the caller may read", async () => {
  const overviewFor = async (user: keyof typeof keys, collection?: string) => {
    const remote = await connectAgent(agent.url, { headers: { Authorization: `Bearer ${keys[user]}` } });
    return remote.overview(collection, { signal });
  };
  expect(await overviewFor("bob", "payroll")).toContain('- "payroll" (payroll.md');
  expect(await overviewFor("bob")).toMatch(/handbook\.md[^]*payroll\.md/);
  expect(await overviewFor("eve", "payroll")).toBe("payroll: 0 documents, 0 passages");
  expect(await overviewFor("eve")).not.toContain("pay");
  expect((await fetch(`${agent.url}/overview?collection=handbook`)).status).toBe(401);
});

it("resources are listed and read by the same rules", async () => {
  const open = async (server: keyof typeof urls) => {
    const client = new Client({ name: "test", version: "1" });
    const headers = { Authorization: `Bearer ${findMcpToken(home) ?? ""}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(urls[server]), { requestInit: { headers } }),
    );
    closes.push(() => client.close());
    return client;
  };
  const as = (user: string) => ({ _meta: { "troupe/userId": user } });
  const rag = await open("rag-mcp");
  const data = await open("data-mcp");
  const names = async (client: Client, user: string) =>
    (await client.listResources(as(user))).resources.map(({ name }) => name);
  expect(await names(rag, "bob")).toEqual([
    "handbook overview",
    "payroll overview",
    "handbook.md",
    "payroll.md",
  ]);
  expect(await names(rag, "eve")).toEqual(["handbook overview", "handbook.md"]);
  expect(await names(data, "bob")).toEqual(["handbook", "handbook overview", "payroll", "payroll overview"]);
  expect(await names(data, "eve")).toEqual(["handbook", "handbook overview"]);
  const { resources } = await rag.listResources(as("ann"));
  const document = resources.find(({ name }) => name === "payroll.md")?.uri ?? "";
  const result = await call("ann", "query_db", {
    sql: "SELECT level, bonus FROM pay",
    collection: "payroll",
  });
  for (const [client, uri] of [
    [rag, document],
    [rag, `${document}/1`],
    [data, "troupe-data://collections/payroll"],
    [data, `troupe-data://results/${idOf(result, "result_id")}`],
  ] as const) {
    expect(JSON.stringify(await client.readResource({ uri, ...as("bob") }))).toMatch(/7,?350/);
    await expect(client.readResource({ uri, ...as("eve") })).rejects.toMatchObject({ code: -32002 });
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
  }
  const overviewFor = async (user: string, client: Client, uri: string) =>
    JSON.stringify((await client.readResource({ uri, ...as(user) })).contents);
  for (const [client, scheme, mine] of [
    [rag, "troupe-document", "payroll.md"],
    [data, "troupe-data", "- pay (2 rows)"],
  ] as const) {
    const uri = `${scheme}://overview?collection=payroll`;
    expect(await overviewFor("bob", client, uri)).toContain(mine);
    expect(await overviewFor("bob", client, `${scheme}://overview`)).toContain(mine);
    // In words the same as for a collection that never was.
    const absent = await overviewFor("eve", client, uri.replace("payroll", "payrol"));
    expect((await overviewFor("eve", client, uri)).replaceAll("payroll", "payrol")).toBe(absent);
    expect(absent).toMatch(/no tables|0 documents/);
    expect(await overviewFor("eve", client, `${scheme}://overview`)).not.toContain("pay");
  }
  const started = await call("ann", "powerpoint_create_presentation", { title: "Pay" });
  const uri = `troupe-presentation://${idOf(started, "presentation_id")}`;
  const ppt = await open("ppt-mcp");
  expect(JSON.stringify(await ppt.readResource({ uri, ...as("ann") }))).toContain("Pay");
  await expect(ppt.readResource({ uri, ...as("bob") })).rejects.toMatchObject({ code: -32002 });
  const prompts = await Promise.all(
    [rag, data, ppt].map(async (client) => (await client.listPrompts()).prompts),
  );
  expect(prompts.flat().map(({ name }) => name)).toEqual(["ask-documents", "ask-data", "make-deck"]);
});

describe("an agent", () => {
  const ask = async (token: string, collection?: string): Promise<string> => {
    const client = await connectAgent(agent.url, {
      headers: () => ({ Authorization: `Bearer ${token}` }),
      signal,
    });
    // The message names another user, who counts for nothing beside the token.
    const collectionId = collection === undefined ? {} : { collectionId: collection };
    const sent = await client.send({ text: QUESTION, userId: "ann", ...collectionId }, { signal });
    return JSON.stringify(await collect(client.join(sent.taskId, { signal })));
  };

  it("answers from what the user of its caller's key may read", async () => {
    expect(await ask(keys.ann)).toContain("7,350");
    expect(await ask(keys.bob, "payroll")).toContain("7,350");
    expect(await ask(keys.eve)).not.toMatch(/7,350/);
    expect(await ask(keys.eve, "payroll")).not.toMatch(/7,350/);
  });

  it("answers from what the user of a delegation token may read", async () => {
    const delegation = await issuer();
    const token = (id: string) =>
      delegation.tokenFor({ caller: { id, scopes: ["*"] }, agent: "rag-agent", audience: agent.url });
    expect(await ask(await token("bob"))).toContain("7,350");
    expect(await ask(await token("eve"))).not.toMatch(/7,350/);
  });
});
