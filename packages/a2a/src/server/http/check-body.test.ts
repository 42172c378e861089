import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";
import { checkBody } from "./check-body.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const VERSION = { "A2A-Version": "1.0" };

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
      const refusal = { message: expect.stringMatching(/100 levels/) as unknown };
      expect(await post(`${url}/a2a/jsonrpc`, rpc, VERSION)).toMatchObject({
        error: { code: -32602 },
        id: 1,
      });
      expect(await post(`${url}/a2a/jsonrpc`, rpc, {})).toMatchObject({ error: { code: -32602 } });
      const rest = `{"message":${message}}`;
      expect(await post(`${url}/a2a/rest/message:send`, rest, VERSION)).toMatchObject({ error: refusal });
      expect(await post(`${url}/a2a/rest/v1/message:send`, rest, {})).toMatchObject(refusal);
      expect(agent.requests).toHaveLength(before);
      const list = await post(`${url}/a2a/jsonrpc`, call("ListTasks", {}), VERSION);
      expect(list).toMatchObject({ result: { totalSize: 0 } });
    });
  });
});
