import type { ChartSpec } from "./chart.ts";
import type { SentenceCheck } from "./check.ts";
import type { Citation } from "./citation.ts";
import type { InputField } from "./form.ts";
import type { Json } from "./json.ts";
import type { ResultTable } from "./table.ts";

/** How a run, a task or a step ended. Nothing is `completed` that is not. */
export type Outcome = "completed" | "partial" | "failed" | "canceled" | "input-required";

/** Structured findings of an answer. Charts and tables stand under one key each so every consumer finds them. */
export interface ResponseData {
  readonly charts?: readonly ChartSpec[];
  /** Query results of the run, which its figures were checked against. */
  readonly tables?: readonly ResultTable[];
  readonly [key: string]: Json | readonly ChartSpec[] | readonly ResultTable[] | undefined;
}

/** What every mode of delivery ends in. Snake case on the wire, as existing A2A clients expect it. */
export interface AgentResponse {
  readonly is_task_complete: boolean;
  readonly require_user_input: boolean;
  /** Markdown for a person. Citations stand in it as `[id]`. */
  readonly content: string;
  readonly metadata: {
    /** The same as `require_user_input`, where existing clients look for it. */
    readonly user_input: boolean;
    /** The question to the person when `require_user_input`, else empty. */
    readonly question: string;
    readonly input_fields: readonly InputField[];
  };
  readonly citations: readonly Citation[];
  readonly data: ResponseData | null;
  /** The claims of `content` in order, checked against the evidence of the run. Absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
}

/** Nothing was said: what a run ends with that failed, and what others are made from. */
export const EMPTY_RESPONSE: AgentResponse = {
  is_task_complete: false,
  require_user_input: false,
  content: "",
  metadata: { user_input: false, question: "", input_fields: [] },
  citations: [],
  data: null,
};

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly modelCalls: number;
  /** US dollars, by the prices of the agent that made the calls; of those calls that it has a price for. */
  readonly costUsd?: number;
}
