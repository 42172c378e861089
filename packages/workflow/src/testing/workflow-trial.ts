import type { Caller } from "@troupe/core";
import { virtualClock, type VirtualClock } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";

import type { DagDriverOptions } from "../driver/options.ts";
import { createDagDriver } from "../driver/create-dag-driver.ts";
import type { HostedEngine } from "../engine/port.ts";
import type { RunInput, RunOutcome } from "../engine/run.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema, type WorkflowInput } from "../schema/workflow-schema.ts";
import { memoryEngine } from "./memory-engine.ts";
import { memoryEventLog } from "./memory-event-log.ts";
import { memoryJournal } from "./memory-journal.ts";
import { scriptedGateway, type AgentScript, type ScriptedGateway } from "./scripted-gateway.ts";

export interface WorkflowTrial {
  readonly clock: VirtualClock;
  readonly gateway: ScriptedGateway;
  readonly engine: HostedEngine;
  readonly journal: ReturnType<typeof memoryJournal>;
  events(): readonly AgentEvent[];
  /** `step state` lines in order. */
  states(): readonly string[];
  /** Moves time until the run has ended. */
  outcome(): Promise<RunOutcome>;
  /** Drops the engine where it stands and, so much later, opens another over the same journal and agents. */
  crash(awayMs?: number): Promise<WorkflowTrial>;
}

const RUN = "run-1";
const HOUR = 3_600_000;

/** One run of a workflow on scripted agents, in memory and on a clock of its own. */
export async function tryWorkflow(
  workflow: Omit<WorkflowInput, "version" | "name">,
  script: AgentScript,
  options: Pick<
    DagDriverOptions,
    "answerCheck" | "model" | "replan" | "tellLimits" | "outcomeChars" | "redact" | "files"
  > & {
    readonly caller?: Caller;
    readonly input?: Partial<RunInput>;
  } = {},
): Promise<WorkflowTrial> {
  const clock = virtualClock();
  const gateway = scriptedGateway(script, clock);
  const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "trial", ...workflow }));
  const journal = memoryJournal();
  const eventLog = memoryEventLog(() => clock.now());

  const { caller, input: asked = {}, ...driver } = options;
  const open = async (input: object): Promise<WorkflowTrial> => {
    const engine = memoryEngine({ clock, journal, events: eventLog });
    await engine.register(createDagDriver({ gateway, eventLog, clock, newId: () => "x", ...driver }));
    await engine.start(spec, { objective: "the objective", ...input }, { runId: RUN });
    await clock.advance(0);
    return {
      clock,
      gateway,
      engine,
      journal,
      events: () => eventLog.events(RUN),
      states: () =>
        eventLog
          .events(RUN)
          .flatMap((event) => (event.type === "step-status" ? `${event.step} ${event.state}` : [])),
      async outcome() {
        const ended = engine.result(RUN);
        await clock.advance(HOUR);
        return ended;
      },
      async crash(awayMs = 0) {
        await engine.close();
        await clock.advance(awayMs);
        // What it was asked stands in the journal.
        return open({});
      },
    };
  };
  return open({
    ...asked,
    ...(caller === undefined ? {} : { userId: caller.id, scopes: [...caller.scopes] }),
  });
}
