import { listOf, recordOf, stringOf, type JsonRecord } from "../../wire/json.ts";
import { statusOf, succeeded, taskIn } from "../behaviour.ts";
import type { Answer } from "../raw/answer.ts";
import type { How, Wire } from "../raw/wire.ts";
import { expectFault, follow, running, say, streamRefusal, type Trial } from "../trial.ts";
import { demand, notExercised, quote } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

/** Of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

const HOOK = "https://example.com/a2a/notifications";

async function configured(trial: Trial): Promise<JsonRecord> {
  const { id: taskId } = await trial.behaviour.task();
  const params = { taskId, id: trial.newId(), url: trial.receiver?.url ?? HOOK, token: "token" };
  const config = succeeded(await trial.wire.call("CreateTaskPushNotificationConfig", params));
  const made = { taskId, id: config["id"] };
  trial.after(() => trial.wire.call("DeleteTaskPushNotificationConfig", made));
  return config;
}

/** The task that a notification is about. */
function taskOf(body: unknown): unknown {
  const [payload] = Object.values(recordOf(body) ?? {}).map(recordOf);
  return payload?.["taskId"] ?? payload?.["id"];
}

async function listed(trial: Trial, taskId: unknown): Promise<readonly JsonRecord[]> {
  const page = succeeded(await trial.wire.call("ListTaskPushNotificationConfigs", { taskId }));
  return listOf(page["configs"]).map((config) => recordOf(config) ?? {});
}

/** Each operation once, as a stranger or another would ask. */
async function everyOperation(trial: Trial, how: How): Promise<readonly (readonly [string, Answer])[]> {
  const { wire } = trial;
  const id = stringOf((await trial.behaviour.task())["id"]);
  const message = say(trial, "plain");
  return [
    ["SendMessage", await wire.call("SendMessage", { message }, how)],
    [
      "SendStreamingMessage",
      await streamRefusal(await wire.stream("SendStreamingMessage", { message }, how), trial),
    ],
    ["ListTasks", await wire.call("ListTasks", {}, how)],
    ...(await taskOperations(wire, trial, id, how)),
  ];
}

async function taskOperations(
  wire: Wire,
  trial: Trial,
  id: string,
  how: How,
): Promise<readonly (readonly [string, Answer])[]> {
  return [
    ["GetTask", await wire.call("GetTask", { id }, how)],
    ["CancelTask", await wire.call("CancelTask", { id }, how)],
    ["SubscribeToTask", await streamRefusal(await wire.stream("SubscribeToTask", { id }, how), trial)],
  ];
}

function demandRefused(answers: readonly (readonly [string, Answer])[]): void {
  for (const [operation, answer] of answers) {
    const { binding, fault, status, text } = answer;
    const refused =
      binding === "GRPC"
        ? status === UNAUTHENTICATED || status === PERMISSION_DENIED
        : fault !== undefined || status === 401 || status === 403;
    demand(
      refused,
      `${operation} was not refused to this caller, but answered with ${statusOf(answer)}: ${quote(text)}.`,
    );
  }
}

function without(trial: Trial): How {
  const names = Object.keys(trial.credentials);
  return { headers: Object.fromEntries(names.map((name) => [name, null])) };
}

