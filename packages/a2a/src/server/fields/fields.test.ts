import { silentLog, type Log } from "@troupe/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";
import { checkParams } from "./current-fields.ts";
import { checkLegacyParams } from "./legacy-fields.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const TO_ORIGIN = "http://127.0.0.1:9";

const CONFIG = { url: `${TO_ORIGIN}/x`, id: "i", token: "t" };
const CONFIGURATION = { acceptedOutputModes: ["text/plain"], blocking: true, historyLength: 2 };
const MESSAGE = { messageId: "m", extensions: ["u"], metadata: { a: 1 } };

const SEND = {
  message: {
    ...MESSAGE,
    kind: "message",
    role: "user",
    referenceTaskIds: ["t"],
    parts: [
      { kind: "text", text: "x", metadata: { a: 1 } },
      { kind: "data", data: { a: 1 } },
      { kind: "file", file: { uri: "https://files.example/a.txt", name: "a.txt", mimeType: "text/plain" } },
    ],
  },
  configuration: {
    ...CONFIGURATION,
    pushNotificationConfig: { ...CONFIG, authentication: { schemes: ["Bearer"], credentials: "c" } },
  },
};

const CURRENT_SEND = {
  message: {
    ...MESSAGE,
    role: "ROLE_USER",
    referenceTaskIds: ["t"],
    parts: [
      { text: "x", metadata: { a: 1 } },
      { data: { a: 1 } },
      { url: "https://files.example/a.txt", filename: "a.txt", mediaType: "text/plain" },
      { raw: "aGk=", filename: "b.txt" },
    ],
  },
  configuration: {
    acceptedOutputModes: ["text/plain"],
    returnImmediately: false,
    historyLength: 2,
    taskPushNotificationConfig: { ...CONFIG, authentication: { scheme: "Bearer", credentials: "c" } },
  },
  metadata: { a: 1 },
};

const CURRENT_METHODS: readonly (readonly [method: string, params: unknown])[] = [
  ["SendMessage", CURRENT_SEND],
  ["SendStreamingMessage", CURRENT_SEND],
  ["GetTask", { id: "t", historyLength: 1 }],
  [
    "ListTasks",
    {
      contextId: "c",
      status: "TASK_STATE_WORKING",
      pageSize: 5,
      pageToken: "",
      historyLength: 1,
      statusTimestampAfter: "2026-01-01T00:00:00Z",
      includeArtifacts: true,
    },
  ],
  ["CancelTask", { id: "t", metadata: {} }],
  ["SubscribeToTask", { id: "t" }],
  ["CreateTaskPushNotificationConfig", { taskId: "t", ...CONFIG }],
  ["GetTaskPushNotificationConfig", { taskId: "t", id: "i" }],
  ["ListTaskPushNotificationConfigs", { taskId: "t", pageSize: 1, pageToken: "" }],
  ["DeleteTaskPushNotificationConfig", { taskId: "t", id: "i" }],
];

const CURRENT_BODIES: readonly (readonly [path: string, body: unknown])[] = [
  ["message:send", CURRENT_SEND],
  ["message:stream", CURRENT_SEND],
  ["tasks/t:cancel", { metadata: {} }],
  ["tasks/t/pushNotificationConfigs", CONFIG],
];

const METHODS: readonly (readonly [method: string, params: unknown])[] = [
  ["message/send", SEND],
  ["message/stream", SEND],
  ["tasks/get", { id: "t", historyLength: 1 }],
  ["tasks/cancel", { id: "t", metadata: {} }],
  ["tasks/resubscribe", { id: "t" }],
  ["tasks/pushNotificationConfig/set", { taskId: "t", pushNotificationConfig: CONFIG }],
  ["tasks/pushNotificationConfig/get", { id: "t", pushNotificationConfigId: "i" }],
  ["tasks/pushNotificationConfig/list", { id: "t" }],
  ["tasks/pushNotificationConfig/delete", { id: "t", pushNotificationConfigId: "i" }],
];

const BODIES: readonly (readonly [path: string, body: unknown])[] = [
  ...["message:send", "message:stream"].map((path): [string, unknown] => [
    path,
    {
      message: {
        ...MESSAGE,
        role: "ROLE_USER",
        content: [
          { text: "x" },
          { data: { data: { a: 1 } } },
          { file: { fileWithUri: "https://files.example/a.txt", mimeType: "text/plain" } },
        ],
      },
      configuration: { ...CONFIGURATION, pushNotification: CONFIG },
    },
  ]),
  ["tasks/t/pushNotificationConfigs", { name: "tasks/t", pushNotificationConfig: CONFIG }],
];

