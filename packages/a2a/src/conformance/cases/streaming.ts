import { listOf, recordOf, stringOf, type JsonRecord } from "../../wire/json.ts";
import { artifactsOf, INTERRUPTED, stateOf, TERMINAL } from "../behaviour.ts";
import type { StreamEvent } from "../raw/stream.ts";
import { expectFault, follow, reload, running, say, streamRefusal } from "../trial.ts";
import { demand, notExercised, quote, same } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

/** The state that an event brings; empty for one that brings none. */
function stateIn({ payload, value }: StreamEvent): string {
  return payload === "task" || payload === "statusUpdate" ? stateOf(value) : "";
}

function kindsOf(events: readonly StreamEvent[]): readonly string[] {
  return events.map(({ payload }) => payload ?? "?");
}

/** The text of each artifact, put together as its updates say. */
function textsOf(events: readonly StreamEvent[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { payload, value } of events) {
    if (payload === "task")
      for (const artifact of artifactsOf(value)) texts.set(idOf(artifact), textOf(artifact));
    if (payload !== "artifactUpdate") continue;
    const artifact = recordOf(value["artifact"]) ?? {};
    const before = value["append"] === true ? (texts.get(idOf(artifact)) ?? "") : "";
    texts.set(idOf(artifact), before + textOf(artifact));
  }
  return texts;
}

function idOf(artifact: JsonRecord): string {
  return stringOf(artifact["artifactId"]);
}

function textOf(artifact: JsonRecord): string {
  return listOf(artifact["parts"])
    .map((part) => stringOf(recordOf(part)?.["text"]))
    .join("");
}

/** What was seen of the task, without what may differ from one reader to another. */
function seen(events: readonly StreamEvent[]): readonly string[] {
  return events.filter(({ payload }) => payload !== "task").map(({ value }) => JSON.stringify(value));
}

