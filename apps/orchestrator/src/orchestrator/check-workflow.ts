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
  const unknown = async () => {
    const names = (await registry.list()).map((entry) => entry.name);
    return validateWorkflow(workflow, names).filter((issue) => issue.rule === "unknown-agent");
  };
  let missing = await unknown();
  if (missing.length > 0) {
    // It may still be starting, or have come up since it was last looked for.
    await registry.started(signal);
    await registry.refresh();
    missing = await unknown();
  }
  const entries = await registry.list();
  const silent = entries.filter((entry) => entry.status === "down" && entry.name === entry.url);
  if (missing.length > 0 && silent.length > 0) {
    const steps = missing.map(({ step = "" }) => `"${step}"`).join(", ");
    throw new AgentError(
      "agent.unreachable",
      `The agent of step ${steps} is none of those that answer. ${silent.map(({ reason = "" }) => reason).join(" ")}`,
      { retryable: true },
    );
  }
  assertWorkflow(
    workflow,
    entries.map((entry) => entry.name),
  );
}
