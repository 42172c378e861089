import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { silentLog, type Log } from "@troupe/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";
import { checkBody } from "./check-body.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const VERSION = { "A2A-Version": "1.0" };
const CURRENT = (part: unknown) => ({ messageId: "m", role: "ROLE_USER", parts: [part] });
const OLD = (part: unknown) => ({ kind: "message", messageId: "m", role: "user", parts: [part] });

/** `depth` arrays or objects around a number, as text: writing it out would overflow too. */
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

async function post(url: string, body: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  return answer.json();
}

const call = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

describe("what a body may be", () => {
  it("may be nested up to 100 levels, and is told so however deep it is", () => {
    const deep = (depth: number, lists: readonly boolean[]): unknown => {
      let body: unknown = 1;
      for (let i = 0; i < depth; i++) body = lists[i % lists.length] === true ? [0, body] : { x: body };
      return body;
    };
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.integer({ min: 101, max: 300 }),
        fc.array(fc.boolean()),
        (shallow, far, lists) => {
          checkBody(deep(shallow, lists));
          expect(() => checkBody(deep(far, lists))).toThrow(RequestMalformedError);
        },
      ),
    );
    expect(() => checkBody(JSON.parse(nested(500_000)))).toThrow(/100 levels/);
  });

  it.each([
    ["a data part", `{"parts":[{"data":${nested(4_500)}}]`],
    ["the metadata of a part", `{"parts":[{"text":"x","metadata":${nested(4_500)}}]`],
    ["its metadata", `{"parts":[{"text":"x"}],"metadata":${nested(4_500)}`],
  ])("begins nothing for a message with %s too deep, and tasks can be listed", async (_what, head) => {
    await withServed({ agent }, async ({ url }) => {
      const before = agent.requests.length;
      const message = `${head},"messageId":"m","role":"ROLE_USER"}`;
      const rpc = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`;
      const refusal = { error: { message: /100 levels/ } };
      expect(await post(`${url}/a2a/jsonrpc`, rpc, VERSION)).toMatchObject({
        error: { code: -32602 },
        id: 1,
      });
      expect(await post(`${url}/a2a/jsonrpc`, rpc, {})).toMatchObject({ error: { code: -32602 } });
      const rest = `{"message":${message}}`;
      expect(await post(`${url}/a2a/rest/message:send`, rest, VERSION)).toMatchObject(refusal);
      expect(await post(`${url}/a2a/rest/v1/message:send`, rest, {})).toMatchObject(refusal);
      expect(agent.requests).toHaveLength(before);
      const list = await post(`${url}/a2a/jsonrpc`, call("ListTasks", {}), VERSION);
      expect(list).toMatchObject({ result: { totalSize: 0 } });
    });
  });

  it.each([
    ["null", null],
    ["text", "hello"],
    ["a list", [[]]],
    ["text that is none", { text: { toString: 1 } }],
    ["bytes that are none", { raw: {} }],
  ])("refuses %s as a part, on every binding", async (_what, part) => {
    await withServed({ agent }, async ({ url }) => {
      const wrong = { error: { message: /message\.(parts|content)\[0\]/ } };
      const rpc = { error: { code: -32602, ...wrong.error } };
      const params = { message: CURRENT(part) };
      expect(await post(`${url}/a2a/jsonrpc`, call("SendMessage", params), VERSION)).toMatchObject(rpc);
      expect(await post(`${url}/a2a/jsonrpc`, call("SendStreamingMessage", params), VERSION)).toMatchObject(
        rpc,
      );
      const old = call("message/send", { message: OLD(part) });
      expect(await post(`${url}/a2a/jsonrpc`, old, {})).toMatchObject(rpc);
      const rest = JSON.stringify(params);
      expect(await post(`${url}/a2a/rest/message:send`, rest, VERSION)).toMatchObject(wrong);
      const oldRest = JSON.stringify({ message: { messageId: "m", role: "ROLE_USER", content: [part] } });
      expect(await post(`${url}/a2a/rest/v1/message:send`, oldRest, {})).toMatchObject(wrong);
    });
  });

  it("is told what the SDK stumbles over in its own words, and nobody has to look for it in the log", async () => {
    const said: unknown[] = [];
    const nothing = (): void => undefined;
    const log: Log = {
      debug: nothing,
      info: nothing,
      warn: nothing,
      error: (_message, fields) => said.push(fields?.["error"]),
      child: () => log,
    };
    await withServed({ agent, log }, async ({ url }) => {
      const message = { ...CURRENT({ text: "x" }), messageId: { toString: 1 } };
      const answer = await post(`${url}/a2a/jsonrpc`, call("SendMessage", { message }), VERSION);
      const why = { message: expect.stringMatching(/not of the types/) as unknown };
      expect(answer).toMatchObject({ error: { code: -32602, ...why } });
      const rest = await post(`${url}/a2a/rest/message:send`, JSON.stringify({ message }), VERSION);
      expect(rest).toMatchObject({ error: { code: 400, ...why } });
      expect(said).toEqual([]);
    });
  });

  it.each([
    { messageId: { toString: 1 }, role: "ROLE_USER", content: [{ text: "x" }] },
    { messageId: "m", role: "ROLE_USER", content: [{ file: { fileWithBytes: 5 } }] },
  ])("of 0.3 shows nothing of what the SDK stumbles over: %j", async (message) => {
    const said: unknown[] = [];
    const log: Log = {
      ...silentLog,
      child: () => log,
      error: (_text, fields) => said.push(fields?.["error"]),
    };
    await withServed({ agent, log }, async ({ url }) => {
      const answer = await post(`${url}/a2a/rest/v1/message:send`, JSON.stringify({ message }), {});
      expect(answer).toMatchObject({
        code: -32603,
        message: expect.stringMatching(/Its log says why/) as unknown,
      });
      expect(said).toHaveLength(1);
    });
  });
});