export const STREAMING_CASES: readonly Case[] = [
  verifies("stream.opens", async ({ behaviour }) => {
    const { status, events } = await behaviour.streamed();
    demand(status === 200, `The stream has HTTP status ${status}.`);
    demand(events.length > 0, "The stream ended without an event.");
  }),
  verifies("stream.pattern", async ({ behaviour }) => {
    const kinds = kindsOf((await behaviour.streamed()).events);
    if (kinds[0] === "message")
      demand(kinds.length === 1, `After its message came ${quote(kinds.slice(1))}.`);
    else {
      demand(kinds[0] === "task", `The stream began with ${quote(kinds[0])}.`);
      // The task may be told once more at the end, as a whole.
      const rest = kinds.slice(1, kinds.at(-1) === "task" ? -1 : undefined);
      const strange = rest.filter((kind) => kind !== "statusUpdate" && kind !== "artifactUpdate");
      demand(strange.length === 0, `After its task came ${quote(strange)}.`);
    }
  }),
  verifies("stream.closes", async ({ behaviour }) => {
    const { events } = await behaviour.streamed();
    if (events[0]?.payload === "message") return;
    const end = events.findIndex((event) => TERMINAL.has(stateIn(event)));
    if (end === -1) {
      const states = events.map(stateIn).filter((state) => state !== "");
      demand(
        INTERRUPTED.has(states.at(-1) ?? ""),
        `The stream ended with the task in ${quote(states.at(-1))}.`,
      );
      return;
    }
    const late = events.slice(end + 1).filter(({ payload }) => payload !== "task");
    demand(late.length === 0, `After the task had ended came ${quote(kindsOf(late))}.`);
  }),
  verifies("stream.prompt", async (trial) => {
    const stream = await trial.wire.stream("SendStreamingMessage", { message: say(trial, "long") });
    trial.after(() => stream.close());
    const first = await stream.next();
    if (first?.payload === "message") notExercised("The agent answers with messages, and makes no tasks.");
    const id = first?.value["id"];
    trial.after(() => trial.wire.call("CancelTask", { id }));
    demand(first?.payload === "task", `The stream began with ${quote(first?.payload)}.`);
    if (TERMINAL.has(stateOf(await reload(trial, id)))) notExercised("The agent works on nothing for long.");
  }),
  verifies("stream.frames", async ({ behaviour, wire }) => {
    for (const { body, payload, fault, event } of (await behaviour.streamed()).events) {
      demand(fault === undefined, `An event is an error: ${quote(body)}.`);
      demand(
        event === "" || event === "message",
        `An event is named ${quote(event)}; readers look for messages.`,
      );
      demand(payload !== undefined, `An event is no StreamResponse with one payload: ${quote(body)}.`);
      if (wire.binding === "JSONRPC")
        demand(recordOf(body)?.["jsonrpc"] === "2.0", `An event is no JSON-RPC answer: ${quote(body)}.`);
    }
  }),
  verifies("stream.belongs", async ({ behaviour }) => {
    const [first, ...rest] = (await behaviour.streamed()).events;
    if (first?.payload !== "task") notExercised("The agent answers with messages, and makes no tasks.");
    const { id, contextId } = first.value;
    for (const { payload, value } of rest) {
      const whose = payload === "task" ? value["id"] : value["taskId"];
      demand(whose === id, `An update is of the task ${quote(whose)}, not ${quote(id)}.`);
      demand(value["contextId"] === contextId, `An update is of the context ${quote(value["contextId"])}.`);
    }
  }),
  verifies("stream.in-order", async (trial) => {
    const { events } = await trial.behaviour.streamed();
    const id = events[0]?.payload === "task" ? events[0].value["id"] : undefined;
    if (id === undefined) notExercised("The agent answers with messages, and makes no tasks.");
    const times = events.flatMap(({ payload, value }) => {
      const time = payload === "statusUpdate" ? stringOf(recordOf(value["status"])?.["timestamp"]) : "";
      return time === "" ? [] : [time];
    });
    demand(same(times, times.toSorted()), `States came in the order of ${quote(times)}.`);
    const texts = textsOf(events);
    for (const artifact of artifactsOf(await reload(trial, id))) {
      const text = texts.get(idOf(artifact));
      demand(
        text === textOf(artifact),
        `Artifact ${quote(idOf(artifact))} was streamed as ${quote(text)}, and is ${quote(textOf(artifact))}.`,
      );
    }
  }),
  verifies("stream.appends", async ({ behaviour }) => {
    const known = new Set<string>();
    const closed = new Set<string>();
    const { events } = await behaviour.streamed();
    if (!events.some(({ payload }) => payload === "artifactUpdate"))
      notExercised("No artifact was streamed.");
    for (const { payload, value } of events) {
      if (payload === "task") for (const artifact of artifactsOf(value)) known.add(idOf(artifact));
      if (payload !== "artifactUpdate") continue;
      const id = idOf(recordOf(value["artifact"]) ?? {});
      if (value["append"] === true) {
        demand(known.has(id), `An update appends to ${quote(id)}, which was not sent before.`);
        demand(!closed.has(id), `An update appends to ${quote(id)} after its last chunk.`);
      }
      known.add(id);
      if (value["lastChunk"] === true) closed.add(id);
    }
  }),
  verifies("stream.broadcast", async (trial) => {
    const { id } = await running(trial);
    const first = await follow(trial, id);
    const second = await follow(trial, id);
    await first.next();
    const snapshot = await second.next();
    const [one, two] = await Promise.all([
      first.rest(),
      second.rest(),
      trial.wire.call("CancelTask", { id }),
    ]);
    // The second joined later: what came before is in its snapshot.
    const tail = seen(one).slice(-seen(two).length);
    demand(snapshot?.payload === "task", "The second stream did not begin with the task.");
    demand(seen(two).length > 0, "The second stream got no event.");
    demand(same(tail, seen(two)), `One stream got ${quote(tail)}, the other ${quote(seen(two))}.`);
  }),
  verifies("stream.independent", async (trial) => {
    const { id } = await running(trial);
    const first = await follow(trial, id);
    const second = await follow(trial, id);
    await first.next();
    await second.next();
    await first.close();
    const state = stateOf(await reload(trial, id));
    demand(state !== "TASK_STATE_CANCELED", "Closing a stream canceled the task.");
    const [rest] = await Promise.all([second.rest(), trial.wire.call("CancelTask", { id })]);
    demand(
      rest.some((event) => TERMINAL.has(stateIn(event))),
      `The other stream ended without the end of the task: ${quote(kindsOf(rest))}.`,
    );
  }),
  verifies("stream.unknown-task", async (trial) => {
    const message = say(trial, "plain", { taskId: trial.newId() });
    const stream = await trial.wire.stream("SendStreamingMessage", { message });
    expectFault(await streamRefusal(stream, trial), "TaskNotFoundError");
  }),
  verifies("subscribe.begins-with-task", async (trial) => {
    const { id, contextId } = await running(trial);
    const stream = await follow(trial, id);
    trial.after(() => stream.close());
    const first = await stream.next();
    demand(first?.payload === "task", `The subscription began with ${quote(first?.payload ?? first?.body)}.`);
    demand(first.value["id"] === id, `It began with the task ${quote(first.value["id"])}, not ${quote(id)}.`);
    demand(first.value["contextId"] === contextId, "The task it began with is of another context.");
  }),
  verifies("subscribe.ends", async (trial) => {
    const { id } = await running(trial);
    const stream = await follow(trial, id);
    const [events] = await Promise.all([stream.rest(), trial.wire.call("CancelTask", { id })]);
    demand(
      events.some((event) => TERMINAL.has(stateIn(event))),
      `The subscription ended without the end of the task: ${quote(kindsOf(events))}.`,
    );
  }),
  verifies("subscribe.terminal-task", async (trial) => {
    const { id } = await trial.behaviour.endedTask();
    const stream = await trial.wire.stream("SubscribeToTask", { id });
    expectFault(await streamRefusal(stream, trial), "UnsupportedOperationError");
  }),
  verifies("subscribe.unknown-task", async (trial) => {
    const stream = await trial.wire.stream("SubscribeToTask", { id: trial.newId() });
    expectFault(await streamRefusal(stream, trial), "TaskNotFoundError");
  }),
  verifies("subscribe.both-methods", async (trial) => {
    for (const method of ["GET", "POST"] as const) {
      const stream = await trial.wire.stream("SubscribeToTask", { id: trial.newId() }, { method });
      expectFault(await streamRefusal(stream, trial), "TaskNotFoundError");
    }
  }),
];
