import { SendMessageRequest } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answering, plainMessage, scriptedAgent, withServed } from "../../testing/index.ts";
import { serveAgent } from "../serve-agent.ts";

/** How a task is subscribed to, in each version on each binding. */
const SURFACES = [
  ["JSON-RPC 1.0", "1.0", "/a2a/jsonrpc", "SubscribeToTask"],
  ["JSON-RPC 0.3", "0.3", "/a2a/jsonrpc", "tasks/resubscribe"],
  ["REST 1.0", "1.0", "/a2a/rest/tasks/ID:subscribe", undefined],
  ["REST 0.3", "0.3", "/a2a/rest/v1/tasks/ID:subscribe", undefined],
] as const;

interface Frame {
  readonly id: string | undefined;
  readonly data: string;
}

/** The frames of a stream as they stand on the wire, until its end or so many of them. */
async function framesOf(body: Response, count = Infinity): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  let text = "";
  for await (const chunk of (body.body ?? []) as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, data = ""] = /^(?:id: (\S+)\n)?data: (.+)$/.exec(block) ?? [];
      frames.push({ id, data });
      if (frames.length >= count) return frames;
    }
  }
  return frames;
}

type Surface = readonly [name: string, version: string, path: string, method: string | undefined];

/** With an id that nobody knows a task is followed from how it stands, also once it has ended. */
const NOBODYS = "before-all.1";

function subscribe(
  url: string,
  [, version, path, method]: Surface,
  taskId: string,
  lastEventId?: string,
): Promise<Response> {
  const params = { id: taskId };
  return fetch(`${url}${path.replace("ID", taskId)}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "A2A-Version": version,
      ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }),
    },
    body: JSON.stringify(method === undefined ? {} : { jsonrpc: "2.0", id: 1, method, params }),
  });
}

async function begin(url: string): Promise<string> {
  const configuration = { ...plainMessage("x").configuration, returnImmediately: true };
  const params = { ...(SendMessageRequest.toJSON(plainMessage("hi")) as object), configuration };
  const answer = await fetch(`${url}/a2a/jsonrpc`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params }),
  });
  return ((await answer.json()) as { result: { task: { id: string } } }).result.task.id;
}

/** An agent whose work goes on as the test says. */
function stepwise() {
  const begun = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const agent = scriptedAgent(async function* () {
    for (const callId of ["1", "2", "3"]) {
      yield { type: "tool-start", callId, tool: "look", arguments: null } as const;
      yield { type: "tool-end", callId, tool: "look", status: "ok", summary: "seen", ms: 1 } as const;
    }
    begun.resolve();
    await rest.promise;
    yield* answering(["done"]);
  });
  return { agent, begun: begun.promise, finish: rest.resolve };
}

describe("a reader that comes back", () => {
  it.each(SURFACES)("over %s gets exactly what it missed", async (...surface) => {
    const { agent, begun, finish } = stepwise();
    await withServed({ agent }, async ({ url }) => {
      const taskId = await begin(url);
      const [snapshot] = await framesOf(await subscribe(url, surface, taskId), 1);
      await begun;
      const whole = subscribe(url, surface, taskId, snapshot?.id);
      finish();
      const told = await framesOf(await whole);
      const numbers = told.map(({ id }) => Number(id?.split(".")[1]));
      expect(numbers.length).toBeGreaterThan(3);
      const first = Number(snapshot?.id?.split(".")[1]);
      expect(numbers).toEqual(numbers.map((_, i) => first + 1 + i));
      // After the end, too, from any place; and after the last there is nothing.
      for (const [at, { id }] of told.entries())
        expect(await framesOf(await subscribe(url, surface, taskId, id))).toEqual(told.slice(at + 1));
    });
  });

  it.each(SURFACES)("over %s with an id that nobody knows gets a snapshot", async (...surface) => {
    const { agent, finish } = stepwise();
    finish();
    await withServed({ agent }, async ({ url }) => {
      const taskId = await begin(url);
      const told = await framesOf(await subscribe(url, surface, taskId, NOBODYS));
      const [frame, ...more] = await framesOf(await subscribe(url, surface, taskId, "of-yesterday.7"));
      expect(more).toEqual([]);
      expect(frame?.data).toMatch(/artifacts/);
      expect(frame?.id).toBe(told.at(-1)?.id);
    });
  });

  it("gets a snapshot once the updates are no longer kept", async () => {
    const clock = virtualClock();
    const { agent, finish } = stepwise();
    finish();
    const { url, close } = await serveAgent({ agent, clock });
    try {
      const taskId = await begin(url);
      const [surface] = SURFACES;
      const told = await framesOf(await subscribe(url, surface, taskId, NOBODYS));
      const last = told.at(-1)?.id;
      expect(await framesOf(await subscribe(url, surface, taskId, last))).toEqual([]);
      await clock.advance(61_000);
      const [frame] = await framesOf(await subscribe(url, surface, taskId, last));
      expect(frame).toMatchObject({ id: undefined, data: expect.stringContaining("artifacts") as unknown });
    } finally {
      await close();
    }
  });
});

describe("a stream of 0.3 over REST", () => {
  it("beats while nothing happens", async () => {
    const clock = virtualClock();
    const { agent, begun, finish } = stepwise();
    await withServed({ agent, clock }, async ({ url }) => {
      const taskId = await begin(url);
      await begun;
      const answer = await subscribe(url, SURFACES[3], taskId);
      const reader = answer.body?.getReader();
      let text = "";
      const until = async (wanted: string): Promise<void> => {
        while (!text.includes(wanted)) text += new TextDecoder().decode((await reader?.read())?.value);
      };
      await until("\n\n");
      await clock.advance(15_000);
      await until(": alive\n\n");
      expect(text).toMatch(/^id: \S+\ndata: /);
      await reader?.cancel();
      finish();
    });
  });
});
