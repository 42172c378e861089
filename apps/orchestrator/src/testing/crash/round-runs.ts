import { within } from "@troupe/core/testing";
import type { WorkflowInput } from "@troupe/workflow";

import { wordsOf, type Work } from "./work.ts";

export const WORKERS = ["worker-a", "worker-b"] as const;

/** One run of a round, as whoever asked for it knows it. */
export interface AskedRun {
  readonly key: string;
  readonly messageId: string;
  readonly workflow: WorkflowInput;
  /** By the id of its step. */
  readonly work: ReadonlyMap<string, Work>;
  /** Ids of the steps a person does. */
  readonly people: readonly string[];
  /** Whether they answer before they are asked. */
  readonly early: boolean;
  /** Milliseconds until it is canceled, where it is. */
  readonly cancelAfterMs: number | undefined;
  /** Once the orchestrator has named it. */
  runId?: string;
  /** Requests whose answer was accepted. */
  readonly accepted: Set<string>;
}

/** What a person answers to whatever is asked under this key. */
export const wordFor = (key: string): string => `word-of-${key}`;

/** A workflow of a few agents, some of whom ask, and of people; its last step has what all others found. */
export function randomRun(random: () => number, key: string): AskedRun {
  const work = new Map<string, Work>();
  const people: string[] = [];
  const steps: WorkflowInput["steps"] = [];
  const count = within(random, [2, 4]);
  const before = (): string[] => steps.flatMap(({ id = "" }) => (random() < 0.4 ? [id] : []));
  const agentStep = (id: string, depends_on: string[], asks: boolean): void => {
    const one = { key: `${key}-${id}`, pauseMs: within(random, [0, 250]), makesFile: random() < 0.3, asks };
    work.set(id, one);
    const agent = WORKERS[within(random, [0, WORKERS.length - 1])] ?? WORKERS[0];
    steps.push({ id, agent, instruction: wordsOf(one), depends_on });
  };
  for (let at = 0; at < count; at++) agentStep(`s${at}`, before(), random() < 0.2);
  if (random() < 0.4) {
    const fields = [{ field_name: "word", field_label: "Word" }];
    const form = { title: key, fields };
    steps.push({ id: "person", kind: "human", instruction: "Say a word.", depends_on: before(), form });
    people.push("person");
  }
  agentStep(
    "end",
    steps.flatMap(({ id = "" }) => [id]),
    false,
  );
  return {
    key,
    messageId: `message-${key}`,
    workflow: { version: 1, name: key, mode: "parallel", final: "passthrough", steps },
    work,
    people,
    early: random() < 0.5,
    cancelAfterMs: random() < 0.1 ? within(random, [0, 800]) : undefined,
    accepted: new Set(),
  };
}
