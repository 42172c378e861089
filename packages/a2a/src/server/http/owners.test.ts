import type { Caller } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";

const authenticate = (headers: { readonly [name: string]: unknown }): Promise<Caller> =>
  Promise.resolve({ id: String(headers["authorization"]), scopes: ["*"] });

const PATHS = ["", ":cancel", ":subscribe"] as const;

describe("a task of somebody else", () => {
  it("cannot be seen, listed, canceled, followed or answered, in any version on any binding", async () => {
    const release = Promise.withResolvers<void>();
    const agent = scriptedAgent(async function* () {
      const [first, ...rest] = answering(["secret"]);
      if (first !== undefined) yield first;
      await release.promise;
      yield* rest;
    });
    await withServed({ agent, authenticate }, async ({ url }) => {
      const ask = async (who: string, path: string, body: unknown, version = "1.0"): Promise<string> => {
        const answer = await fetch(`${url}${path}`, {
          ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
          headers: { "Content-Type": "application/json", Authorization: who, "A2A-Version": version },
        });
        return answer.text();
      };
      const rpc = (who: string, method: string, params: unknown, version?: string): Promise<string> =>
        ask(who, "/a2a/jsonrpc", { jsonrpc: "2.0", id: 1, method, params }, version);
      const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
      const configuration = { returnImmediately: true };
      const sent = await rpc("ann", "SendMessage", { message, configuration });
      const { task } = (JSON.parse(sent) as { result: { task: { id: string; contextId: string } } }).result;
      const { id, contextId } = task;
      expect(await rpc("ann", "GetTask", { id })).toContain(id);

      const said = [
        ...(await Promise.all(
          ["GetTask", "CancelTask", "SubscribeToTask"].map((method) => rpc("bob", method, { id })),
        )),
        ...(await Promise.all(
          ["tasks/get", "tasks/cancel", "tasks/resubscribe"].map((method) =>
            rpc("bob", method, { id }, "0.3"),
          ),
        )),
        ...(await Promise.all(
          PATHS.flatMap((verb) => {
            const body = verb === "" ? undefined : {};
            return [
              ask("bob", `/a2a/rest/tasks/${id}${verb}`, body),
              ask("bob", `/a2a/rest/v1/tasks/${id}${verb}`, body, "0.3"),
            ];
          }),
        )),
        await rpc("bob", "SendMessage", { message: { ...message, messageId: "m2", taskId: id } }),
      ];
      for (const text of said) expect(text).toMatch(/not found/i);
      expect(await rpc("bob", "ListTasks", { contextId })).toMatch(/"totalSize":0/);
      expect(await rpc("ann", "GetTask", { id })).toContain("TASK_STATE_WORKING");
      expect(agent.requests).toHaveLength(1);

      // Nor is what was said in a conversation told to who only knows its id.
      release.resolve();
      await rpc("bob", "SendMessage", { message: { ...message, contextId } });
      expect(agent.requests[1]).toMatchObject({ userId: "bob", history: [] });
    });
  });
});
