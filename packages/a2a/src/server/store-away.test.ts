import { StoreError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import { answering, scriptedAgent, withServed } from "../testing/index.ts";

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] };
const oldMessage = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "go" }] };
const call = (method: string, params: unknown): object => ({ jsonrpc: "2.0", id: 1, method, params });

/** A store that refuses while there is an error, as one does whose disk or server is away. */
function refusing(why: () => Error | undefined): TaskStore {
  const memory = createMemoryTaskStore({ clock: virtualClock() });
  const through = <Result>(operation: () => Promise<Result>): Promise<Result> => {
    const refusal = why();
    return refusal === undefined ? operation() : Promise.reject(refusal);
  };
  return {
    ...memory,
    claim: (...args) => through(() => memory.claim(...args)),
    load: (...args) => through(() => memory.load(...args)),
    list: (...args) => through(() => memory.list(...args)),
    taskOf: (...args) => through(() => memory.taskOf(...args)),
  };
}

const CALLS: readonly (readonly [what: string, version: string, path: string, body: object | undefined])[] = [
  ["SendMessage", "1.0", "/a2a/jsonrpc", call("SendMessage", { message })],
  ["SendStreamingMessage", "1.0", "/a2a/jsonrpc", call("SendStreamingMessage", { message })],
  ["GetTask", "1.0", "/a2a/jsonrpc", call("GetTask", { id: "t" })],
  ["ListTasks", "1.0", "/a2a/jsonrpc", call("ListTasks", {})],
  ["message/send", "0.3", "/a2a/jsonrpc", call("message/send", { message: oldMessage })],
  ["tasks/get", "0.3", "/a2a/jsonrpc", call("tasks/get", { id: "t" })],
  ["message:send", "1.0", "/a2a/rest/message:send", { message }],
  ["tasks", "1.0", "/a2a/rest/tasks", undefined],
  ["v1/tasks/t", "0.3", "/a2a/rest/v1/tasks/t", undefined],
];

it.each(CALLS)("who calls %s of %s while the store is away is told to come back", async (...of) => {
  const [, version, path, body] = of;
  let refusal: Error | undefined = new StoreError("store.io", "the disk of db-7 is gone");
  const store = refusing(() => refusal);
  await withServed({ agent: scriptedAgent(() => answering(["done"])), store }, async ({ url }) => {
    const ask = (): Promise<Response> =>
      fetch(url + path, {
        method: body === undefined ? "GET" : "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": version },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const answer = await ask();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    const told = await answer.text();
    expect(told).toMatch(/ask again in a while/);
    expect(told).not.toMatch(/db-7/);
    refusal = undefined;
    expect((await ask()).status).not.toBe(503);
    refusal = new StoreError("store.corrupt", "page 7 is torn");
    expect(await (await ask()).text()).toMatch(/Its log says why/);
  });
});
