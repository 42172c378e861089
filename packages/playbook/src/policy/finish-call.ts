import type { InputField } from "@troupe/stream";

import type { PlaybookCall, PlaybookMove } from "./playbook.ts";

export interface FinishFields {
  /** The answer, in Markdown, with citations as `[id]`. */
  readonly content: string;
  /** Ids as the tools returned them. */
  readonly citationIds?: readonly string[];
  readonly chartIds?: readonly string[];
  /** True by default. */
  readonly complete?: boolean;
  /** A question to the person; asking makes the answer wait for a reply. */
  readonly ask?: { readonly question: string; readonly fields?: readonly InputField[] };
}

/** The call that ends a run, with every field of `finish` in its order. */
export function finishCall(fields: FinishFields): PlaybookCall {
  return {
    name: "finish",
    arguments: {
      content: fields.content,
      is_task_complete: fields.complete ?? fields.ask === undefined,
      require_user_input: fields.ask !== undefined,
      user_input: fields.ask?.question ?? "",
      input_fields: (fields.ask?.fields ?? []).map((field) => ({ ...field })),
      citation_ids: fields.citationIds ?? [],
      chart_ids: fields.chartIds ?? [],
    },
  };
}

/** Ends a run with an answer that is not complete. */
export function finishIncomplete(content: string): PlaybookMove {
  return { calls: [finishCall({ content, complete: false })] };
}
