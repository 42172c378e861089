import { listOf, recordOf, stringOf, type JsonRecord } from "../../wire/json.ts";
import { artifactsOf, stateOf, succeeded, taskIn, TERMINAL } from "../behaviour.ts";
import { expectFault, expectInvalid, reload, running, say, timestampOf, type Trial } from "../trial.ts";
import { demand, notExercised, quote, same } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

async function list(trial: Trial, params: JsonRecord): Promise<JsonRecord> {
  return succeeded(await trial.wire.call("ListTasks", params));
}

function tasksOf(page: JsonRecord): readonly JsonRecord[] {
  return listOf(page["tasks"]).map((task) => recordOf(task) ?? {});
}

function idsOf(tasks: readonly JsonRecord[]): readonly string[] {
  return tasks.map((task) => stringOf(task["id"]));
}

/** A context with at least this many tasks. */
async function contextOf(trial: Trial, count: number): Promise<string> {
  const first = await trial.behaviour.task();
  const contextId = stringOf(first["contextId"]);
  const page = await list(trial, { contextId });
  for (let have = tasksOf(page).length; have < count; have++) {
    const answer = await trial.wire.call("SendMessage", { message: say(trial, "plain", { contextId }) });
    if (taskIn(answer)?.["contextId"] !== contextId)
      notExercised("The agent takes no second task into a context.");
  }
  return contextId;
}

