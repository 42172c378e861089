import { listOf, recordOf, stringOf } from "../../wire/json.ts";
import { artifactsOf, INTERRUPTED, stateOf, succeeded, taskIn, TERMINAL } from "../behaviour.ts";
import { expectFault, expectInvalid, interrupted, reload, running, say, statusMessage } from "../trial.ts";
import { demand, notExercised, quote, same } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

export const SENDING_CASES: readonly Case[] = [
  verifies("send.answers", async ({ behaviour }) => {
    const result = succeeded(await behaviour.answer());
    const kinds = Object.keys(result).filter((name) => name === "task" || name === "message");
    demand(kinds.length === 1, `The answer is ${quote(Object.keys(result))}, not one of task and message.`);
  }),
  verifies("send.blocking-waits", async ({ behaviour }) => {
    const state = stateOf(await behaviour.task());
    demand(TERMINAL.has(state) || INTERRUPTED.has(state), `The task was answered in ${state}.`);
  }),
  verifies("send.latest-state", async (trial) => {
    const told = await trial.behaviour.task();
    const now = await reload(trial, told["id"]);
    demand(stateOf(told) === stateOf(now), `It was answered in ${stateOf(told)}, and is in ${stateOf(now)}.`);
    demand(
      same(artifactsOf(told), artifactsOf(now)),
      `It was answered with ${artifactsOf(told).length} artifacts that are not those it has, ${artifactsOf(now).length}.`,
    );
  }),
  verifies("send.returns-immediately", async (trial) => {
    const task = await running(trial);
    demand(stringOf(task["id"]) !== "", "The task has no id.");
  }),
  verifies("send.task-ids-unique", async (trial) => {
    const first = await trial.behaviour.task();
    const second = taskIn(await trial.wire.call("SendMessage", { message: say(trial, "plain") }));
    const ids = [stringOf(first["id"]), stringOf(second?.["id"])];
    demand(!ids.includes(""), "A task has no id.");
    demand(ids[0] !== ids[1], `Two tasks have the id ${quote(ids[0])}.`);
  }),
  verifies("send.context-told", async ({ behaviour }) => {
    const result = succeeded(await behaviour.answer());
    const said = recordOf(result["task"]) ?? recordOf(result["message"]) ?? {};
    demand(stringOf(said["contextId"]) !== "", "The answer has no contextId.");
  }),
  verifies("send.context-kept-or-refused", async (trial) => {
    const contextId = trial.newId();
    const answer = await trial.wire.call("SendMessage", { message: say(trial, "plain", { contextId }) });
    if (answer.fault !== undefined) return;
    const result = succeeded(answer);
    const said = recordOf(result["task"]) ?? recordOf(result["message"]) ?? {};
    demand(
      said["contextId"] === contextId,
      `It became ${quote(said["contextId"])}, not ${quote(contextId)}.`,
    );
  }),
  verifies("send.unknown-task", async (trial) => {
    const message = say(trial, "plain", { taskId: trial.newId() });
    expectFault(await trial.wire.call("SendMessage", { message }), "TaskNotFoundError");
  }),
  verifies("send.context-inferred", async (trial) => {
    const task = await interrupted(trial);
    const message = say(trial, "plain", { taskId: task["id"] });
    const result = succeeded(await trial.wire.call("SendMessage", { message }));
    const said = recordOf(result["task"]) ?? recordOf(result["message"]) ?? {};
    demand(
      said["contextId"] === task["contextId"],
      `It went to the context ${quote(said["contextId"])}, not ${quote(task["contextId"])}.`,
    );
  }),
  verifies("send.context-mismatch", async (trial) => {
    const task = await interrupted(trial);
    const message = say(trial, "plain", { taskId: task["id"], contextId: trial.newId() });
    const { fault, text } = await trial.wire.call("SendMessage", { message });
    demand(fault !== undefined, `It was not refused, but answered: ${quote(text)}.`);
  }),
  verifies("send.continues", async (trial) => {
    const task = await interrupted(trial);
    const { id: taskId, contextId } = task;
    const message = say(trial, "plain", { taskId, contextId });
    const next = taskIn(await trial.wire.call("SendMessage", { message }));
    demand(
      next?.["id"] === taskId,
      `The reply led to the task ${quote(next?.["id"])}, not ${quote(taskId)}.`,
    );
  }),
  verifies("send.terminal-task", async (trial) => {
    const { id: taskId, contextId } = await trial.behaviour.endedTask();
    const message = say(trial, "plain", { taskId, contextId });
    expectFault(await trial.wire.call("SendMessage", { message }), "UnsupportedOperationError");
  }),
  verifies("send.history-length", async (trial) => {
    for (const historyLength of [0, 1]) {
      const configuration = { historyLength };
      const answer = await trial.wire.call("SendMessage", { message: say(trial, "plain"), configuration });
      succeeded(answer);
      const task = taskIn(answer) ?? notExercised("The agent answers with messages, and makes no tasks.");
      const { length } = listOf(task["history"]);
      demand(length <= historyLength, `Asked for ${historyLength} messages, ${length} came.`);
    }
  }),
  verifies("send.needs-message", async ({ wire }) => {
    expectInvalid(await wire.call("SendMessage", { configuration: {} }));
  }),
  verifies("send.needs-parts", async (trial) => {
    expectInvalid(await trial.wire.call("SendMessage", { message: say(trial, "plain", { parts: [] }) }));
  }),
  verifies("send.needs-content", async (trial) => {
    const parts = [{ mediaType: "text/plain" }];
    expectInvalid(await trial.wire.call("SendMessage", { message: say(trial, "plain", { parts }) }));
  }),
  verifies("send.needs-message-id", async (trial) => {
    const { messageId: _id, ...message } = say(trial, "plain");
    expectInvalid(await trial.wire.call("SendMessage", { message }));
  }),
  verifies("send.needs-role", async (trial) => {
    const { role: _role, ...message } = say(trial, "plain");
    expectInvalid(await trial.wire.call("SendMessage", { message }));
  }),
  verifies("send.wrong-types", async (trial) => {
    for (const wrong of [{ parts: "text" }, { parts: ["text"] }, { parts: [{ text: { a: 1 } }] }])
      expectInvalid(await trial.wire.call("SendMessage", { message: say(trial, "plain", wrong) }));
    expectInvalid(await trial.wire.call("SendMessage", { message: "Hello." }));
  }),
  verifies("send.null-fields", async (trial) => {
    const message = say(trial, "plain", { metadata: null, extensions: null, contextId: null, taskId: null });
    succeeded(await trial.wire.call("SendMessage", { message, configuration: null, metadata: null }));
  }),
  verifies("send.part-kinds", async (trial) => {
    const text = { text: trial.prompts.plain };
    const raw = { raw: btoa("a file"), filename: "file.bin", mediaType: "application/octet-stream" };
    for (const part of [{ data: { of: ["any", "kind"] } }, raw]) {
      const message = say(trial, "plain", { parts: [text, part] });
      const answer = await trial.wire.call("SendMessage", { message });
      if (answer.fault === undefined) succeeded(answer);
      else expectFault(answer, "ContentTypeNotSupportedError");
    }
  }),
  verifies("send.unknown-fields", async (trial) => {
    const message = say(trial, "plain", { somethingNew: { of: "a later version" } });
    succeeded(await trial.wire.call("SendMessage", { message, somethingElse: [1] }));
  }),
  verifies("auth-required.is-a-task", async (trial) => {
    const task = await interrupted(trial, "authorize");
    const now = await reload(trial, task["id"]);
    demand(stateOf(now) === "TASK_STATE_AUTH_REQUIRED", `GetTask has it in ${stateOf(now)}.`);
  }),
  verifies("auth-required.explained", async (trial) => {
    const said = statusMessage(await interrupted(trial, "authorize"));
    demand(listOf(said?.["parts"]).length > 0, "The status has no message.");
  }),
];
