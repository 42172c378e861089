import { recordOf, stringOf } from "../../wire/json.ts";
import { artifactsOf, succeeded, taskIn } from "../behaviour.ts";
import type { Answer } from "../raw/answer.ts";
import { INVALID } from "../raw/faults.ts";
import { OPERATION_NAMES } from "../raw/operations.ts";
import type { Wire } from "../raw/wire.ts";
import { checkShape, type ShapeProblem } from "../shapes/check-shape.ts";
import { reload, say, type Trial } from "../trial.ts";
import { demand, notExercised, quote, same } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

/** Whatever the agent says in JSON that requirements of the format are about. */
async function problemsIn(trial: Trial): Promise<readonly ShapeProblem[]> {
  const { behaviour, wire, target } = trial;
  const problems = [...checkShape("SendMessageResponse", (await behaviour.answer()).result)];
  if (recordOf(target.card["capabilities"])?.["streaming"] === true)
    for (const { body } of (await behaviour.streamed()).events) {
      const response = wire.binding === "JSONRPC" ? recordOf(body)?.["result"] : body;
      problems.push(...checkShape("StreamResponse", response));
    }
  const task = taskIn(await behaviour.answer());
  if (task !== undefined) {
    problems.push(...checkShape("Task", await reload(trial, task["id"])));
    const params = { contextId: stringOf(task["contextId"]), includeArtifacts: true };
    problems.push(...checkShape("ListTasksResponse", succeeded(await wire.call("ListTasks", params))));
  }
  return problems;
}

function format(id: string, ...rules: readonly ShapeProblem["rule"][]): Case {
  return verifies(id, async (trial) => {
    const broken = (await problemsIn(trial)).filter(({ rule }) => rules.includes(rule));
    const told = broken.slice(0, 3).map(({ at, problem }) => `${at} ${problem}`);
    demand(broken.length === 0, `${told.join("; ")}${broken.length > 3 ? " and more" : ""}.`);
  });
}

/** An error without what only one binding has. */
function kindOf({ fault, binding }: Answer): string {
  if (fault === undefined) return "none";
  if (fault.reason !== "") return fault.reason;
  return binding !== "HTTP+JSON" && fault.code === INVALID[binding] ? "INVALID_PARAMS" : quote(fault.code);
}

async function eachWire<T>(trial: Trial, ask: (wire: Wire) => Promise<T>): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (const wire of trial.wires) found.set(wire.binding, await ask(wire));
  return found;
}

function demandSame(found: ReadonlyMap<string, string>, of: string): void {
  const different = new Set(found.values()).size > 1;
  demand(!different, `${of} differs: ${[...found].map(([name, value]) => `${name} ${value}`).join(", ")}.`);
}

export const FORMAT_CASES: readonly Case[] = [
  format("json.names", "names"),
  format("json.enums", "enums"),
  format("json.timestamps", "timestamps"),
  format("json.required", "required"),
  format("json.required-lists", "required-lists"),
  format("json.types", "types"),
  format("json.one-content", "one-content"),
  verifies("json.utf-8", async (trial) => {
    const parts = [{ text: `${trial.prompts.plain} – žluťoučký 日本語 🎈` }];
    const answer = await trial.wire.call("SendMessage", { message: say(trial, "plain", { parts }) });
    succeeded(answer);
    demand(!answer.garbled, "The answer is no UTF-8.");
  }),
  verifies("json.artifact-ids", async (trial) => {
    const task = await trial.behaviour.endedTask();
    const ids = artifactsOf(await reload(trial, task["id"])).map((artifact) =>
      stringOf(artifact["artifactId"]),
    );
    if (ids.length === 0) notExercised("The agent made no artifact.");
    demand(new Set(ids).size === ids.length, `Artifacts share ids: ${quote(ids)}.`);
  }),
  verifies("bindings.same-data", async (trial) => {
    const { id } = await trial.behaviour.endedTask();
    const read = await eachWire(trial, async (wire) => sorted(succeeded(await wire.call("GetTask", { id }))));
    const overGrpc = read.get("GRPC");
    const inJson = [...read].flatMap(([binding, task]) => (binding === "GRPC" ? [] : [task]));
    const alike =
      new Set(inJson.map((task) => JSON.stringify(task))).size <= 1 &&
      (overGrpc === undefined || inJson.every((task) => same(asBinary(task), asBinary(overGrpc))));
    demand(alike, `The task ${quote(id)} reads differently over each binding.`);
  }),
  verifies("bindings.same-errors", async (trial) => {
    const id = trial.newId();
    const faults: readonly (readonly [string, (wire: Wire) => Promise<Answer>])[] = [
      ["A task that does not exist", (wire) => wire.call("GetTask", { id })],
      [
        "A message without parts",
        (wire) => wire.call("SendMessage", { message: say(trial, "plain", { parts: [] }) }),
      ],
      ["A page size of 0", (wire) => wire.call("ListTasks", { pageSize: 0 })],
      ["The extended card", (wire) => wire.call("GetExtendedAgentCard", {})],
      ["Push", (wire) => wire.call("ListTaskPushNotificationConfigs", { taskId: id })],
    ];
    for (const [of, ask] of faults)
      demandSame(await eachWire(trial, async (wire) => kindOf(await ask(wire))), of);
  }),
  verifies("bindings.same-operations", async (trial) => {
    const params = { id: trial.newId(), taskId: trial.newId(), url: "https://example.com/hook" };
    for (const operation of OPERATION_NAMES) {
      if (operation === "SendStreamingMessage" || operation === "SubscribeToTask") continue;
      const known = await eachWire(trial, async (wire) => {
        const answer = await wire.call(operation, params);
        const unknown = {
          JSONRPC: answer.fault?.code === -32601,
          "HTTP+JSON": isUnknownPath(answer),
          GRPC: answer.fault?.code === UNIMPLEMENTED,
        }[wire.binding];
        return unknown ? "unknown" : "known";
      });
      demandSame(known, operation);
    }
  }),
];

/** Of gRPC. */
const UNIMPLEMENTED = 12;

/** 404 is also what a task is answered with that does not exist; then there is a reason. */
function isUnknownPath({ status, fault }: Answer): boolean {
  return status === 405 || status === 501 || (status === 404 && fault?.reason !== "TASK_NOT_FOUND");
}

/** As the binary form has it: without empty values, and times to the millisecond. */
function asBinary(value: unknown): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return Date.parse(value);
  if (Array.isArray(value)) return value.map(asBinary);
  const record = recordOf(value);
  if (record === undefined) return value;
  return Object.fromEntries(
    Object.entries(record)
      .map(([key, item]) => [key, asBinary(item)] as const)
      .filter(([, item]) => !EMPTY.has(JSON.stringify(item))),
  );
}

const EMPTY: ReadonlySet<string | undefined> = new Set([undefined, "null", '""', "[]", "{}", "0", "false"]);

/** With its keys in order, since JSON objects have none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const record = recordOf(value);
  if (record === undefined) return value;
  return Object.fromEntries(
    Object.keys(record)
      .toSorted()
      .map((key) => [key, sorted(record[key])]),
  );
}
