import type { AgentEntry, Caller, RunnableAgent, Task } from "@troupe/core";
import type { AgentEvent, InputReply } from "@troupe/stream";
import type { RunOutcome, RunsQuery, RunView, Workflow, WorkflowInput } from "@troupe/workflow";

/**
 * What is asked: the words, or a task with whose it is and where to look. Its `task_id` becomes the
 * id of the run, its `metadata` is kept with it; its `status` is not for the caller to say.
 */
export type TaskInput = string | (Pick<Task, "description"> & Partial<Task>);

/** Plans workflows and runs them on agents in this process and at other addresses alike. */
export interface Orchestrator {
  /** The orchestrator as an agent: what it serves over A2A. */
  readonly agent: RunnableAgent;
  /** Adds an agent of this process, or a remote one by its address. */
  register(agent: RunnableAgent | string): Promise<void>;
  /** Those there are; with a caller only those they may use. */
  agents(caller?: Caller): Promise<readonly AgentEntry[]>;
  /**
   * A workflow for a task, validated. Throws an `InputError` or a workflow error that says why there
   * is none.
   */
  planWorkflow(
    task: TaskInput,
    options?: { readonly signal?: AbortSignal; readonly caller?: Caller },
  ): Promise<Workflow>;
  /**
   * Runs a workflow to its end and returns what every step found. `mode` overrides the workflow's.
   * `onEvent` sees everything as it happens; an error it throws is thrown here, and the run goes on. Throws an `InputError` that names step and rule when
   * the workflow is not valid.
   */
  executeWorkflow(
    task: TaskInput,
    workflow: WorkflowInput,
    mode?: "sequential" | "parallel",
    options?: {
      readonly signal?: AbortSignal;
      readonly onEvent?: (event: AgentEvent) => void;
      /** In whose name; agents are called with what they may use, and `user_id` of the task is theirs. */
      readonly caller?: Caller;
    },
  ): Promise<RunOutcome>;
  /** Each agent once, one after the other, each with the result of the one before it. */
  runSequential(task: TaskInput, agents: readonly string[]): Promise<RunOutcome>;
  /** Each agent once, all at the same time. */
  runParallel(task: TaskInput, agents: readonly string[]): Promise<RunOutcome>;
  /** Newest first; with `idPrefix` only those whose id begins with it. */
  runs(options?: RunsQuery): Promise<readonly RunView[]>;
  run(runId: string): Promise<RunView | null>;
  /** The task of a run as it was given, with how far it is; null when there is no such run. */
  task(taskId: string): Promise<Task | null>;
  /**
   * Answers what a run asks. Throws an `InputError` when it does not ask that, or not any more, and
   * when the answer does not fit; the run waits on then.
   */
  answer(runId: string, reply: InputReply): Promise<"accepted" | "duplicate" | "no-run">;
  cancel(runId: string, reason: string): Promise<"accepted" | "duplicate" | "no-run">;
  close(): Promise<void>;
}
