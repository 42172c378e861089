import { InputError } from "@troupe/core";
import type { Decision, InputRequest, Json, PendingCall } from "@troupe/stream";
import { isRevisionRequest, printWorkflow, workflowSchema, type Workflow } from "@troupe/workflow";

import type { CliContext } from "./context.ts";
import type { Verdict } from "./decide.ts";
import { readWorkflow } from "./read-workflow.ts";
import { harmless, visibleJson } from "./render/harmless.ts";

/**
 * A person's word on the plan of a run: from the verdict, else by asking at the terminal. Nothing is approved by
 * silence. Undefined when nobody is there or the person leaves. Throws an `InputError` when the verdict is on
 * something else.
 */
export async function decidePlan(
  context: CliContext,
  request: InputRequest,
  plan: PendingCall,
  verdict: Verdict = {},
): Promise<readonly Decision[] | undefined> {
  const { callId } = plan;
  if ((verdict.edits?.size ?? 0) > 0)
    throw new InputError(
      "input.invalid",
      "The run asks for its plan. Give --approve, --reject REASON, or --workflow FILE to run that in its place.",
    );
  if (verdict.workflow !== undefined) return [edited(callId, verdict.workflow)];
  if (verdict.rest !== undefined) return [{ callId, ...verdict.rest }];
  if (context.ask === undefined) return undefined;
  context.err(`\n${planWaits(request)}:\n${planLines(plan)}`);
  const question = isRevisionRequest(request.requestId) ? "Run them?" : "Run it?";
  for (;;) {
    const said = await context.ask(`${question} (yes, no, edit): `, context.interrupted);
    switch (said?.trim().toLowerCase()) {
      case "yes":
      case "y":
        return [{ callId, type: "approve" }];
      case "edit":
      case "e": {
        const workflow = await askWorkflow(context);
        return workflow && [edited(callId, workflow)];
      }
      case "no":
      case "n": {
        const reason = await context.ask("Why not? ", context.interrupted);
        return reason === undefined ? undefined : [{ callId, type: "reject", reason: reason.trim() }];
      }
      case undefined:
        return undefined;
      default:
        context.err("Type yes, no or edit; Ctrl-C leaves the run waiting.\n");
    }
  }
}

export function planWaits({ requestId }: InputRequest): string {
  return isRevisionRequest(requestId)
    ? "Steps to add to the plan wait for a person to approve them"
    : "The plan waits for a person to approve it";
}

/** The plan as a workflow file has it. */
export function planYaml({ arguments: plan }: PendingCall): string {
  const workflow = workflowSchema.safeParse(plan);
  return harmless(workflow.success ? printWorkflow(workflow.data) : `${visibleJson(plan)}\n`);
}

export function planLines(plan: PendingCall): string {
  return planYaml(plan).replaceAll(/^(?=.)/gm, "  ");
}

async function askWorkflow(context: CliContext): Promise<Workflow | undefined> {
  for (;;) {
    const file = (await context.ask?.("Workflow file to run in its place: ", context.interrupted))?.trim();
    if (file === undefined) return undefined;
    try {
      return readWorkflow(context, file);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      context.err(harmless(`${error.message}\n`));
    }
  }
}

function edited(callId: string, workflow: Workflow): Decision {
  return { callId, type: "edit", arguments: JSON.parse(JSON.stringify(workflow)) as Json };
}
