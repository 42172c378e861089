import { TaskState } from "@a2a-js/sdk";
import type { InputRequest, Outcome } from "@troupe/stream";

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

/** Of a task that ends its turn so; `asked` is what it waits for. */
export function stateOf(
  outcome: Outcome,
  {
    asked = [],
    rejected = false,
  }: { readonly asked?: readonly InputRequest[]; readonly rejected?: boolean } = {},
): TaskState {
  if (outcome === "failed" && rejected) return TaskState.TASK_STATE_REJECTED;
  const access = asked.some((request) => request.kind === "form" && request.form.access !== undefined);
  return outcome === "input-required" && access ? TaskState.TASK_STATE_AUTH_REQUIRED : STATES[outcome];
}
