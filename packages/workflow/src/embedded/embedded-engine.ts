import type { HostedEngine } from "../engine/port.ts";
import type { ForgetAnswer } from "./compactor.ts";

/** The engine on one machine, which keeps its runs in a file of its own. */
export interface EmbeddedEngine extends HostedEngine {
  /**
   * Drops a run that has ended with all that is known of it, its events where they are in the same file. Its
   * files are not the engine's, and stay.
   */
  forget(runId: string): Promise<ForgetAnswer>;
}