const FILE_LEGACY = (bytes: string) => ({
  message: { ...SEND.message, parts: [{ kind: "file", file: { bytes } }] },
});

describe("bytes of a file", () => {
  it.each(["!!!", "a", "aGk=aGk=", "aGk==", "häß", "aGk-!"])(
    "that are no base64 are refused: %j",
    (bytes) => {
      const message = { ...CURRENT_SEND.message, parts: [{ raw: bytes }] };
      expect(() => checkParams({ message })).toThrow(/parts.*is no base64; encode the bytes of the file/);
      expect(() => checkLegacyParams("message/send", FILE_LEGACY(bytes))).toThrow(/is no base64/);
    },
  );

  it.each(["", "aGk=", "aGk", "-_-_", "+/+/", "aGVs\nbG8=\n"])(
    "may be of any form of base64: %j",
    (bytes) => {
      const message = { ...CURRENT_SEND.message, parts: [{ raw: bytes }] };
      expect(() => checkParams({ message })).not.toThrow();
      expect(() => checkLegacyParams("message/send", FILE_LEGACY(bytes))).not.toThrow();
    },
  );
});

/** Every way to a value in one. */
function places(value: unknown, at: readonly (string | number)[] = []): readonly (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    places(entry, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return [[...at], ...inner];
}

/** The same but for what stands in one place; `undefined` there leaves it out. */
function withValue(value: unknown, [key, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy: unknown = structuredClone(value);
  const record = copy as { [key: string | number]: unknown };
  record[key] = withValue(record[key], rest, other);
  return copy;
}

const WRONG = fc.oneof(
  fc.constantFrom(
    undefined,
    {},
    [],
    "",
    0,
    -1,
    1.5,
    true,
    null,
    [null],
    [{}],
    { toString: 1 },
    { length: -1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** One of the calls, with one of its values changed. */
function mutant(calls: readonly (readonly [name: string, right: unknown])[]) {
  const changes = calls.flatMap(([name, right]) => places(right).map((at) => ({ name, right, at })));
  return fc
    .tuple(fc.constantFrom(...changes), WRONG)
    .map(([{ name, right, at }, other]) => ({ name, value: withValue(right, at, other) }));
}

async function withLogged(use: (url: string, logged: unknown[]) => Promise<void>): Promise<void> {
  const logged: unknown[] = [];
  const log: Log = {
    ...silentLog,
    child: () => log,
    error: (_text, fields) => logged.push(fields?.["error"]),
  };
  await withServed({ agent, log, push: { allow: [TO_ORIGIN] } }, ({ url }) => use(url, logged));
}

async function post(url: string, body: unknown, version = "0.3"): Promise<string> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": version },
    body: JSON.stringify(body),
  });
  return answer.text();
}

const rpc = (method: string, params: unknown): unknown => ({ jsonrpc: "2.0", id: 1, method, params });

describe("the fields of calls of 0.3", () => {
  it.each([
    ["message/send", ["message", "messageId"], { toString: 1 }],
    ["message/send", ["message", "contextId"], 5],
    ["message/send", ["message", "parts", 0, "text"], undefined],
    ["message/send", ["message", "parts", 1, "data"], undefined],
    ["message/send", ["message", "parts", 2, "file"], undefined],
    ["message/send", ["configuration", "acceptedOutputModes"], 1],
    ["message/stream", ["configuration", "pushNotificationConfig", "url"], undefined],
    ["tasks/get", ["id"], undefined],
    ["tasks/get", ["historyLength"], {}],
    ["tasks/pushNotificationConfig/set", ["pushNotificationConfig"], undefined],
  ] as const)("are refused by name where they are of another type: %s %j %j", async (method, at, other) => {
    await withLogged(async (url, logged) => {
      const right = METHODS.find(([name]) => name === method)?.[1];
      const told = await post(`${url}/a2a/jsonrpc`, rpc(method, withValue(right, at, other)));
      const message = expect.stringContaining(`no call of A2A 0.3: ${at.join(".")}: `) as unknown;
      expect(JSON.parse(told)).toMatchObject({ id: 1, error: { code: -32602, message } });
      expect(logged).toEqual([]);
    });
  });

  it.each([
    [{ messageId: { toString: 1 }, role: "ROLE_USER", content: [{ text: "x" }] }, "message.messageId"],
    [
      { messageId: "m", role: "ROLE_USER", content: [{ file: { fileWithBytes: 5 } }] },
      "message.content.0.file.fileWithBytes",
    ],
  ])("are refused over REST in the form of 0.3: %j", async (message, at) => {
    await withLogged(async (url, logged) => {
      const told = await post(`${url}/a2a/rest/v1/message:send`, { message });
      expect(JSON.parse(told)).toEqual({
        code: -32602,
        message: expect.stringContaining(`${at}: `) as unknown,
      });
      expect(logged).toEqual([]);
    });
  });

  it("are taken as they should be, and null for one that is not there", async () => {
    await withLogged(async (url) => {
      const message = { ...SEND.message, metadata: null, contextId: null };
      const told = await post(`${url}/a2a/jsonrpc`, rpc("message/send", { ...SEND, message }));
      expect(JSON.parse(told)).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });
      const [path, body] = BODIES[0] ?? [];
      const rest = await post(`${url}/a2a/rest/v1/${path}`, body);
      expect(JSON.parse(rest)).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
    });
  });
});

