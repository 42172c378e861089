import { TaskState } from "@a2a-js/sdk";
import { StoreError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import { asking, scriptedAgent, withServed, type AgentScript } from "../testing/index.ts";
import { whileTimePasses } from "../testing/while-time-passes.ts";

const RPC = { path: "/a2a/jsonrpc", version: "1.0" };
const OLD_RPC = { path: "/a2a/jsonrpc", version: "0.3" };
const REST = { path: "/a2a/rest", version: "1.0" };
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] };

const working: AgentScript = async function* (_asked, { signal }) {
  yield { type: "text-start", itemId: "1", role: "open" } as const;
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
};

it.each([
  ["works, over JSON-RPC", working, RPC],
  ["works, over JSON-RPC of 0.3", working, OLD_RPC],
  ["works, over REST", working, REST],
  ["waits for somebody, over REST", () => asking(), REST],
] as const)(
  "a task whose store is away is canceled when that is back; who asks meanwhile is told to ask again: it %s",
  async (_what, script, { path, version }) => {
    const clock = virtualClock();
    const memory = createMemoryTaskStore({ clock });
    let away = false;
    const store: TaskStore = {
      ...memory,
      save: (...save) => (away ? Promise.reject(new StoreError("store.io", "away")) : memory.save(...save)),
    };
    const send = (url: string, to: string, body: object, as = version): Promise<Response> =>
      fetch(url + to, {
        method: "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": as },
        body: JSON.stringify(body),
      });
    const passing = (answer: Promise<Response>): Promise<Response> => whileTimePasses(clock, 50, answer);
    await withServed({ agent: scriptedAgent(script), store, clock }, async ({ url }) => {
      const begun = await send(
        url,
        "/a2a/rest/message:send",
        { message, configuration: { returnImmediately: true } },
        "1.0",
      );
      const { id } = ((await begun.json()) as { readonly task: { readonly id: string } }).task;
      await clock.advance(100);
      const cancel = (): Promise<Response> =>
        path === "/a2a/rest"
          ? send(url, `${path}/tasks/${id}:cancel`, {})
          : send(url, path, {
              jsonrpc: "2.0",
              id: 1,
              method: version === "1.0" ? "CancelTask" : "tasks/cancel",
              params: { id },
            });
      away = true;
      for (let times = 0; times < 2; times++) {
        const answer = await passing(cancel());
        expect(answer.status).toBe(503);
        expect(answer.headers.get("retry-after")).toBe("1");
        expect(await answer.json()).toMatchObject({
          error: { message: expect.stringMatching(/is being canceled.*ask for it again/) as unknown },
        });
      }
      away = false;
      expect((await passing(cancel())).status).toBe(200);
      const kept = await memory.load("", id);
      expect(kept?.task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    });
  },
);
