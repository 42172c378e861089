import { AgentError, type Caller } from "@troupe/core";
import { expect, it } from "vitest";

import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import type { CallHeaders, GivenHeaders, OutgoingCall } from "./call-headers.ts";
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

const sample = { "x-api-key": "s3cret" };

it.each<readonly [string, unknown]>([
  ["Authorization", { Authorization: "Bearer s3\ncret" }],
  ["Authorization", { Authorization: "Bearer s3cret☃" }],
  ["x api key", { "x api key": "s3cret" }],
  ["x-api-key", { "x-api-key": ["s3cret"] }],
  ["headers has to be an object", new Headers(sample)],
  ["headers has to be an object", undefined],
])("refuses what cannot be sent, by the name %s and without its value", async (named, given) => {
  const never = (): Promise<Response> => Promise.reject(new Error("It was asked."));
  const connect = async (headers: unknown): Promise<unknown> =>
    connectAgent("http://127.0.0.1:1", { fetch: never, headers: headers as GivenHeaders }).catch(
      (error: unknown) => error,
    );
  const told = [await connect(() => given), ...(given === undefined ? [] : [await connect(given)])];
  for (const error of told) {
    expect(error).toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining(named) as unknown,
    });
    expect(String(error)).not.toMatch(/s3|cret/);
  }
});

it("does not blame the agent where the headers for a call cannot be had", async () => {
  await withServed({ agent: scriptedAgent(() => []) }, async ({ url }) => {
    const cause = new TypeError("fetch failed for s3cret");
    const headers: CallHeaders = ({ agent }) => (agent === undefined ? {} : Promise.reject(cause));
    const remote = await connectAgent(url, { headers });
    const refusal = await remote.send({ text: "hi" }, { signal }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "input.invalid",
      message:
        "The function that was handed in for the headers failed for scripted-agent, so nothing was sent.",
      cause,
    });
    const busy = new AgentError("agent.busy", "No token just now.", { retryable: true });
    const other = await connectAgent(url, {
      headers: (call) => (call.agent === undefined ? {} : Promise.reject(busy)),
    });
    await expect(other.send({ text: "hi" }, { signal })).rejects.toBe(busy);
  });
});
