import { expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../testing/index.ts";

const V1 = { "A2A-Version": "1.0" };
/** An escape such as `\\ud800` that is half of no pair. */
const LONE = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f]/i;

async function raw(url: string, body?: string, headers: object = V1): Promise<string> {
  const init = body === undefined ? {} : { method: "POST", body };
  const answer = await fetch(url, { ...init, headers: { "Content-Type": "application/json", ...headers } });
  return answer.text();
}

it.each<[string, string, string, object]>([
  ["JSON-RPC", "/a2a/jsonrpc", "SendMessage", V1],
  ["JSON-RPC of 0.3", "/a2a/jsonrpc", "message/send", {}],
  ["REST", "/a2a/rest/message:send", "", V1],
])("replaces lone surrogates that a client sends over %s", async (_, path, method, headers) => {
  const agent = scriptedAgent(() => answering(["ok"]));
  const legacy = method === "message/send";
  const part = legacy ? '"kind":"text",' : "";
  const data = legacy ? '"kind":"data",' : "";
  const message =
    `{"messageId":"m\\udc00","contextId":"c\\ud800","role":"${legacy ? "user" : "ROLE_USER"}","metadata":{"k\\ud800":"\\ud83d"},` +
    `"parts":[{${part}"text":"a\\ud800 \\ud83d\\ude00"},{${data}"data":{"x\\udfff":["\\ud800"]}}]}`;
  const params = `{"message":${message}}`;
  const body =
    method === "" ? params : `{"jsonrpc":"2.0","id":"i\\ud800","method":"${method}","params":${params}}`;
  await withServed({ agent }, async ({ url }) => {
    const sent = await raw(url + path, body, headers);
    expect(sent).toContain("a\ufffd 😀");
    expect(sent).not.toMatch(LONE);
    expect(agent.requests[0]).toMatchObject({ text: "a\ufffd 😀", contextId: "c\ufffd" });
    expect(await raw(`${url}/a2a/rest/tasks`)).not.toMatch(LONE);
  });
});

it("replaces lone surrogates that an agent writes, and keeps pairs split between deltas", async () => {
  const agent = scriptedAgent(() => answering(["one \ud83d", "\ude00 two\ud800", " three"]));
  const message = '{"messageId":"m","role":"ROLE_USER","parts":[{"text":"go"}]}';
  await withServed({ agent }, async ({ url }) => {
    const sent = await raw(`${url}/a2a/rest/message:send`, `{"message":${message}}`);
    expect(sent).toContain("one 😀 two\ufffd three");
    expect(sent).not.toMatch(LONE);
    const again = message.replace('"m"', '"n"');
    const streamed = await raw(`${url}/a2a/rest/message:stream`, `{"message":${again}}`);
    expect(streamed).not.toMatch(LONE);
  });
});

it("refuses a part with two contents", async () => {
  const agent = scriptedAgent(() => answering(["ok"]));
  await withServed({ agent }, async ({ url }) => {
    const send = (
      part: string,
      role = "ROLE_USER",
      headers: object = V1,
      path = "/a2a/jsonrpc",
      method = "SendMessage",
    ) =>
      raw(
        url + path,
        `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"message":{"messageId":"m","role":"${role}","parts":[${part}]}}}`,
        headers,
      );
    expect(JSON.parse(await send('{"text":"a","data":{},"url":"https://example.com/x"}'))).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining(
          "parts.0: has text and url and data; a part has one of them",
        ) as string,
      },
    });
    const legacy = await send(
      '{"kind":"file","file":{"bytes":"YQ==","uri":"https://example.com/x"}}',
      "user",
      {},
      "/a2a/jsonrpc",
      "message/send",
    );
    expect(JSON.parse(legacy)).toMatchObject({ error: { code: -32602 } });
    expect(JSON.parse(await send('{"text":"a","url":null}'))).toHaveProperty("result");
    expect(agent.requests).toHaveLength(1);
  });
});
