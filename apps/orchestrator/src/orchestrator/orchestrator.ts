import type { AgentEntry, Caller, RunnableAgent, Task } from "@troupe/core";
import type { AgentEvent, Answered, InputReply } from "@troupe/stream";
import type {
  ReplayReport,
  ResumeAnswer,
  RunExport,
  RunOutcome,
  Workflow,
  WorkflowOrSteps,
} from "@troupe/workflow";

import type { RunsOnRecord } from "./runs-on-record.ts";
import type { WatchedEvent, WatchOptions } from "./watch-run.ts";

import type { AnswerSource, AnswerTold } from "./answer-run.ts";
import type { PlanningUsage } from "./planning-sum.ts";
import type { TaskInput } from "./task.ts";

/** Plans workflows and runs them on agents in this process and at other addresses alike. */
export interface Orchestrator extends RunsOnRecord {
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
    options?: {
      readonly signal?: AbortSignal;
      readonly caller?: Caller;
      /** The conversation it goes on with: what was done in it before may be built upon. */
      readonly threadId?: string;
      /** Told what each call of the model that plans took, also where no plan comes of it. */
      readonly onUsage?: (planning: PlanningUsage) => void;
    },
  ): Promise<Workflow>;
  /**
   * Runs a workflow to its end and returns what every step found. A plain list of steps is a sequential
   * workflow named after the task. `mode` overrides the workflow's.
   * `onEvent` sees everything as it happens; an error it throws is thrown here, and the run goes on. Throws an `InputError` that names step and rule when
   * the workflow is not valid.
   */
  executeWorkflow(
    task: TaskInput,
    workflow: WorkflowOrSteps,
    mode?: "sequential" | "parallel",
    options?: {
      readonly signal?: AbortSignal;
      readonly onEvent?: (event: AgentEvent) => void;
      /** In whose name; agents are called with what they may use, and `user_id` of the task is theirs. */
      readonly caller?: Caller;
      /** The conversation it is a turn of. Without one its steps build on no earlier run, and no later one on it. */
      readonly threadId?: string;
      /** It waits for a person's word before anything of it runs: what is asked has the id `PLAN_REQUEST`. */
      readonly approve?: boolean;
    },
  ): Promise<RunOutcome>;
  /** Each agent once, one after the other, each with the result of the one before it. */
  runSequential(task: TaskInput, agents: readonly string[]): Promise<RunOutcome>;
  /** Each agent once on the same task, all at the same time. */
  runParallel(task: TaskInput, agents: readonly string[]): Promise<RunOutcome>;
  /** Each agent on the task at its place in the list, all at the same time. One answer covers all tasks. */
  runParallel(agents: readonly string[], tasks: readonly string[]): Promise<RunOutcome>;
  /** Waits for the end of a run, whoever began it. Throws an `InputError` when there is no such run. */
  result(runId: string, options?: { readonly signal?: AbortSignal }): Promise<RunOutcome>;
  /**
   * The events of a run from a position on, then those that come, to its end. Leaving it cancels nothing,
   * and coming back behind the last position misses and repeats nothing. Throws an `InputError` when there
   * is no such run, and why it cannot go on when it cannot; ends with the orchestrator.
   */
  watch(runId: string, options?: WatchOptions & { readonly caller?: Caller }): AsyncIterable<WatchedEvent>;
  /**
   * Runs the workflow driver again over what was recorded, and says where it does otherwise. It asks no agent,
   * person or model, and no such run need ever have been here: see `parseRunExport` of `@troupe/workflow`.
   */
  replay(exported: RunExport): Promise<ReplayReport>;
  /** Goes on with a run that could not go on, such as after the disk was full. */
  resume(runId: string): Promise<ResumeAnswer>;
  /**
   * Begins a new run that does an earlier one again from a step on, or from the first that failed. It
   * keeps the results of all steps that are not behind that one; so it works on what they found then.
   * Throws an `InputError` when the run has not ended, and when that step cannot be begun.
   */
  retry(
    runId: string,
    options?: {
      readonly from?: string;
      /** Of the new run; the same retry under it again is the same run. */
      readonly task_id?: string;
      /** In whose name; the one the earlier run was begun by when absent. */
      readonly caller?: Caller;
    },
  ): Promise<{ readonly runId: string }>;
  /** The task of a run as it was given, with how far it is; null when there is no such run. */
  task(taskId: string): Promise<Task | null>;
  /**
   * Answers what a run asks, or what a human step of it is going to ask: that answer is kept until its turn.
   * Who answered, when and how is kept with it. The same answer again is `accepted` again, another one to the
   * same is a `duplicate`, also after the run has ended. Throws an `InputError` when the run does not ask that, or
   * withdrew it unanswered, and when the answer does not fit; the run waits on then.
   */
  answer(runId: string, reply: InputReply, source?: AnswerSource): Promise<AnswerTold>;
  /**
   * Who answered a question of a run, when and how, also where its step did not take that in yet; undefined where
   * nothing is known of it.
   */
  answered(runId: string, requestId: string): Promise<Answered | undefined>;
  cancel(runId: string, reason: string): Promise<"accepted" | "duplicate" | "no-run">;
  close(): Promise<void>;
}
