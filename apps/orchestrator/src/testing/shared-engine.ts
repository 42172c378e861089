import type { EmbeddedEngine, HostedEngine } from "@troupe/workflow";
import { memoryEngine } from "@troupe/workflow/testing";
import { onTestFinished } from "vitest";

/** One engine for several orchestrators, as one that stands outside of them is: each hands in its driver. */
export function sharedEngine(engine: EmbeddedEngine = memoryEngine()): HostedEngine {
  onTestFinished(() => engine.close());
  let registered: Promise<void> | undefined;
  return {
    events: engine.events,
    register: (driver) => (registered ??= engine.register(driver)),
    start: (spec, input, o) => engine.start(spec, input, o),
    signal: (runId, name, value, o) => engine.signal(runId, name, value, o),
    cancel: (runId, reason) => engine.cancel(runId, reason),
    get: (runId) => engine.get(runId),
    result: (runId, o) => engine.result(runId, o),
    input: (runId) => engine.input(runId),
    recorded: (runId) => engine.recorded(runId),
    resume: (runId) => engine.resume(runId),
    stuck: (runIds) => engine.stuck(runIds),
    close: async () => undefined,
  };
}
