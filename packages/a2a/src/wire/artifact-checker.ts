import { TaskState, type Artifact } from "@a2a-js/sdk";

import { ARTIFACT_NAMES, EXT, PLAN_NAMES, RESULT_NAMES } from "./extension.ts";
import { textOf, type Metadata, type WireEvent } from "./parts.ts";
import { isObject } from "./json.ts";
import { readRecord } from "./records.ts";
import { isSettled, isTerminal } from "./state.ts";

export type ArtifactRule =
  /** append=true for an id that nothing created. */
  | "append-unknown"
  /** append=false for an id that is there already, and is neither a plan nor a text that is emptied. */
  | "create-known"
  /** Anything after lastChunk. */
  | "after-close"
  /** An update without a part. */
  | "no-parts"
  /** Anything after the turn was over. */
  | "after-end"
  /** Not closed when the stream ended. */
  | "left-open"
  /** Another name under the same id. */
  | "name-changed"
  /** Text that is marked neither as answer nor as narration, or as both. */
  | "flags-not-one"
  /** Text marked otherwise than when it began. */
  | "flags-changed"
  /** Another step than when it began, or than the typed events beside it name. */
  | "step-changed"
  /** A second `final_result` or `partial_result`. */
  | "second-result"
  /** A result, and then the task is not completed. */
  | "result-not-completed"
  /** A task of an agent of ours that is completed without a result. */
  | "no-result";

/** A rule of the artifact stream that an event broke. */
export interface ArtifactViolation {
  readonly rule: ArtifactRule;
  /** Empty where no artifact is to blame. */
  readonly artifactId: string;
  /** Index of the event in what was checked; its length for what was missing at the end. */
  readonly at: number;
}

/** Takes one task's events as they come, each at the cost of that update, and says what was wrong. */
export interface ArtifactChecker {
  push(event: WireEvent): readonly ArtifactViolation[];
  /** What is missing when nothing more comes. */
  end(): readonly ArtifactViolation[];
}

interface Known {
  readonly name: string;
  readonly flag: Flag | undefined;
  readonly step: unknown;
  /** `unsure`: a snapshot does not say whether an artifact was closed. */
  state: "open" | "unsure" | "closed";
}

type Flag = "answer" | "narration" | "both" | "neither";

