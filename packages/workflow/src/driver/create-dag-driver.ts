import { silentLog, systemClock } from "@troupe/core";

import { CANCEL_SIGNAL, type DagDriver, type EngineContext } from "../engine/port.ts";
import { insistOnLog } from "../engine/insist-on-log.ts";
import { runInputSchema, type RunInput, type RunOutcome } from "../engine/run.ts";
import { WorkflowError } from "../engine/workflow-error.ts";
import type { DagSpec } from "../schema/spec.ts";
import { approvePlan, planOnRecord } from "./approve-plan.ts";
import { handingOver } from "../hand-over/handing-over.ts";
import { DagRun } from "./dag-run.ts";
import { MAX_OUTCOME_CHARS } from "./answer/fit-outcome.ts";
import { keepEvents } from "./keep-events.ts";
import type { DagDriverOptions, DriverServices } from "./options.ts";
import { RunStory } from "./run-story.ts";
import { TELL_LIMITS } from "./limits/tell-limits.ts";
import { toldText, type ToldText } from "./steps/told-text.ts";

/**
 * The one driver for every engine: runs a `DagSpec` on agents behind a gateway. What it decides
 * follows from the journal alone; see DESIGN.md of this package for the rules.
 */
export function createDagDriver(options: DagDriverOptions): DagDriver {
  const { clock = systemClock } = options;
  const services = {
    log: silentLog,
    agent: "orchestrator",
    prices: {},
    tellLimits: TELL_LIMITS,
    outcomeChars: MAX_OUTCOME_CHARS,
    newId: () => crypto.randomUUID(),
    ...options,
    gateway: handingOver(options.gateway, options),
    clock,
    since: clock.now(),
  };
  return async (ctx, spec, input) => {
    const parsed = runInputSchema.safeParse(input);
    if (!parsed.success)
      throw new WorkflowError("workflow.internal", `run ${ctx.runId} was started without an objective`);
    const kept = keepEvents(ctx, options.eventLog);
    let told: Promise<ToldText> | undefined;
    const readTold = async (): Promise<ToldText> => {
      try {
        return await (told ??= toldText(options.eventLog, ctx.runId));
      } catch (error) {
        told = undefined;
        throw error;
      }
    };
    const outcome = await drive(kept, spec, parsed.data, {
      ...services,
      since: ctx.takenUpAt ?? services.since,
      told: (signal) => insistOnLog(readTold, { clock, signal }),
    });
    // A run that is over is not driven again: its end has to be in the log by then.
    await options.eventLog.kept?.();
    return outcome;
  };
}

/** From the plan that is told to the end. */
async function drive(
  ctx: EngineContext,
  spec: DagSpec,
  input: RunInput,
  services: DriverServices,
): Promise<RunOutcome> {
  const story = new RunStory(ctx, services.agent);
  const parts = { ctx, spec, input, services, story, cancelSignal: ctx.waitSignal(CANCEL_SIGNAL) };
  story.plan(spec);
  if (input.planning) story.emit("planning", { type: "usage", ...input.planning });
  if (input.approval === undefined || input.approval.given === true) return new DagRun(parts).drive();
  const word = await approvePlan({ ...parts, approval: input.approval });
  if (!word.ok) return word.outcome;
  story.plan(word.spec, word.approved);
  return new DagRun({ ...parts, spec: word.spec, plan: planOnRecord(word, spec) }).drive();
}
