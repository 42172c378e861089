import { expect, it } from "vitest";

import type { Fault } from "../../testing/faulty-fetch.ts";
import { notice, type Mutation } from "./notice.ts";

const all = (pattern: RegExp | string, to: string): Fault => ({
  text: (text) => text.replaceAll(pattern, to),
});
const inError = (
  more: { readonly [name: string]: unknown },
  status?: readonly [from: number, to: number],
): Fault => ({
  answer: (value, kind) => (kind === "error" ? { ...value, ...more } : value),
  status: (given) => (given === status?.[0] ? status[1] : given),
});

const FAULTS: readonly Mutation[] = [
  ["a wrong code", "get.unknown-task", inError({ code: -32603 }, [404, 500])],
  ["a code of another error", "cancel.terminal-task", inError({ code: -32001 }, [400, 404])],
  ["a version error that is none", "version.unsupported", inError({ code: -32600 }, [400, 200])],
  ["an error without a message", "errors.payload", inError({ message: "" })],
  ["details without @type", "errors.details-typed", all('"@type"', '"type"')],
  ["errors without ErrorInfo", "errors.error-info", inError({ details: [] })],
  ["errors without ErrorInfo in their data", "errors.rpc-error-info", inError({ data: undefined })],
  ["a reason of its own", "errors.error-info", all("TASK_NOT_FOUND", "NO_SUCH_TASK")],
  ["another domain", "errors.error-info", all("a2a-protocol.org", "example.com")],
  ["a body that contradicts its status", "errors.http-code", inError({ code: 500 })],
  [
    "a stack in an error",
    "errors.no-internals",
    all("not found", "not found\\n    at run (/srv/agent.ts:7:1)"),
  ],
  ["an id that is not the call's", "rpc.envelope", all(/"id":7\b/g, '"id":"7"')],
  ["another version of JSON-RPC", "rpc.envelope", all('"jsonrpc":"2.0"', '"jsonrpc":"1.0"')],
  ["HTML instead of JSON", "rpc.content-type", { head: { "content-type": "text/html" } }],
  ["plain JSON over HTTP", "rest.content-type", { head: { "content-type": "application/json" } }],
  ["what is no JSON, taken for a false call", "rpc.parse-error", all("-32700", "-32600")],
  ["what is no call, taken for a false one", "rpc.invalid-request", all("-32600", "-32602")],
  ["a method that is not there, taken for a fault", "rpc.method-not-found", all("-32601", "-32603")],
  ["parameters that are none, taken for a fault", "rpc.invalid-params", all("-32602", "-32603")],
  [
    "versions that nobody looks at",
    "version.unsupported",
    { headers: (sent) => sent.set("A2A-Version", "1.0") },
  ],
  [
    "a missing version taken for the newest",
    "version.absent-is-legacy",
    { headers: (sent) => sent.set("A2A-Version", "1.0") },
  ],
  [
    "a version that is found in the header only",
    "version.as-parameter",
    { address: (url) => url.replace("A2A-Version", "version") },
  ],
  ["0.3 streamed as 1.0", "legacy.streams", all('"kind":"artifact-update"', '"type":"artifact-update"')],
  ["0.3 answered as 1.0", "legacy.sends", all('"kind":"task"', '"type":"task"')],
  ["push refused as just anything", "push.refused", inError({ code: -32004 }, [400, 501])],
  ["an extended card refused as not there", "extended.refused", inError({ code: -32007 }, [400, 404])],
  [
    "another version of an extension taken for the card's",
    "extensions.no-fallback",
    { head: { "a2a-extensions": "urn:troupe:a2a:events:v1" } },
  ],
  [
    "a message without parts that is taken",
    "send.needs-parts",
    {
      params: (params) => ({
        message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "Hello." }] },
        ...("message" in params ? {} : params),
      }),
    },
  ],
];

it.each(FAULTS)("%s is noticed by %s", async (_name, requirement, fault) => {
  expect(await notice(requirement, fault)).not.toEqual([]);
});
