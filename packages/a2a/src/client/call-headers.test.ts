import type { Caller } from "@troupe/core";
import { expect, it } from "vitest";

import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import type { OutgoingCall } from "./call-headers.ts";
import { connectAgent } from "./connect-agent.ts";

const signal = new AbortController().signal;
const ann: Caller = { id: "ann", scopes: ["*"] };

it.each(["JSONRPC", "HTTP+JSON"] as const)(
  "says in whose name each call is made, so that each bears what fits it (%s)",
  async (binding) => {
    const calls: OutgoingCall[] = [];
    const authenticate = (given: { readonly [name: string]: unknown }) =>
      Promise.resolve(given["authorization"] === "for ann" ? ann : undefined);
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent, authenticate }, async ({ url }) => {
      const headers = (call: OutgoingCall) => {
        calls.push(call);
        return Promise.resolve<Record<string, string>>(
          call.caller === undefined ? {} : { Authorization: `for ${call.caller.id}` },
        );
      };
      const remote = await connectAgent(url, { headers, binding });
      expect(calls).toEqual([{ url, authenticates: false }]);
      const { taskId } = await remote.send({ text: "hi" }, { signal, caller: ann });
      expect((await collect(remote.join(taskId, { signal, caller: ann }))).at(-1)).toMatchObject({
        outcome: "completed",
      });
      await remote.cancel(taskId, { caller: ann });
      expect(agent.requests[0]).toMatchObject({ userId: "ann", scopes: ["*"] });
      for (const call of calls.slice(1))
        expect(call).toMatchObject({ url, agent: "scripted-agent", caller: ann });
      await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
        code: "agent.unauthenticated",
      });
      await expect(collect(remote.stream({ text: "hi" }, { signal }))).rejects.toMatchObject({
        code: "agent.unauthenticated",
      });
      await expect(collect(remote.join(taskId, { signal }))).rejects.toMatchObject({
        code: "agent.unauthenticated",
      });
    });
  },
);

it("tells a caller who may not use the agent what it says of that", async () => {
  const authenticate = () => Promise.resolve({ id: "bob", scopes: ["agent:other"] });
  await withServed({ agent: scriptedAgent(() => []), authenticate }, async ({ url }) => {
    const remote = await connectAgent(url);
    await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
      code: "agent.forbidden",
      message: expect.stringContaining('lacks the scope "agent:scripted-agent"') as unknown,
    });
  });
});
