import { silentLog, type Tool } from "@troupe/core";
import { memoryArtifactStore, virtualClock } from "@troupe/core/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import {
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";

import { sampleTools } from "../testing/sample-tools.ts";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";

async function connected(options: Partial<McpServerOptions> = {}) {
  const artifacts = memoryArtifactStore();
  const { tools, seen } = sampleTools(artifacts);
  const clock = virtualClock();
  const errors: string[] = [];
  const log = { ...silentLog, error: (message: string) => void errors.push(message), child: () => log };
  let ids = 0;
  const server = createMcpServer({
    name: "sample-mcp",
    version: "1.2.3",
    instructions: "Call echo first.",
    tools: options.tools ?? tools,
    artifacts,
    log,
    clock,
    newId: () => `id-${++ids}`,
    ...(options.resources && { resources: options.resources }),
    ...(options.prompts && { prompts: options.prompts }),
  });
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  await client.connect(theirs);
  onTestFinished(() => client.close());
  return { client, server, tools, seen, clock, errors, artifacts };
}

describe("a server made of core tools", () => {
  it("lists them with their JSON Schema, our extension included, closed as arguments are checked", async () => {
    const { client, tools } = await connected();
    const listed = await client.listTools();
    expect(listed.tools.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.definition.name));
    const cite = listed.tools.find((tool) => tool.name === "cite");
    expect(cite?.inputSchema).toEqual({ ...tools[1]?.definition.inputSchema, additionalProperties: false });
    expect(JSON.stringify(cite?.inputSchema)).toContain('"x-troupe-ref":"chart"');
    expect(listed.tools[0]?.annotations).toEqual({ idempotentHint: true });
  });

  it("lists what a tool declares of itself: title, hints and the schema of its results", async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    const cite = tools.find((tool) => tool.name === "cite");
    expect(cite).toMatchObject({
      title: "Quote",
      annotations: {
        title: "Quote",
        readOnlyHint: false,
        destructiveHint: false,
        openWorldHint: true,
        idempotentHint: false,
      },
      outputSchema: { type: "object", properties: { data: { required: ["rows"] } } },
    });
    // The client has the schemas now and checks results against them.
    expect(await client.callTool({ name: "cite", arguments: {} })).toHaveProperty("structuredContent.charts");
    const saved = await client.callTool({ name: "save", arguments: { name: "x", content: "x" } });
    expect(saved.structuredContent).toEqual({});
    const refused = await client.callTool({ name: "save", arguments: {} });
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toBeUndefined();
  });

  it("says who it is and what it is for", async () => {
    const { client } = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: "sample-mcp", version: "1.2.3" });
    expect(client.getInstructions()).toBe("Call echo first.");
  });

  it("answers with text, and with everything else as structured content", async () => {
    const { client } = await connected();
    const result = await client.callTool({ name: "cite", arguments: {} });
    expect(result.content).toEqual([{ type: "text", text: "Water is wet [c1]." }]);
    expect(result.structuredContent).toMatchObject({
      citations: [{ id: "c1", quote: "Water is wet" }],
      charts: [{ id: "k1", rows: [{ year: "2025", eur: 12.5 }] }],
      data: { rows: 1 },
      summary: "one passage",
    });
    const plain = await client.callTool({ name: "echo", arguments: { text: "hi" } });
    expect(plain.structuredContent).toBeUndefined();
  });

  it("links a file and serves its bytes", async () => {
    const { client } = await connected();
    const result = await client.callTool({ name: "save", arguments: { name: "a b.txt", content: "hällo" } });
    const [, link] = result.content as { type: string; uri: string; size: number; mimeType: string }[];
    expect(link).toMatchObject({ type: "resource_link", name: "a b.txt", mimeType: "text/plain", size: 6 });
    expect(link?.uri).toMatch(/^troupe-artifact:\/\/[^/]+\/a%20b\.txt$/);
    const read = await client.readResource({ uri: link?.uri ?? "" });
    expect(Buffer.from((read.contents[0] as { blob: string }).blob, "base64").toString()).toBe("hällo");
    expect((await client.listResources()).resources.map((resource) => resource.uri)).toEqual([link?.uri]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  });

  it.each([
    ["troupe-artifact://unknown/x.txt", /No resource "troupe-artifact:\/\/unknown\/x\.txt"/],
    ["file:///etc/passwd", /Addresses here look like/],
    ["troupe-artifact://../../x", /Addresses here look like/],
  ])("does not know the resource %s", async (uri, message) => {
    const { client } = await connected();
    await expect(client.readResource({ uri })).rejects.toThrow(message);
  });

  it("lists and sends a file only to the user it was made for", async () => {
    const { client, artifacts } = await connected();
    const eva = { _meta: { "troupe/userId": "eva" } };
    const made = await client.callTool({ name: "save", arguments: { name: "x", content: "x" }, ...eva });
    const [, link] = made.content as { uri: string }[];
    const uri = link?.uri ?? "";
    expect((await artifacts.list("eva", { limit: 2 })).files).toHaveLength(1);
    expect((await client.readResource({ uri, ...eva })).contents).toHaveLength(1);
    expect((await client.listResources(eva)).resources).toHaveLength(1);
    for (const other of [{ "troupe/userId": "ole" }, {}]) {
      await expect(client.readResource({ uri, _meta: other })).rejects.toThrow(/No resource/);
      expect((await client.listResources({ _meta: other })).resources).toEqual([]);
    }
  });

  it("does not send a file of another owner", async () => {
    const { client, artifacts } = await connected();
    const ref = await artifacts.put(Buffer.from("x"), { name: "x", mediaType: "text/plain", owner: "eva" });
    await expect(client.readResource({ uri: `troupe-artifact://${ref.id}/x` })).rejects.toThrow(
      /No resource/,
    );
  });

  it("lists what a provider has for the user, page by page, and reads it", async () => {
    const { client } = await connected({
      resources: {
        templates: [{ uriTemplate: "note://{id}", name: "note" }],
        list: ({ userId = "nobody" }) =>
          Promise.resolve(
            Array.from({ length: 250 }, (_, at) => ({ uri: `note://${userId}${at}`, name: "n" })),
          ),
        read: (uri, { userId = "nobody" }) =>
          Promise.resolve(
            uri === `note://${userId}1` ? [{ uri, mimeType: "text/plain", text: "one" }] : undefined,
          ),
      },
    });
    const eva = { "troupe/userId": "eva" };
    const first = await client.listResources({ _meta: eva });
    expect(first.resources).toHaveLength(200);
    const { resources, nextCursor } = await client.listResources({
      cursor: first.nextCursor ?? "",
      _meta: eva,
    });
    expect([resources.at(-1)?.uri, resources.length, nextCursor]).toEqual(["note://eva249", 50, undefined]);
    await expect(client.listResources({ cursor: "x" })).rejects.toMatchObject({ code: -32602 });
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual([
      "artifact",
      "note",
    ]);
    const read = await client.readResource({ uri: "note://eva1", _meta: eva });
    expect(read.contents).toEqual([{ uri: "note://eva1", mimeType: "text/plain", text: "one" }]);
    await expect(client.readResource({ uri: "note://eva1" })).rejects.toMatchObject({ code: -32002 });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["resources/read", {}, '"resources/read" cannot be read: params.uri is missing.'],
    [
      "resources/read",
      { uri: 5 },
      '"resources/read" cannot be read: params.uri must be a string, not a number.',
    ],
    ["tools/call", { arguments: {} }, '"tools/call" cannot be read: params.name is missing.'],
    [
      "tools/call",
      { name: "echo", arguments: "x" },
      '"tools/call" cannot be read: params.arguments must be an object, not a string.',
    ],
    [
      "tools/call",
      { name: "echo", arguments: ["x"] },
      '"tools/call" cannot be read: params.arguments must be an object, not an array.',
    ],
    [
      "resources/list",
      { cursor: 1 },
      '"resources/list" cannot be read: params.cursor must be a string, not a number.',
    ],
    [
      "prompts/get",
      { name: "ask", arguments: { a: 1 } },
      '"prompts/get" cannot be read: params.arguments.a must be a string, not a number.',
    ],
    [
      "logging/setLevel",
      { level: "loud" },
      '"logging/setLevel" cannot be read: params.level must be one of debug, info, ',
    ],
  ])("says in a sentence why it cannot read %s with %j", async (method, params, message) => {
    const prompts = [{ name: "ask", title: "Ask", description: "Asks.", arguments: [], text: () => "ask" }];
    const { client } = await connected({ prompts });
    await expect(client.request({ method, params }, ResultSchema)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message) as string,
    });
  });

  it("tells the client to list resources again after a call that makes some", async () => {
    const { client } = await connected();
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve());
    });
    await client.callTool({ name: "save", arguments: { name: "x", content: "x" } });
    await expect(changed).resolves.toBeUndefined();
  });

  it("fills in prompts, and says which argument is missing", async () => {
    const { client } = await connected({
      prompts: [
        {
          name: "ask",
          title: "Ask",
          description: "Asks.",
          arguments: [
            { name: "question", description: "What", required: true },
            { name: "where", description: "Where", required: false },
          ],
          text: ({ question = "", where = "anywhere" }) => `Look ${where}: ${question}`,
        },
      ],
    });
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: "ask", title: "Ask" }]);
    const { messages } = await client.getPrompt({ name: "ask", arguments: { question: "Why?" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Look anywhere: Why?" } }]);
    await expect(client.getPrompt({ name: "ask", arguments: { question: " " } })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('"ask" needs: question') as unknown,
    });
    await expect(client.getPrompt({ name: "aks" })).rejects.toThrow('Did you mean "ask"?');
  });

  it("sends what a call logs from the level on that the client sets, without what is internal", async () => {
    const { client } = await connected();
    const messages: unknown[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void messages.push(params),
    );
    await client.callTool({ name: "echo", arguments: { text: "x" } });
    await client.callTool({ name: "boom", arguments: {} });
    expect(messages).toEqual([{ level: "error", logger: "boom", data: { message: "tool threw" } }]);
    await client.setLoggingLevel("debug");
    await client.callTool({ name: "echo", arguments: { text: "x" } });
    expect(messages[1]).toEqual({ level: "debug", logger: "echo", data: { message: "tool done" } });
    await client.setLoggingLevel("emergency");
    await client.callTool({ name: "boom", arguments: {} });
    expect(messages).toHaveLength(2);
  });

  it("answers bad arguments with what was wrong, as a result", async () => {
    const { client } = await connected();
    const result = await client.callTool({ name: "echo", arguments: { text: 7 } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain("- text: ");
  });

  it("answers an unknown tool with a protocol error that has the nearest names", async () => {
    const { client } = await connected();
    await expect(client.callTool({ name: "ecko", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('no tool "ecko" on sample-mcp. Did you mean "echo"?') as unknown,
    });
  });

  it("passes the message of our own errors and hides every other", async () => {
    const { client, errors } = await connected();
    const refused = await client.callTool({ name: "refuse", arguments: {} });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain("Call powerpoint_create_presentation first.");
    const boom = await client.callTool({ name: "boom", arguments: {} });
    expect(boom).toMatchObject({ isError: true });
    expect(JSON.stringify(boom.content)).toContain("internal error");
    expect(JSON.stringify(boom)).not.toContain("secret");
    expect(errors).toEqual(["tool threw"]);
  });

  it("reads run, call, user and collection from _meta, and does without", async () => {
    const { client, seen } = await connected();
    await client.callTool({
      name: "echo",
      arguments: { text: "x" },
      _meta: {
        "troupe/runId": "run-7",
        "troupe/callId": "call-1",
        "troupe/agent": "rag-agent",
        "troupe/userId": "eva",
        "troupe/collection": "norrvik",
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      },
    });
    expect(seen.contexts[0]).toMatchObject({
      runId: "run-7",
      callId: "call-1",
      agent: "rag-agent",
      userId: "eva",
      collectionId: "norrvik",
    });
    await client.callTool({ name: "echo", arguments: { text: "x" }, _meta: { "troupe/agent": 7 } });
    expect(seen.contexts[1]).toMatchObject({ runId: "id-1", callId: "id-2", agent: "mcp-client" });
    expect(seen.contexts[1]).not.toHaveProperty("userId");
    const unusable = { name: "echo", arguments: { text: "x" }, _meta: { "troupe/collection": ["norrvik"] } };
    await expect(client.callTool(unusable)).rejects.toMatchObject({ code: -32602 });
    expect(seen.contexts).toHaveLength(2);
  });

  it("hands a cancel to the running tool", async () => {
    const { client, seen } = await connected();
    const controller = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, undefined, { signal: controller.signal });
    const settled = call.catch((error: unknown) => error);
    await seen.entered;
    controller.abort(new Error("enough"));
    await seen.aborted;
    expect(await settled).toBeInstanceOf(Error);
  });

  it("stops a tool when the caller's deadline is over", async () => {
    const { client, seen, clock } = await connected();
    const call = client.callTool({ name: "wait", arguments: {}, _meta: { "troupe/deadlineMs": 1_000 } });
    await seen.entered;
    await clock.advance(1_000);
    await seen.aborted;
    expect(await call).toMatchObject({ isError: true });
    expect(clock.pending).toBe(0);
  });

  it("tells the client when its tools change", async () => {
    const { tools } = sampleTools();
    let now: readonly Tool[] = tools.slice(0, 1);
    const { client, server } = await connected({ tools: () => now });
    expect((await client.listTools()).tools).toHaveLength(1);
    const told = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    now = tools.slice(0, 2);
    await server.toolsChanged();
    await told;
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});
