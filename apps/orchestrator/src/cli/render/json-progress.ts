import type { Progress } from "./progress.ts";

/** One AgentEvent a line. The caller writes the result line after the last. */
export function jsonProgress(write: (text: string) => void): Progress {
  return {
    event: (event) => write(`${JSON.stringify(event)}\n`),
    end: () => undefined,
  };
}
