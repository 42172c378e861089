import type { SuspendedRun } from "../ports/suspended-runs.ts";

/** The state of a run that waits for a form, with what `changes` puts in its place. */
export function sampleSuspendedRun(changes: Partial<SuspendedRun> = {}): SuspendedRun {
  return {
    v: 1,
    origin: { contextId: "context-1", userId: "ann" },
    request: {
      requestId: "request-1",
      kind: "form",
      form: {
        title: "Tester",
        description: "Which year?",
        fields: [
          {
            field_name: "year",
            field_label: "Year",
            field_description: "",
            field_type: "number",
            field_values: [],
            default_value: null,
            placeholder: "2026",
            required: true,
          },
        ],
      },
    },
    messages: [
      { role: "user", text: "Sales, please." },
      {
        role: "assistant",
        text: "",
        toolCalls: [
          { callId: "call-1", name: "finish", arguments: '{"content":"","user_input":"Which year?"}' },
        ],
      },
    ],
    results: [],
    evidence: { citations: [], charts: [], artifacts: [], data: {} },
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 },
    iteration: 1,
    calls: [],
    elapsedMs: 1_200,
    ...changes,
  };
}
