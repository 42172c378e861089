import { expect, it } from "vitest";

import { deaf, inList, inTask, inUpdate } from "../../testing/faulty-fetch.ts";
import { recordOf, type JsonRecord } from "../../wire/json.ts";
import { notice, type Mutation } from "./notice.ts";

const without = (value: JsonRecord, name: string): JsonRecord => ({ ...value, [name]: undefined });
const appends = (frame: JsonRecord): boolean => recordOf(frame["artifactUpdate"])?.["append"] === true;
const closes = (frame: JsonRecord): boolean => recordOf(frame["artifactUpdate"])?.["lastChunk"] === true;

const FAULTS: readonly Mutation[] = [
  ["a stream that is none", "stream.opens", { head: { "content-type": "application/json" } }],
  ["a stream that ends before its end", "stream.closes", { frames: (frames) => frames.slice(0, -1) }],
  [
    "a stream that goes on after its end",
    "stream.closes",
    { frames: (frames) => [...frames, ...frames.slice(-1)] },
  ],
  ["a stream that never ends", "stream.closes", { hangs: true }],
  ["a stream without its task", "stream.pattern", { frames: (frames) => frames.slice(1) }],
  ["two tasks in a stream", "stream.pattern", { frames: ([task = {}, ...rest]) => [task, task, ...rest] }],
  [
    "frames with two payloads",
    "stream.frames",
    { frames: (frames) => frames.map((frame) => ({ ...frame, message: {} })) },
  ],
  ["updates of another task", "stream.belongs", inUpdate((update) => ({ ...update, taskId: "another" }))],
  [
    "updates of another context",
    "stream.belongs",
    inUpdate((update) => ({ ...update, contextId: "another" })),
  ],
  [
    "updates in another order",
    "stream.in-order",
    { frames: (frames) => [...frames.slice(0, 1), ...frames.slice(1, -1).toReversed(), ...frames.slice(-1)] },
  ],
  [
    "a lost update",
    "stream.in-order",
    {
      frames: (frames) =>
        frames.filter((_frame, n) => n !== frames.findIndex((one) => "artifactUpdate" in one)),
    },
  ],
  [
    "a doubled update",
    "stream.in-order",
    { frames: (frames) => frames.flatMap((frame) => (appends(frame) ? [frame, frame] : [frame])) },
  ],
  ["appending to nothing", "stream.appends", inUpdate((update) => ({ ...update, append: true }))],
  [
    "appending after the last chunk",
    "stream.appends",
    {
      frames: (frames) =>
        frames.flatMap((frame) =>
          closes(frame)
            ? [frame, { artifactUpdate: { ...recordOf(frame["artifactUpdate"]), append: true } }]
            : [frame],
        ),
    },
  ],
  ["tasks listed oldest first", "list.order", inList((tasks) => tasks.toReversed())],
  [
    "a list without token",
    "list.last-page",
    { answer: (value) => ("tasks" in value ? without(value, "nextPageToken") : value) },
  ],
  [
    "a list without sizes",
    "list.fields",
    { answer: (value) => ("tasks" in value ? without(value, "totalSize") : value) },
  ],
  [
    "empty artifacts in a list",
    "list.artifacts-left-out",
    inList((tasks) => tasks.map((task) => ({ ...task, artifacts: [] }))),
  ],
  [
    "artifacts that are not listed",
    "list.artifacts-included",
    inList((tasks) => tasks.map((task) => without(task, "artifacts"))),
  ],
  ["the first page again and again", "list.pages", deaf("pageToken")],
  ["pages of any size", "list.pages", deaf("pageSize")],
  ["tasks of all contexts", "list.by-context", deaf("contextId")],
  ["tasks in all states", "list.by-status", deaf("status")],
  ["tasks of all times", "list.by-time", deaf("statusTimestampAfter")],
  ["all of the history", "get.history-length", deaf("historyLength")],
  ["another task than asked for", "get.task", inTask((task) => ({ ...task, id: "another" }))],
  [
    "a task that reads otherwise each time",
    "get.repeatable",
    inTask((task) => ({ ...task, metadata: { now: performance.now() } })),
  ],
  [
    "an answer before the end",
    "send.blocking-waits",
    {
      params: (params) =>
        "message" in params ? { ...params, configuration: { returnImmediately: true } } : params,
    },
  ],
  ["an answer after the end only", "send.returns-immediately", { ...deaf("configuration"), hangs: true }],
  [
    "an answer without artifacts",
    "send.latest-state",
    {
      answer: (value) =>
        "task" in value ? { ...value, task: without(recordOf(value["task"]) ?? {}, "artifacts") } : value,
    },
  ],
  ["one id for all tasks", "send.task-ids-unique", inTask((task) => ({ ...task, id: "the task" }))],
  ["no context id", "send.context-told", inTask((task) => without(task, "contextId"))],
  [
    "a context of its own",
    "send.context-kept-or-refused",
    inTask((task) => ({ ...task, contextId: "mine" })),
  ],
  [
    "two payloads in an answer",
    "send.answers",
    { answer: (value) => ("task" in value ? { ...value, message: {} } : value) },
  ],
  ["a reply that begins another task", "send.continues", deafToTask()],
  [
    "a task that needs to be let and works on",
    "auth-required.is-a-task",
    { answer: (value) => ("id" in value ? { ...value, status: { state: "TASK_STATE_WORKING" } } : value) },
  ],
  [
    "a task that does not say what it needs",
    "auth-required.explained",
    inTask((task) => ({ ...task, status: without(recordOf(task["status"]) ?? {}, "message") })),
  ],
  [
    "a task that is not canceled",
    "cancel.running",
    { text: (text) => text.replaceAll("TASK_STATE_CANCELED", "TASK_STATE_WORKING") },
  ],
];

/** The task that a message names is passed over. */
function deafToTask(): Mutation[2] {
  return {
    params: (params) =>
      "message" in params
        ? { ...params, message: without(recordOf(params["message"]) ?? {}, "taskId") }
        : params,
  };
}

it.each(FAULTS)("%s is noticed by %s", async (_name, requirement, fault) => {
  expect(await notice(requirement, fault)).not.toEqual([]);
});
