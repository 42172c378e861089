import { TaskState } from "@a2a-js/sdk";
import type { Outcome } from "@troupe/stream";

const TERMINAL: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** Nothing follows. */
export function isTerminal(state: TaskState | undefined): boolean {
  return state !== undefined && TERMINAL.has(state);
}

/** The turn is over: the task has ended, or waits for somebody. */
export function isSettled(state: TaskState | undefined): boolean {
  return (
    isTerminal(state) ||
    state === TaskState.TASK_STATE_INPUT_REQUIRED ||
    state === TaskState.TASK_STATE_AUTH_REQUIRED
  );
}

const STATES: { readonly [outcome in Outcome]: TaskState } = {
  completed: TaskState.TASK_STATE_COMPLETED,
  // Has no state of its own in A2A; it travels beside COMPLETED.
  partial: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
};

export function stateOf(outcome: Outcome): TaskState {
  return STATES[outcome];
}
