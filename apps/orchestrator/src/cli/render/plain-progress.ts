import type { AgentEvent, StepState } from "@troupe/stream";

import { withoutClaims } from "./checks-text.ts";
import { oneLine } from "./harmless.ts";
import { planText } from "./plan-text.ts";
import type { Progress } from "./progress.ts";
import type { Colors } from "./color.ts";

/** Plain lines, each with the step it belongs to: for logs, pipes and terminals that cannot redraw. */
export function plainProgress(write: (text: string) => void, colors: Colors): Progress {
  const line = (event: AgentEvent, text: string): void => {
    const label = event.stepId === undefined ? "" : `${colors.cyan(`[${event.stepId}]`)} `;
    write(`${label}${text}\n`);
  };
  let planned = false;
  let narration = "";
  return {
    event(event) {
      switch (event.type) {
        case "plan-update":
          planned = true;
          write(`${planText(event.plan)}\n`);
          return;
        case "step-status":
          line({ ...event, stepId: event.step }, stateText(event.state, event.reason, colors));
          return;
        case "tool-end":
          line(
            event,
            `${event.tool}: ${event.status === "ok" ? "" : `${event.status}: `}${oneLine(event.summary)} ${colors.dim(`(${event.ms} ms)`)}`,
          );
          return;
        case "artifact":
          line(event, `file: ${oneLine(event.artifact.name)}`);
          return;
        case "attempt-start":
          line(event, `trying again: ${oneLine(event.reason)}`);
          return;
        // Before there is a plan it says what planning waits for.
        case "text-start":
          narration = "";
          return;
        case "text-delta":
          if (!planned && event.stepId === undefined) narration += event.delta;
          return;
        case "text-role":
          if (!planned && event.stepId === undefined && event.role === "narration")
            write(`${oneLine(narration)}\n`);
          return;
        case "tool-start":
        case "text-end":
        case "citation":
        case "usage":
        case "input-required":
        case "finish":
      }
    },
    end: () => undefined,
  };
}

const COLORS: { readonly [state in StepState]?: "green" | "red" | "yellow" } = {
  completed: "green",
  failed: "red",
  partial: "yellow",
  skipped: "yellow",
  canceled: "yellow",
};

function stateText(state: StepState, reason: string | undefined, colors: Colors): string {
  const color = COLORS[state];
  const text = state.replace("_", " ");
  return `${color === undefined ? text : colors[color](text)}${reason === undefined ? "" : `: ${oneLine(withoutClaims(reason))}`}`;
}
