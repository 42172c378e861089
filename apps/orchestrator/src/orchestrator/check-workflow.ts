import type { AgentRegistry } from "@troupe/a2a";
import { AgentError } from "@troupe/core";
import { assertWorkflow, validateWorkflow, type Workflow } from "@troupe/workflow";

/**
 * Throws an `InputError` that names step and rule when the workflow cannot run. A name that nobody
 * has is `agent.unreachable` as long as somebody does not answer who has never said a name.
 */
export async function checkWorkflow(
  workflow: Workflow,
  registry: AgentRegistry,
  signal: AbortSignal,
): Promise<void> {
  const names = () => registry.known().map((entry) => entry.name);
  const unknown = () => validateWorkflow(workflow, names()).filter((issue) => issue.rule === "unknown-agent");
  // It may have come up since it was last looked for, or still be starting. One that is down and hangs takes long
  // to look at, so each is looked at once, but for those that start.
  if (unknown().length > 0) await registry.refresh();
  if (unknown().length > 0) await registry.started(signal);
  const missing = unknown();
  const entries = registry.known();
  const silent = entries.filter((entry) => entry.status === "down" && entry.name === entry.url);
  if (missing.length > 0 && silent.length > 0) {
    const steps = missing.map(({ step = "" }) => `"${step}"`).join(", ");
    throw new AgentError(
      "agent.unreachable",
      `The agent of step ${steps} is none of those that answer. ${silent.map(({ reason = "" }) => reason).join(" ")}`,
      { retryable: true },
    );
  }
  assertWorkflow(workflow, names());
}
