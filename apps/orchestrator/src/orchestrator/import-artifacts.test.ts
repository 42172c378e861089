import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { silentLog, type Caller } from "@troupe/core";
import { memoryArtifactStore, virtualClock } from "@troupe/core/testing";
import { NO_USAGE, type AgentEvent, type AgentEventBody, type ArtifactRef } from "@troupe/stream";
import { scriptedGateway } from "@troupe/workflow/testing";
import { expect, it, onTestFinished } from "vitest";

import { importArtifacts } from "./import-artifacts.ts";

const { signal } = new AbortController();
const content = "a deck";

/** Serves the one file everywhere, and counts who asks. */
async function serve(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/away") response.writeHead(302, { location: "/deck.pptx" }).end();
    else response.end(content);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const file = (url: string, more: Partial<ArtifactRef> = {}): ArtifactRef => ({
  id: "theirs",
  name: "deck.pptx",
  mediaType: "x/y",
  bytes: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  url,
  ...more,
});
const numbered = (bodies: readonly AgentEventBody[]): readonly AgentEvent[] =>
  bodies.map((body, seq) => ({ v: 1, runId: "t", seq, attempt: 1, agent: "a", ...body }));
const text = (delta: string): AgentEventBody => ({ type: "text-delta", itemId: "1", delta });

/** A step whose agent, at `address`, makes these files. */
async function run(
  artifacts: readonly ArtifactRef[],
  address: string | undefined,
  allowedOrigins: readonly string[] = [],
  onEvent: (event: AgentEvent) => void = () => undefined,
  caller?: Caller,
) {
  const clock = virtualClock();
  const files = memoryArtifactStore();
  const script = () => ({
    result: { artifacts },
    events: numbered([
      text("before"),
      ...artifacts.map((artifact) => ({ type: "artifact", artifact }) as const),
      text("after"),
    ]),
  });
  const options = { files, addressOf: () => Promise.resolve(address), allowedOrigins, clock, log: silentLog };
  const gateway = importArtifacts(scriptedGateway(script, clock), options);
  const delegation = {
    v: 1 as const,
    objective: "",
    instruction: "Make a deck.",
    expectedOutput: "",
    allowedTools: [],
    limits: {},
    results: {},
  };
  const { taskId } = await gateway.send("maker", { messageId: "m", delegation }, { signal });
  const events: AgentEvent[] = [];
  const awaited = gateway.await("maker", taskId, {
    signal,
    ...(caller === undefined ? {} : { caller }),
    onEvent: (event) => {
      events.push(event);
      onEvent(event);
    },
  });
  await clock.advance(0);
  const result = await awaited;
  const seen = events.map((event) =>
    event.type === "artifact" ? event.artifact.url : event.type === "text-delta" ? event.delta : event.type,
  );
  return { result, seen, files };
}

it("takes a file over from its agent, and tells its own address in the result and in order among the events", async () => {
  const agent = await serve();
  const { result, seen, files } = await run([file(`${agent.url}/deck.pptx`)], agent.url);
  const [copy] = result.artifacts;
  expect(result.outcome).toBe("completed");
  expect(copy?.url).not.toContain(agent.url);
  expect(seen).toEqual(["before", copy?.url, "after"]);
  expect((await files.get(copy?.id ?? "", ""))?.ref).toEqual(copy);
  expect(agent.asked).toEqual(["/deck.pptx"]);
});

it("lets its agent be read on while a file is taken over, but not without an end", async () => {
  const agent = await serve();
  const told: number[] = [];
  const waits: (void | Promise<void>)[] = [];
  const events = numbered([
    { type: "artifact", artifact: file(`${agent.url}/deck.pptx`) },
    ...Array.from({ length: 1_100 }, () => text("more")),
  ]);
  const gateway = importArtifacts(
    {
      send: () => Promise.resolve({ taskId: "t" }),
      cancel: () => Promise.resolve(),
      async await(name, _taskId, { onEvent }) {
        for (const event of events) waits.push(onEvent?.(event));
        const answer = { answer: "", data: null, citations: [], artifacts: [], usage: NO_USAGE };
        return { agent: name, outcome: "completed", ...answer };
      },
    },
    {
      files: memoryArtifactStore(),
      addressOf: () => Promise.resolve(agent.url),
      allowedOrigins: [],
      clock: virtualClock(),
      log: silentLog,
    },
  );
  await gateway.await("maker", "t", { signal, onEvent: ({ seq }) => void told.push(seq) });
  expect(waits.findIndex((wait) => wait !== undefined)).toBe(999);
  expect(told).toEqual(events.map(({ seq }) => seq));
});

it("fetches nothing from anywhere else, leaves the file out, and does not call the step completed", async () => {
  const [agent, other] = [await serve(), await serve()];
  const foreign = [`${other.url}/deck.pptx`, "file:///etc/passwd", "http://169.254.169.254/x", "deck.pptx"];
  for (const url of foreign) {
    const { result, seen } = await run([file(url)], agent.url);
    expect(result).toMatchObject({ outcome: "partial", artifacts: [], answer: "Make a deck." });
    expect(result.error?.message).toMatch(/"deck\.pptx" of agent "maker" .* not the agent's own/);
    expect(seen).toEqual(["before", "after"]);
  }
  expect(other.asked).toEqual([]);
});

it.each([
  ["is larger than any file may be", file("/deck.pptx", { bytes: 2 ** 40 }), []],
  ["is larger than announced", file("/deck.pptx", { bytes: 1 }), ["/deck.pptx"]],
  ["is not the one announced", file("/deck.pptx", { sha256: "0".repeat(64) }), ["/deck.pptx"]],
  ["leads elsewhere", file("/away"), ["/away"]],
])("leaves out a file that %s", async (_why, artifact, asked) => {
  const agent = await serve();
  const { result } = await run([{ ...artifact, url: agent.url + artifact.url }], agent.url);
  expect(result).toMatchObject({ outcome: "partial", artifacts: [], error: { code: "agent.protocol" } });
  expect(agent.asked).toEqual(asked);
});

it("takes files from an origin that was allowed", async () => {
  const [agent, store] = [await serve(), await serve()];
  const { result } = await run([file(`${store.url}/deck.pptx`)], agent.url, [store.url]);
  expect(result).toMatchObject({ outcome: "completed", artifacts: [{ name: "deck.pptx" }] });
});

it("knows this machine under all its names", async () => {
  const agent = await serve();
  const address = agent.url.replace("127.0.0.1", "localhost");
  expect((await run([file(`${agent.url}/deck.pptx`)], address)).result.outcome).toBe("completed");
});

it("leaves the files of an agent of this process where they are", async () => {
  const artifact = file("memory:deck.pptx");
  const { result, seen } = await run([artifact], undefined);
  expect(result).toMatchObject({ outcome: "completed", artifacts: [artifact] });
  expect(seen).toEqual(["before", artifact.url, "after"]);
});

it("takes at most 100 files of one step", async () => {
  const agent = await serve();
  const many = Array.from({ length: 101 }, (_, i) => file(`${agent.url}/${i}`, { id: `f${i}` }));
  const { result } = await run(many, agent.url);
  expect(result.outcome).toBe("partial");
  expect(agent.asked).toHaveLength(100);
});

it("asks for no more than 4 GiB of files of one step", async () => {
  const agent = await serve();
  const many = Array.from({ length: 6 }, (_, i) =>
    file(`${agent.url}/${i}`, { id: `f${i}`, bytes: 2 ** 30 }),
  );
  const { result } = await run(many, agent.url);
  expect(result.outcome).toBe("partial");
  expect(agent.asked).toHaveLength(4);
});

it("takes files over for whom the step is run", async () => {
  const agent = await serve();
  const caller = { id: "ann", scopes: [] };
  const { result, files } = await run([file(`${agent.url}/deck.pptx`)], agent.url, [], undefined, caller);
  const id = result.artifacts[0]?.id ?? "";
  expect((await files.find(id))?.owner).toBe("ann");
});

it("throws what its listener threw, also where the event had to wait for a file", async () => {
  const agent = await serve();
  const told: string[] = [];
  const refuse = ({ type }: AgentEvent): void => {
    told.push(type);
    if (type === "artifact") throw new Error("the log is full");
  };
  await expect(run([file(`${agent.url}/deck.pptx`)], agent.url, [], refuse)).rejects.toThrow(
    "the log is full",
  );
  expect(told).toEqual(["text-delta", "artifact"]);
});
