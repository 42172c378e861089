import type {
  AgentResponse,
  ErrorInfo,
  InputField,
  InputForm,
  InputRequest,
  Outcome,
  PendingCall,
  SentenceCheck,
} from "@troupe/stream";

import { withUnverifiedStatements } from "../answer/unverified-statements.ts";
import type { Listed, Run } from "./run.ts";
import { textOf, type TextItem } from "./text-item.ts";

/** An `InputRequest` that has no id yet. */
export type Asked =
  | { readonly kind: "form"; readonly form: InputForm }
  | { readonly kind: "approval"; readonly calls: readonly PendingCall[] };

/** How a run ends, before the response is made of it. */
export interface Ending {
  readonly outcome: Outcome;
  /** The items whose text, joined, is the response's content. */
  readonly answer?: readonly TextItem[];
  /** Ids the model listed; absent when it listed none because it did not call finish. */
  readonly listed?: Listed;
  /** What the person is asked, for `input-required`. */
  readonly ask?: Asked;
  readonly error?: ErrorInfo;
  /** Absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
}

/** The run ends early: what was written last is kept, as partial; without any text it failed. */
export function cutShort(run: Run, error: ErrorInfo): Ending {
  const answer = run.kept();
  return answer.length === 0 ? { outcome: "failed", error } : { outcome: "partial", answer, error };
}

/** Emits what belongs to the end and, last, `finish`. `request` is what the person is asked. */
export function emitEnding(run: Run, ending: Ending, request?: InputRequest): void {
  const answer = ending.answer ?? [];
  const content = textOf(answer);
  const withEvidence = ending.outcome !== "failed" && ending.outcome !== "canceled";
  const found = withEvidence
    ? run.evidence.resolve(content, ending.listed)
    : { citations: [], charts: [], unknown: [], uncited: [] };
  if (found.uncited.length > 0) {
    const ids = found.uncited.slice(0, 10);
    run.log.warn("the answer lists citations that no tool returned", { runId: run.runId, ids });
  }
  const unknown = found.unknown.length > 0;
  const mayBePartial = ending.outcome === "completed" || ending.outcome === "partial";
  const unverified = mayBePartial ? run.evidence.unverified : [];
  const outcome =
    ending.outcome === "completed" && (unknown || unverified.length > 0) ? "partial" : ending.outcome;
  const error = withUnverifiedStatements(
    ending.error ?? (unknown ? unknownIds(found.unknown) : undefined),
    unverified,
  );

  for (const citation of found.citations) run.emit({ type: "citation", citation });
  // Without a list, charts of a run that waits may still be superseded.
  const settled = request === undefined || ending.listed !== undefined;
  // A run that waits for input may still rewrite these files.
  for (const artifact of request === undefined ? run.evidence.revisions : [])
    run.emit({ type: "artifact", artifact });
  for (const artifact of settled ? run.evidence.filesOf(found.charts) : [])
    run.emit({ type: "artifact", artifact });
  if (request !== undefined) run.emit({ type: "input-required", request });
  const form = request?.kind === "form" ? request.form : undefined;
  const response: AgentResponse = {
    is_task_complete: outcome === "completed",
    require_user_input: outcome === "input-required",
    content,
    metadata: {
      user_input: outcome === "input-required",
      question: form?.description ?? "",
      input_fields: form?.fields ?? [],
    },
    citations: found.citations,
    data: withEvidence ? run.evidence.data(found.charts, content) : null,
    ...(ending.checks === undefined ? {} : { checks: ending.checks }),
  };
  run.emit({
    type: "finish",
    outcome,
    response,
    answerItems: content === "" ? [] : answer.map((item) => item.id),
    ...(error === undefined ? {} : { error }),
  });
}

function unknownIds(ids: readonly string[]): ErrorInfo {
  return {
    code: "agent.unknown-ids",
    message: `The answer names sources that no tool returned: ${ids.slice(0, 10).join(", ")}. They were left out.`,
  };
}

/** One free field, for a question that came without a form. */
const FREE_ANSWER: InputField = {
  field_name: "answer",
  field_label: "Your answer",
  field_description: "",
  field_type: "text",
  field_values: [],
  default_value: null,
  placeholder: "",
  required: true,
};

export function questionForm(title: string, question: string, fields: readonly InputField[]): InputForm {
  return { title, description: question, fields: fields.length === 0 ? [FREE_ANSWER] : fields };
}
