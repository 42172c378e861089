import {
  isEnd,
  isHeader,
  type CapturedEvent,
  type CaptureHeader,
  type CaptureRecord,
} from "../capture/capture-record.ts";
import { listOf, recordOf, stringOf, type JsonRecord } from "../wire/json.ts";
import { isSettledState, type SeenArtifact, type SeenEvent } from "../capture/read-event.ts";
import { ARTIFACT_NAMES } from "../wire/extension.ts";
import { answerOf } from "./answer.ts";
import { ArtifactTable } from "./artifacts.ts";
import { OutcomeReader } from "./outcome.ts";
import { PlanTable } from "./plan.ts";
import { isOwn, ownEvents, type ArtifactKind } from "./role.ts";
import { Texts } from "./texts.ts";
import type { Trace, TracePoint, TraceSilence } from "./trace.ts";
import { createArtifactCheck } from "./violations.ts";

/** Takes a capture record by record, while it is made or from a file. */
export interface Tracer {
  readonly push: (record: CaptureRecord) => void;
  /** What it amounts to so far. */
  readonly trace: () => Trace;
}

/** Pure: no clock, no network. Holds what an agent said, not the events. */
export function createTracer(): Tracer {
  const texts = new Texts();
  const artifacts = new ArtifactTable();
  const plan = new PlanTable();
  const check = createArtifactCheck();
  const reader = new OutcomeReader();
  let header: CaptureHeader | null = null;
  let delivery: Trace["delivery"] = "stream";
  let cut = 0;
  let unreadable = 0;
  let firstEvent: number | null = null;
  let firstTool: Trace["firstTool"] = null;
  let tools = 0;
  let last: TracePoint = { t: 0, what: "request" };
  let silence: TraceSilence | null = null;

  const hear = (to: TracePoint): void => {
    const ms = to.t - last.t;
    if (silence === null || ms > silence.ms) silence = { ms, from: last, to };
    last = to;
  };

  const takeTyped = (metadata: JsonRecord): void => {
    for (const event of ownEvents(metadata)) {
      if (event["type"] === "finish" && event["stepId"] === undefined)
        texts.settle(listOf(event["answerItems"]).map(stringOf));
      if (event["type"] === "plan-update" && event["stepId"] === undefined)
        texts.passThrough(stringOf(recordOf(event["plan"])?.["answerStep"]));
    }
  };

  const takeArtifact = (t: number, artifact: SeenArtifact, kind: ArtifactKind, append: boolean): void => {
    takeTyped(artifact.metadata);
    switch (kind) {
      case "text":
        texts.artifact(t, artifact, append);
        break;
      case "result": {
        const content = artifact.data?.["content"];
        if (typeof content === "string") texts.result.replace(t, content);
        else if (append) texts.result.append(t, artifact.text);
        else texts.result.replace(t, artifact.text);
        break;
      }
      case "plan":
        plan.take(t, artifact);
        break;
      default:
    }
  };
  const take = (t: number, seen: SeenEvent): void => {
    check.push(seen, reader.progress.events - 1);
    switch (seen.kind) {
      case "unreadable":
        unreadable++;
        return;
      case "error":
        return;
      case "message":
        texts.message.append(t, seen.message.text);
        return;
      case "artifact": {
        const { artifact, append, lastChunk } = seen;
        const isNew = artifacts.size;
        const kind = artifacts.take(t, artifact, { append, lastChunk });
        if (kind === "tool" && artifact.name === ARTIFACT_NAMES.toolStart && artifacts.size > isNew) {
          tools++;
          firstTool ??= { t, name: artifact.text };
        }
        takeArtifact(t, artifact, kind, append);
        return;
      }
      default: {
        if (seen.kind === "task")
          for (const artifact of seen.artifacts)
            takeArtifact(t, artifact, artifacts.takeWhole(t, artifact, isSettledState(seen.state)), false);
        takeTyped(seen.metadata);
        // What ours say there are words for clients that show nothing else.
        if (seen.message !== undefined && !isOwn(seen.metadata)) texts.said(t, seen.message, seen.state);
      }
    }
  };

  const takeEvent = (event: CapturedEvent, seen: SeenEvent | undefined): void => {
    const { t } = event;
    firstEvent ??= t;
    if (event.from !== undefined) delivery = event.from;
    hear({ t, what: seen === undefined ? "event cut off" : nameOf(seen) });
    if (seen === undefined) cut++;
    else take(t, seen);
  };

  return {
    push(record) {
      const seen = reader.push(record);
      if (isHeader(record)) header = record;
      else if (isEnd(record)) hear({ t: record.t, what: "end" });
      else takeEvent(record, seen);
    },
    trace() {
      const { items, ...answer } = answerOf(texts);
      const answering = new Set(items);
      const { events, bytes, outcome, settledAt, ended, error } = reader.progress;
      const roleOf = (item: (typeof texts.items)[number]) =>
        answer.role === "answer" && answering.has(item) ? "answer" : texts.roleOf(item);
      const all = texts.items;
      const firstOf = (role: string): number | null =>
        earliest(all.filter((item) => roleOf(item) === role).map((item) => item.text.first));
      const spoken = [texts.result.first, texts.message.first];
      return {
        v: 1,
        kind: "a2a-trace",
        of: header,
        delivery,
        events,
        bytes,
        cut,
        unreadable,
        firstEvent,
        firstText: earliest([...all.map((item) => item.text.first), ...spoken, texts.status.first]),
        firstNarration: firstOf("narration"),
        firstAnswer:
          answer.role === "answer" ? earliest([...items.map((item) => item.text.first), ...spoken]) : null,
        firstTool,
        tools,
        end: settledAt ?? ended?.t ?? null,
        outcome,
        ending: ended?.end ?? null,
        error,
        longestSilence: silence,
        answer,
        artifacts: artifacts.rows((id) => texts.itemsOf(id).map(roleOf)),
        plan: plan.steps,
        violations: check.violations(events),
      };
    },
  };
}

function earliest(times: readonly (number | null | undefined)[]): number | null {
  return times.reduce<number | null>(
    (a, b) => (b === null || b === undefined ? a : a === null ? b : Math.min(a, b)),
    null,
  );
}

/** An event in a few words; names are the agent's own. */
function nameOf(seen: SeenEvent): string {
  switch (seen.kind) {
    case "task":
      return `task ${seen.state}`;
    case "status":
      return `status ${seen.state}`;
    case "artifact":
      return `${seen.artifact.name || "artifact"} "${seen.artifact.artifactId}"`;
    default:
      return seen.kind;
  }
}