describe("the fields of calls of 1.0", () => {
  it.each([
    ["messageId", {}],
    ["messageId", { toString: 1 }],
    ["contextId", { a: 1 }],
    ["taskId", 5],
    ["extensions", "abc"],
    ["referenceTaskIds", [{}]],
    ["metadata", "s"],
    ["metadata", [1]],
    ["role", []],
    ["parts", {}],
  ])("of a message are refused by name, over both bindings: %s %j", async (name, other) => {
    await withLogged(async (url, logged) => {
      const params = { message: { ...CURRENT_SEND.message, [name]: other } };
      const said = new RegExp(`A2A 1\\.0: message\\.${name}`);
      expect(await post(`${url}/a2a/jsonrpc`, rpc("SendMessage", params), "1.0")).toMatch(said);
      expect(await post(`${url}/a2a/rest/message:send`, params, "1.0")).toMatch(said);
      expect(await post(`${url}/a2a/jsonrpc`, rpc("ListTasks", {}), "1.0")).toMatch(/"totalSize":0/);
      expect(logged).toEqual([]);
    });
  });

  it.each([
    [{ configuration: "x" }, "configuration"],
    [{ configuration: { returnImmediately: "no" } }, "configuration.returnImmediately"],
    [{ configuration: { historyLength: {} } }, "configuration.historyLength"],
    [{ message: { parts: [{ text: "x", filename: {} }] } }, "message.parts.0.filename"],
    [{ message: { parts: [{ text: "x", media_type: 5 }] } }, "message.parts.0.media_type"],
    [{ message: { parts: [null] } }, "message.parts.0: must be an object with one of"],
  ])("are refused by name wherever they stand: %j", async (params, said) => {
    await withLogged(async (url) => {
      const told = await post(`${url}/a2a/jsonrpc`, rpc("SendMessage", params), "1.0");
      expect(JSON.parse(told)).toMatchObject({ error: { code: -32602 } });
      expect(told).toContain(said);
    });
  });

  it("are taken as they should be, in the case of either, and null for one that is not there", async () => {
    await withLogged(async (url) => {
      const { messageId, ...rest } = CURRENT_SEND.message;
      const message = { ...rest, parts: [{ text: "x" }], message_id: messageId, metadata: null };
      const told = await post(
        `${url}/a2a/jsonrpc`,
        rpc("SendMessage", { message, configuration: { history_length: "2" } }),
        "1.0",
      );
      expect(JSON.parse(told)).toMatchObject({
        result: { task: { status: { state: "TASK_STATE_COMPLETED" }, history: [{ messageId }] } },
      });
    });
  });
});

describe.each([
  ["0.3", METHODS, BODIES, "/a2a/rest/v1"],
  ["1.0", CURRENT_METHODS, CURRENT_BODIES, "/a2a/rest"],
] as const)("a call of %s with anything in the place of a value", (version, methods, bodies, rest) => {
  it("is no fault, and nobody has to look for it in the log", async () => {
    await withLogged(async (url, logged) => {
      const property = fc.asyncProperty(mutant(methods), mutant(bodies), async (call, sent) => {
        const told = await post(`${url}/a2a/jsonrpc`, rpc(call.name, call.value), version);
        const more = await post(`${url}${rest}/${sent.name}`, sent.value, version);
        expect(told + more).not.toMatch(/-32603|"INTERNAL"/);
        expect(told).not.toContain("[object Object]");
        // Emptied for the next, or no failure could be made smaller.
        expect(logged.splice(0)).toEqual([]);
      });
      await fc.assert(property, { numRuns: 150 });
    });
  });
});
