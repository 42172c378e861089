import { parseJson, recordOf, stringOf, type JsonRecord } from "../../wire/json.ts";
import { messageOf, succeeded } from "../behaviour.ts";
import type { Answer } from "../raw/answer.ts";
import { expectFault, expectInvalid, type Trial } from "../trial.ts";
import { demand, notExercised, quote } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

function missing(trial: Trial): Promise<Answer> {
  return trial.wire.call("GetTask", { id: trial.newId() });
}

function call(method: string, params: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function expectCode(answer: Answer, code: number): void {
  const told = answer.fault;
  demand(told !== undefined, `It was not refused, but answered: ${quote(answer.text)}.`);
  demand(
    told.code === code,
    `It was refused with ${quote(told.code)} ${quote(told.message)}, not with ${code}.`,
  );
}

/** It was understood as a call of 1.0. */
function demandPage(answer: Answer): void {
  demand(Array.isArray(succeeded(answer)["tasks"]), `It was answered: ${quote(answer.text)}.`);
}

/** What gives away the inside of a program: lines of a stack, files of the machine. */
const INTERNALS = /\n\s+at |node_modules|Traceback \(most recent|file:\/\/\/|\.(ts|js|py|java|go):\d+/;

export const ERROR_CASES: readonly Case[] = [
  verifies("errors.payload", async (trial) => {
    const { fault } = await missing(trial);
    demand(fault !== undefined, "A task that does not exist was answered as if it did.");
    demand(Number.isInteger(fault.code), `The code is ${quote(fault.code)}.`);
    demand(stringOf(fault.message) !== "", `The message is ${quote(fault.message)}.`);
  }),
  verifies("errors.details-typed", async (trial) => {
    const { fault } = await missing(trial);
    if (fault === undefined || fault.details.length === 0) notExercised("The error has no details.");
    for (const detail of fault.details)
      demand(stringOf(recordOf(detail)?.["@type"]) !== "", `A detail has no @type: ${quote(detail)}.`);
  }),
  verifies("errors.error-info", async (trial) => {
    const { fault } = await missing(trial);
    demand(fault?.reason === "TASK_NOT_FOUND", `The reason is ${quote(fault?.reason)}, not TASK_NOT_FOUND.`);
    demand(fault.domain === "a2a-protocol.org", `The domain is ${quote(fault.domain)}.`);
  }),
  verifies("errors.rpc-error-info", async (trial) => {
    const { fault } = await missing(trial);
    demand(fault?.reason === "TASK_NOT_FOUND", `The reason is ${quote(fault?.reason)}, not TASK_NOT_FOUND.`);
  }),
  verifies("errors.http-code", async (trial) => {
    const answer = await missing(trial);
    const error = recordOf(recordOf(answer.body)?.["error"]);
    demand(
      error?.["code"] === answer.status,
      `The body has ${quote(error?.["code"])}, the answer ${answer.status}.`,
    );
    demand(error["status"] === "NOT_FOUND", `The status is ${quote(error["status"])}, not NOT_FOUND.`);
  }),
  verifies("errors.no-internals", async (trial) => {
    const { binding } = trial.wire;
    if (binding === "GRPC") {
      for (const { text } of [await missing(trial), await trial.wire.call("ListTasks", { pageSize: -1 })])
        demand(!INTERNALS.test(text), `An error shows the inside: ${quote(text)}.`);
      return;
    }
    const answers = [
      await missing(trial),
      await trial.wire.call("SendMessage", { message: { messageId: { a: 1 }, role: 7, parts: [null] } }),
      await trial.wire.call("ListTasks", { pageSize: "many" }),
      await trial.wire.post(binding === "JSONRPC" ? "" : "/message:send", "{"),
    ];
    for (const { text } of answers)
      demand(!INTERNALS.test(text), `An error shows the inside: ${quote(text)}.`);
  }),
  verifies("rpc.envelope", async (trial) => {
    const params = { id: trial.newId() };
    for (const id of ["an id", 7]) {
      const { body, text } = await trial.wire.post("", call("GetTask", params, id));
      const answer = recordOf(body) ?? {};
      demand(answer["jsonrpc"] === "2.0", `jsonrpc is ${quote(answer["jsonrpc"])}.`);
      demand(answer["id"] === id, `The id is ${quote(answer["id"])}, not ${quote(id)}.`);
      const has = ["result", "error"].filter((name) => answer[name] !== undefined);
      demand(has.length === 1, `The answer has not one of result and error: ${quote(text)}.`);
    }
  }),
  verifies("rpc.content-type", async (trial) => {
    const type = (await missing(trial)).headers.get("content-type") ?? "";
    demand(/^application\/json\b/.test(type), `The answer is ${quote(type)}.`);
  }),
  verifies("rpc.parse-error", async ({ wire }) => {
    expectCode(await wire.post("", `{"jsonrpc": "2.0", "id": 1, "method"`), -32700);
  }),
  verifies("rpc.invalid-request", async ({ wire, newId }) => {
    expectCode(
      await wire.post("", JSON.stringify({ id: 1, method: "GetTask", params: { id: newId() } })),
      -32600,
    );
    expectCode(await wire.post("", JSON.stringify({ jsonrpc: "2.0", id: 1, params: {} })), -32600);
    expectCode(await wire.post("", call("GetTask", { id: newId() }, { a: 1 })), -32600);
  }),
  verifies("rpc.method-not-found", async ({ wire }) => {
    expectCode(await wire.post("", call("DoSomethingElse", {})), -32601);
  }),
  verifies("rpc.invalid-params", async ({ wire }) => {
    expectCode(await wire.post("", call("GetTask", "a task")), -32602);
    expectCode(await wire.post("", call("GetTask", {})), -32602);
  }),
  verifies("rest.content-type", async (trial) => {
    for (const answer of [await missing(trial), await trial.wire.call("ListTasks", {})]) {
      const type = answer.headers.get("content-type") ?? "";
      demand(/^application\/a2a\+json\b/.test(type), `The answer is ${quote(type)}.`);
    }
  }),
  verifies("rest.request-type", async (trial) => {
    const message = messageOf(trial.prompts.plain, trial.newId());
    const headers = { "Content-Type": "application/a2a+json; charset=utf-8" };
    succeeded(await trial.wire.post("/message:send", JSON.stringify({ message }), { headers }));
  }),
  verifies("rest.bad-json", async ({ wire }) => {
    const { status, text } = await wire.post("/message:send", `{"message":`);
    demand(status === 400, `It was answered with HTTP ${status}: ${quote(text)}.`);
  }),
  verifies("rest.query-names", async ({ wire }) => {
    const page = succeeded(await wire.call("ListTasks", { pageSize: 1 }));
    demand(page["pageSize"] === 1, `Asked for pages of 1, pageSize is ${quote(page["pageSize"])}.`);
  }),
  verifies("version.unsupported", async (trial) => {
    const headers = { "A2A-Version": "99.0" };
    for (const params of [{ id: trial.newId() }])
      expectFault(await trial.wire.call("GetTask", params, { headers }), "VersionNotSupportedError");
  }),
  verifies("version.absent-is-legacy", async (trial) => {
    const { wire, target } = trial;
    for (const value of [null, ""]) {
      const answer = await wire.call("GetTask", { id: trial.newId() }, { headers: { "A2A-Version": value } });
      const spoken = target.interfaces.filter(
        ({ url, binding }) => url === wire.url && binding === wire.binding,
      );
      if (!spoken.some(({ version }) => version.startsWith("0.")))
        expectFault(answer, "VersionNotSupportedError");
      // In 0.3 there is no such method, and no such path.
      else if (wire.binding === "JSONRPC") expectCode(answer, -32601);
      else demand(answer.status === 404, `A path of 1.0 was answered with HTTP ${answer.status} as 0.3.`);
    }
  }),
  verifies("version.patch-ignored", async (trial) => {
    demandPage(await trial.wire.call("ListTasks", {}, { headers: { "A2A-Version": "1.0.7" } }));
  }),
  verifies("version.as-parameter", async (trial) => {
    const how = { headers: { "A2A-Version": null }, query: "A2A-Version=1.0" };
    demandPage(await trial.wire.call("ListTasks", {}, how));
  }),
  verifies("version.semantics", async ({ wire, newId }) => {
    if (wire.binding === "JSONRPC")
      expectCode(await wire.post("", call("tasks/get", { id: newId() })), -32601);
    const kept = { messageId: newId(), role: "user", parts: [{ kind: "text", text: "Hello." }] };
    expectInvalid(await wire.call("SendMessage", { message: kept }));
  }),
  verifies("legacy.sends", async (trial) => {
    const parts = [{ kind: "text", text: trial.prompts.plain }];
    const message = { kind: "message", messageId: trial.newId(), role: "user", parts };
    const { body, text } = await sendLegacy(trial, "message/send", { message });
    const result = recordOf(recordOf(body)?.["result"]) ?? {};
    demand(
      result["kind"] === "task" || result["kind"] === "message",
      `The answer has no kind: ${quote(text)}.`,
    );
    const state = recordOf(result["status"])?.["state"];
    const known = state === undefined || (typeof state === "string" && /^[a-z-]+$/.test(state));
    demand(known, `The state is ${quote(state)}, which 0.3 does not have.`);
  }),
  verifies("legacy.streams", async (trial) => {
    if (recordOf(trial.target.card["capabilities"])?.["streaming"] !== true)
      notExercised("The agent does not stream.");
    const parts = [{ kind: "text", text: trial.prompts.plain }];
    const message = { kind: "message", messageId: trial.newId(), role: "user", parts };
    const { text } = await sendLegacy(trial, "message/stream", { message });
    const results = text
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => recordOf(recordOf(parseJson(line.slice(5)))?.["result"]) ?? {});
    const kinds = results.map(({ kind }) => kind);
    const known = ["task", "message", "status-update", "artifact-update"];
    demand(results.length > 0, `It was answered: ${quote(text)}.`);
    demand(
      kinds.every((kind) => known.includes(stringOf(kind))),
      `The events have the kinds ${quote(kinds)}.`,
    );
    const last = results.at(-1);
    if (last?.["kind"] === "status-update") demand(last["final"] === true, "The last event is not final.");
  }),
  verifies("legacy.unknown-task", async (trial) => {
    expectCode(await sendLegacy(trial, "tasks/get", { id: trial.newId() }), -32001);
  }),
];

function sendLegacy(trial: Trial, method: string, params: JsonRecord): Promise<Answer> {
  return trial.legacy().post("", call(method, params), { headers: { "A2A-Version": null } });
}