/** Checks against what docs/a2a-extension.md says of artifacts. It holds ids and flags, no content. */
export function createArtifactChecker(): ArtifactChecker {
  const artifacts = new Map<string, Known>();
  let at = 0;
  /** The turn is over; only a task that waits for somebody goes on. */
  let over: "no" | "waits" | "ended" = "no";
  let ours = false;
  let result: string | undefined;

  const remember = (artifact: Artifact, state: Known["state"]): Known => {
    const { artifactId, name, metadata } = artifact;
    const flag = name === ARTIFACT_NAMES.text ? flagOf(metadata) : undefined;
    const known = { name, flag, step: metadata?.["plan_step_id"], state };
    artifacts.set(artifactId, known);
    ours ||= metadata?.[EXT] !== undefined;
    if (isResult(artifact)) result ??= artifactId;
    return known;
  };

  const create = (artifact: Artifact): readonly ArtifactRule[] => {
    const { artifactId } = artifact;
    const rules: ArtifactRule[] = [];
    const known = remember(artifact, "open");
    if (known.flag === "both" || known.flag === "neither") rules.push("flags-not-one");
    if (isResult(artifact) && result !== artifactId) rules.push("second-result");
    return rules;
  };

  const update = (artifact: Artifact, append: boolean): readonly ArtifactRule[] => {
    const known = artifacts.get(artifact.artifactId);
    if (known === undefined) return [...(append ? ["append-unknown" as const] : []), ...create(artifact)];
    if (known.state === "closed") return ["after-close"];
    const rules: ArtifactRule[] = [];
    const plan = PLAN_NAMES.has(known.name) && PLAN_NAMES.has(artifact.name);
    if (artifact.name !== known.name && !plan && !(append && artifact.name === ""))
      rules.push("name-changed");
    const emptied = known.name === ARTIFACT_NAMES.text && textOf(artifact.parts) === "";
    if (!append && !plan && !emptied) rules.push("create-known");
    const flag = flagOf(artifact.metadata);
    if (known.flag !== undefined && flag !== "neither" && flag !== known.flag) rules.push("flags-changed");
    const step = artifact.metadata?.["plan_step_id"];
    if (artifact.metadata !== undefined && (step ?? known.step) !== known.step) rules.push("step-changed");
    return rules;
  };

  const moved = (state: TaskState | undefined): readonly ArtifactViolation[] => {
    if (over !== "ended") over = overAt(state);
    if (over === "no") return [];
    const completed = state === TaskState.TASK_STATE_COMPLETED;
    if (result !== undefined && !completed) return [{ rule: "result-not-completed", artifactId: result, at }];
    return result === undefined && completed && ours ? [{ rule: "no-result", artifactId: "", at }] : [];
  };

  const take = (event: WireEvent): readonly ArtifactViolation[] => {
    switch (event.$case) {
      case "task": {
        const { artifacts: held, status } = event.value;
        over = overAt(status?.state);
        for (const known of artifacts.values()) if (known.state === "open") known.state = "unsure";
        for (const artifact of held)
          if (!artifacts.has(artifact.artifactId)) remember(artifact, over === "no" ? "unsure" : "closed");
        return [];
      }
      case "statusUpdate": {
        const { status, metadata } = event.value;
        ours ||= metadata?.[EXT] !== undefined;
        return moved(status?.state);
      }
      case "artifactUpdate": {
        const { artifact, append, lastChunk } = event.value;
        if (artifact === undefined) return [];
        const { artifactId, parts } = artifact;
        const rules: ArtifactRule[] = [];
        if (parts.length === 0) rules.push("no-parts");
        if (over !== "no") rules.push("after-end");
        rules.push(...update(artifact, append));
        if (!agreesWithEvents(artifact)) rules.push("step-changed");
        const known = artifacts.get(artifactId);
        if (known !== undefined && known.state !== "closed") known.state = lastChunk ? "closed" : "open";
        return rules.map((rule) => ({ rule, artifactId, at }));
      }
      default:
        return [];
    }
  };

  return {
    push(event) {
      const violations = take(event);
      at++;
      return violations;
    },
    end() {
      const open = [...artifacts].filter(([, { state }]) => state === "open");
      return open.map(([artifactId]) => ({ rule: "left-open", artifactId, at }));
    },
  };
}

function overAt(state: TaskState | undefined): "no" | "waits" | "ended" {
  if (isTerminal(state)) return "ended";
  return isSettled(state) ? "waits" : "no";
}

function flagOf(metadata: Metadata | undefined): Flag {
  const answer = metadata?.["is_final_answer"] === true;
  const narration = metadata?.["is_narration"] === true;
  if (answer) return narration ? "both" : "answer";
  return narration ? "narration" : "neither";
}

/** What is said of the step for plain clients is what the typed events say. */
function agreesWithEvents({ metadata }: Artifact): boolean {
  const record = metadata?.[EXT];
  if (!isObject(record)) return true;
  const events: unknown[] = Array.isArray(record["events"]) ? record["events"] : [];
  const carried = record["kind"] === "text" ? [record] : events.map(eventIn);
  return carried.every((event) => event["stepId"] === metadata?.["plan_step_id"]);
}

function eventIn(entry: unknown): Metadata {
  const event = isObject(entry) ? entry["event"] : undefined;
  return isObject(event) ? event : {};
}

/** By its name, or as the one that carries the run's finish: an agent may choose another name. */
export function isResult({ name, metadata }: Artifact): boolean {
  if (RESULT_NAMES.has(name)) return true;
  const record = readRecord(metadata);
  if (record?.kind !== "events") return false;
  return record.events.some(({ event }) => event.type === "finish" && event.stepId === undefined);
}