export const TASK_CASES: readonly Case[] = [
  verifies("get.task", async (trial) => {
    const { id } = await trial.behaviour.task();
    const task = await reload(trial, id);
    demand(task["id"] === id, `It answered the task ${quote(task["id"])}, not ${quote(id)}.`);
  }),
  verifies("get.repeatable", async (trial) => {
    const { id } = await trial.behaviour.endedTask();
    const [one, two] = [await reload(trial, id), await reload(trial, id)];
    demand(same(one, two), "The task read differently the second time.");
  }),
  verifies("get.unknown-task", async (trial) => {
    expectFault(await trial.wire.call("GetTask", { id: trial.newId() }), "TaskNotFoundError");
  }),
  verifies("get.history-length", async (trial) => {
    const { id } = await trial.behaviour.task();
    for (const historyLength of [0, 1]) {
      const task = succeeded(await trial.wire.call("GetTask", { id, historyLength }));
      const { length } = listOf(task["history"]);
      demand(length <= historyLength, `Asked for ${historyLength} messages, ${length} came.`);
    }
  }),
  verifies("get.history-length-valid", async (trial) => {
    const { id } = await trial.behaviour.task();
    expectInvalid(await trial.wire.call("GetTask", { id, historyLength: -1 }));
  }),
  verifies("list.fields", async (trial) => {
    await trial.behaviour.task();
    const page = await list(trial, {});
    demand(Array.isArray(page["tasks"]), "tasks is no list.");
    demand(Number.isInteger(page["pageSize"]), `pageSize is ${quote(page["pageSize"])}.`);
    demand(Number.isInteger(page["totalSize"]), `totalSize is ${quote(page["totalSize"])}.`);
    demand(typeof page["nextPageToken"] === "string", `nextPageToken is ${quote(page["nextPageToken"])}.`);
  }),
  verifies("list.last-page", async (trial) => {
    const contextId = await contextOf(trial, 1);
    for (const params of [{ contextId, pageSize: 100 }, { contextId: trial.newId() }]) {
      const page = await list(trial, params);
      demand(
        page["nextPageToken"] === "",
        `On the last page nextPageToken is ${quote(page["nextPageToken"])}.`,
      );
    }
  }),
  verifies("list.artifacts-left-out", async (trial) => {
    const contextId = await contextOf(trial, 1);
    for (const params of [{ contextId }, { contextId, includeArtifacts: false }])
      for (const task of tasksOf(await list(trial, params)))
        demand(task["artifacts"] === undefined, `Task ${quote(task["id"])} has the field artifacts.`);
  }),
  verifies("list.artifacts-included", async (trial) => {
    const { id, contextId } = await trial.behaviour.endedTask();
    const count = artifactsOf(await reload(trial, id)).length;
    if (count === 0) notExercised("The agent made no artifact.");
    const listed = tasksOf(await list(trial, { contextId, includeArtifacts: true })).find(
      (task) => task["id"] === id,
    );
    demand(listed !== undefined, `The task ${quote(id)} is not listed.`);
    const got = artifactsOf(listed).length;
    demand(got === count, `The task has ${count} artifacts, and was listed with ${got}.`);
  }),
  verifies("list.order", async (trial) => {
    const contextId = await contextOf(trial, 2);
    const times = tasksOf(await list(trial, { contextId })).map(timestampOf);
    if (times.includes("")) notExercised("The agent puts no time to its states.");
    const ordered = times.toSorted((a, b) => Date.parse(b) - Date.parse(a));
    demand(same(times, ordered), `Tasks were listed in the order of ${quote(times)}.`);
  }),
  verifies("list.pages", async (trial) => {
    const contextId = await contextOf(trial, 3);
    const all = tasksOf(await list(trial, { contextId, pageSize: 100 }));
    const seen: string[] = [];
    for (let pageToken = "", pages = 0; pages <= all.length; pages++) {
      const page = await list(trial, { contextId, pageSize: 1, ...(pageToken === "" ? {} : { pageToken }) });
      const ids = idsOf(tasksOf(page));
      demand(ids.length <= 1, `A page of one has ${ids.length} tasks.`);
      demand(
        page["totalSize"] === all.length,
        `totalSize is ${quote(page["totalSize"])}, of ${all.length} tasks.`,
      );
      seen.push(...ids);
      pageToken = stringOf(page["nextPageToken"]);
      if (pageToken === "") break;
    }
    demand(same(seen, idsOf(all)), `Page by page came ${quote(seen)}, at once ${quote(idsOf(all))}.`);
  }),
  verifies("list.by-context", async (trial) => {
    const contextId = await contextOf(trial, 1);
    const tasks = tasksOf(await list(trial, { contextId }));
    demand(tasks.length > 0, "A context with tasks is listed as empty.");
    const others = tasks.filter((task) => task["contextId"] !== contextId);
    demand(others.length === 0, `Tasks of other contexts are listed: ${quote(idsOf(others))}.`);
  }),
  verifies("list.by-status", async (trial) => {
    const { id, contextId } = await trial.behaviour.endedTask();
    const status = stateOf(await reload(trial, id));
    const tasks = tasksOf(await list(trial, { contextId, status }));
    demand(idsOf(tasks).includes(stringOf(id)), `The task is ${status}, and not listed as such.`);
    const others = tasks.filter((task) => stateOf(task) !== status);
    demand(others.length === 0, `Tasks in other states are listed: ${quote(idsOf(others))}.`);
    const empty = tasksOf(await list(trial, { contextId, status: "TASK_STATE_REJECTED" }));
    demand(!idsOf(empty).includes(stringOf(id)), `The task is ${status}, and listed as rejected.`);
  }),
  verifies("list.by-time", async (trial) => {
    const { id, contextId } = await trial.behaviour.endedTask();
    const at = Date.parse(timestampOf(await reload(trial, id)));
    if (Number.isNaN(at)) notExercised("The agent puts no time to its states.");
    const after = async (ms: number): Promise<boolean> => {
      const statusTimestampAfter = new Date(ms).toISOString();
      return idsOf(tasksOf(await list(trial, { contextId, statusTimestampAfter }))).includes(stringOf(id));
    };
    demand(await after(at - 60_000), "A task that changed since is not listed.");
    demand(!(await after(at + 60_000)), "A task that changed before is listed.");
  }),
  verifies("list.history-length", async (trial) => {
    const contextId = await contextOf(trial, 1);
    for (const task of tasksOf(await list(trial, { contextId, historyLength: 0 }))) {
      const { length } = listOf(task["history"]);
      demand(length === 0, `Asked for no messages, ${length} came.`);
    }
  }),
  verifies("list.page-size-valid", async ({ wire }) => {
    for (const pageSize of [0, 101, -1]) expectInvalid(await wire.call("ListTasks", { pageSize }));
  }),
  verifies("list.token-valid", async ({ wire }) => {
    expectInvalid(await wire.call("ListTasks", { pageToken: "nobody made this token" }));
  }),
  verifies("list.time-valid", async ({ wire }) => {
    expectInvalid(await wire.call("ListTasks", { statusTimestampAfter: "the day before yesterday" }));
  }),
  verifies("list.default-page-size", async (trial) => {
    const page = await list(trial, {});
    const size = page["pageSize"];
    demand(typeof size === "number" && size >= 1 && size <= 50, `pageSize is ${quote(size)}.`);
    demand(tasksOf(page).length <= 50, `${tasksOf(page).length} tasks came.`);
  }),
  verifies("list.status-valid", async ({ wire }) => {
    expectInvalid(await wire.call("ListTasks", { status: "TASK_STATE_RUNNING" }));
  }),
  verifies("cancel.running", async (trial) => {
    const { id } = await running(trial);
    const answer = await trial.wire.call("CancelTask", { id });
    const now = stateOf(await reload(trial, id));
    if (answer.fault !== undefined) {
      if (TERMINAL.has(now) && now !== "TASK_STATE_CANCELED")
        notExercised("The task ended before it was canceled.");
      expectFault(answer, "TaskNotCancelableError");
      notExercised("The agent cannot be stopped in its work.");
    }
    const told = succeeded(answer);
    demand(told["id"] === id, `It answered the task ${quote(told["id"])}, not ${quote(id)}.`);
    demand(stateOf(told) === "TASK_STATE_CANCELED", `It answered the task in ${stateOf(told)}.`);
    demand(now === "TASK_STATE_CANCELED", `Afterwards the task was in ${now}.`);
  }),
  verifies("cancel.repeatable", async (trial) => {
    const { id } = await running(trial);
    const first = await trial.wire.call("CancelTask", { id });
    const before = stateOf(await reload(trial, id));
    if (first.fault !== undefined) notExercised("The task could not be canceled.");
    const again = await trial.wire.call("CancelTask", { id });
    // Each of these says that the task is canceled or gone.
    if (again.fault !== undefined && again.fault.reason !== "TASK_NOT_FOUND") {
      expectFault(again, again.fault.code === -32001 ? "TaskNotFoundError" : "TaskNotCancelableError");
    }
    const after = stateOf(await reload(trial, id));
    demand(before === after, `Canceling once more took the task from ${before} to ${after}.`);
  }),
  verifies("cancel.terminal-task", async (trial) => {
    const task = await trial.behaviour.endedTask();
    if (stateOf(task) === "TASK_STATE_CANCELED") notExercised("The task had been canceled.");
    expectFault(await trial.wire.call("CancelTask", { id: task["id"] }), "TaskNotCancelableError");
  }),
  verifies("cancel.unknown-task", async (trial) => {
    expectFault(await trial.wire.call("CancelTask", { id: trial.newId() }), "TaskNotFoundError");
  }),
];