export const CAPABILITY_CASES: readonly Case[] = [
  verifies("push.refused", async ({ wire, newId }) => {
    const [taskId, id] = [newId(), newId()];
    const refused = "PushNotificationNotSupportedError";
    expectFault(await wire.call("CreateTaskPushNotificationConfig", { taskId, id, url: HOOK }), refused);
    expectFault(await wire.call("GetTaskPushNotificationConfig", { taskId, id }), refused);
    expectFault(await wire.call("ListTaskPushNotificationConfigs", { taskId }), refused);
    expectFault(await wire.call("DeleteTaskPushNotificationConfig", { taskId, id }), refused);
  }),
  verifies("push.create", async (trial) => {
    const config = await configured(trial);
    demand(stringOf(config["id"]) !== "", "The configuration has no id.");
    const kept = (await listed(trial, config["taskId"])).map((one) => one["id"]);
    demand(kept.includes(config["id"]), `It is not among those that are kept: ${quote(kept)}.`);
  }),
  verifies("push.with-message", async (trial) => {
    const id = trial.newId();
    const taskPushNotificationConfig = { id, url: trial.receiver?.url ?? HOOK };
    const params = { message: say(trial, "plain"), configuration: { taskPushNotificationConfig } };
    const task = taskIn(await trial.wire.call("SendMessage", params));
    const taskId = task?.["id"] ?? notExercised("The agent answers with messages, and makes no tasks.");
    trial.after(() => trial.wire.call("DeleteTaskPushNotificationConfig", { taskId, id }));
    const kept = (await listed(trial, taskId)).length;
    demand(kept > 0, "It is not among those that are kept.");
  }),
  verifies("push.get", async (trial) => {
    const { taskId, id, url } = await configured(trial);
    const got = succeeded(await trial.wire.call("GetTaskPushNotificationConfig", { taskId, id }));
    demand(got["url"] === url, `Its address is ${quote(got["url"])}, not ${quote(url)}.`);
    demand(got["id"] === id, `Its id is ${quote(got["id"])}, not ${quote(id)}.`);
  }),
  verifies("push.get-missing", async (trial) => {
    const { id: taskId } = await trial.behaviour.task();
    const answer = await trial.wire.call("GetTaskPushNotificationConfig", { taskId, id: trial.newId() });
    expectFault(answer, "TaskNotFoundError");
  }),
  verifies("push.list", async (trial) => {
    const [one, two] = [await configured(trial), await configured(trial)];
    const ids = (await listed(trial, one["taskId"])).map((config) => config["id"]);
    for (const { id } of [one, two]) demand(ids.includes(id), `${quote(id)} is not among ${quote(ids)}.`);
  }),
  verifies("push.delete", async (trial) => {
    const { taskId, id } = await configured(trial);
    const { fault } = await trial.wire.call("DeleteTaskPushNotificationConfig", { taskId, id });
    demand(fault === undefined, `It was refused: ${quote(fault?.code)} ${quote(fault?.message)}.`);
    const ids = (await listed(trial, taskId)).map((config) => config["id"]);
    demand(!ids.includes(id), "It is still listed.");
  }),
  verifies("push.delete-again", async (trial) => {
    const { taskId, id } = await configured(trial);
    const first = await trial.wire.call("DeleteTaskPushNotificationConfig", { taskId, id });
    const second = await trial.wire.call("DeleteTaskPushNotificationConfig", { taskId, id });
    demand(
      (first.fault === undefined) === (second.fault === undefined),
      `The second time it was answered with ${quote(second.fault?.code)} ${quote(second.fault?.message)}.`,
    );
  }),
  verifies("push.delivers", async (trial) => {
    const receiver = trial.receiver ?? notExercised("There is nothing here that takes notifications.");
    const { id: taskId } = await running(trial);
    const authentication = { scheme: "Bearer", credentials: "secret-of-the-receiver" };
    const params = { taskId, id: trial.newId(), url: receiver.url, authentication };
    succeeded(await trial.wire.call("CreateTaskPushNotificationConfig", params));
    await trial.wire.call("CancelTask", { id: taskId });
    // Others of this agent's may arrive as well, and late.
    let told = await receiver.next(trial.signal);
    while (taskOf(told.body) !== taskId) told = await receiver.next(trial.signal);
    const { headers, body } = told;
    const shown = headers["authorization"];
    demand(shown === "Bearer secret-of-the-receiver", `Its Authorization is ${quote(shown)}.`);
    const payloads = Object.keys(recordOf(body) ?? {});
    demand(payloads.length === 1, `What arrived is no StreamResponse: ${quote(body)}.`);
  }),
  verifies("streaming.refused", async (trial) => {
    const { wire, newId } = trial;
    const sent = await wire.stream("SendStreamingMessage", { message: say(trial, "plain") });
    expectFault(await streamRefusal(sent, trial), "UnsupportedOperationError");
    const followed = await wire.stream("SubscribeToTask", { id: newId() });
    expectFault(await streamRefusal(followed, trial), "UnsupportedOperationError");
  }),
  verifies("extensions.required", async (trial) => {
    const how = { headers: { "A2A-Extensions": null } };
    const answer = await trial.wire.call("SendMessage", { message: say(trial, "plain") }, how);
    expectFault(answer, "ExtensionSupportRequiredError");
  }),
  verifies("extensions.no-fallback", async (trial) => {
    const extensions = listOf(recordOf(trial.target.card["capabilities"])?.["extensions"]);
    const uris = extensions.map((extension) => stringOf(recordOf(extension)?.["uri"]));
    const required = extensions.flatMap((one) =>
      recordOf(one)?.["required"] === true ? [stringOf(recordOf(one)?.["uri"])] : [],
    );
    const others = uris.map((uri) => `${uri}-of-another-version`);
    const headers = { "A2A-Extensions": [...required, ...others].join(",") };
    const answer = await trial.wire.call("SendMessage", { message: say(trial, "plain") }, { headers });
    succeeded(answer);
    const active = (answer.headers.get("a2a-extensions") ?? "").split(",").map((uri) => uri.trim());
    const taken = active.filter((uri) => uri !== "" && !required.includes(uri));
    demand(taken.length === 0, `Asked for another version, ${quote(taken)} was put in force.`);
  }),
  verifies("auth.missing", async (trial) => {
    if (Object.keys(trial.credentials).length === 0) notExercised("No credentials were handed in.");
    demandRefused(await everyOperation(trial, without(trial)));
  }),
  verifies("auth.invalid", async (trial) => {
    const names = Object.keys(trial.credentials);
    if (names.length === 0) notExercised("No credentials were handed in.");
    const headers = Object.fromEntries(names.map((name) => [name, "Bearer not-a-credential-of-anybody"]));
    demandRefused(await everyOperation(trial, { headers }));
  }),
  verifies("auth.challenge", async (trial) => {
    if (Object.keys(trial.credentials).length === 0) notExercised("No credentials were handed in.");
    const { status, headers } = await trial.wire.call("ListTasks", {}, without(trial));
    demand(status === 401, `It was answered with HTTP ${status}.`);
    demand(headers.has("www-authenticate"), "There is no WWW-Authenticate.");
  }),
  verifies("auth.not-permitted", async (trial) => {
    const headers = trial.callers.unprivileged ?? notExercised("No caller without rights was handed in.");
    demandRefused(await everyOperation(trial, { headers }));
  }),
  verifies("auth.own-tasks", async (trial) => {
    const headers = trial.callers.other ?? notExercised("No second caller was handed in.");
    const { wire } = trial;
    const task = await trial.behaviour.task();
    for (const [operation, answer] of await taskOperations(wire, trial, stringOf(task["id"]), { headers })) {
      demand(
        answer.fault !== undefined,
        `${operation} of another's task was answered: ${quote(answer.text)}.`,
      );
      expectFault(answer, "TaskNotFoundError");
    }
    for (const params of [{}, { contextId: task["contextId"] }]) {
      const page = succeeded(await wire.call("ListTasks", params, { headers }));
      const ids = listOf(page["tasks"]).map((one) => recordOf(one)?.["id"]);
      demand(!ids.includes(task["id"]), "Another's task is listed.");
    }
    const { id } = await running(trial);
    const stream = await follow(trial, id);
    await stream.next();
    const stranger = await wire.call("CancelTask", { id }, { headers });
    trial.after(() => stream.close());
    expectFault(stranger, "TaskNotFoundError");
  }),
];
