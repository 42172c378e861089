import { TaskState, type Message } from "@a2a-js/sdk";
import { agentResponseSchema } from "@troupe/core";
import type {
  AgentEventBody,
  AgentResponse,
  InputRequest,
  Json,
  Outcome,
  ResponseData,
} from "@troupe/stream";

import { ARTIFACT_NAMES, RESULT_NAMES } from "../extension.ts";
import { isHttpUrl } from "../file-part.ts";
import { dataOf, textOf } from "../parts.ts";
import type { ForeignItem } from "./foreign-item.ts";

/** Artifacts that are never an answer, whatever text they carry. */
const NOTICES: ReadonlySet<string> = new Set([
  ARTIFACT_NAMES.toolStart,
  ARTIFACT_NAMES.toolEnd,
  ARTIFACT_NAMES.plan,
  ARTIFACT_NAMES.planStatus,
  ARTIFACT_NAMES.form,
]);

interface End {
  readonly state: TaskState;
  readonly message: Message | undefined;
  readonly items: readonly ForeignItem[];
  readonly request: InputRequest | undefined;
}

/** Settles all items; the finish stands last. */
export function foreignFinish(end: End): readonly AgentEventBody[] {
  const { state, message, items, request } = end;
  const events: AgentEventBody[] = [];
  const result = resultAmong(items);
  const outcome = outcomeOf(state, result);
  const said = textOf(message?.parts ?? []);
  const ended = outcome === "completed" || outcome === "partial";

  let answers = ended ? answersAmong(items, result) : [];
  const fallback = result?.text ?? (items.some((item) => item.shown) ? "" : said);
  if (ended && answers.length === 0 && fallback !== "") {
    const itemId = result?.itemId ?? "answer";
    events.push({ type: "text-start", itemId, role: "answer" });
    events.push({ type: "text-delta", itemId, delta: fallback }, { type: "text-end", itemId });
    answers = [
      {
        itemId,
        name: "",
        text: fallback,
        parts: [],
        born: "answer",
        narration: false,
        ofStep: false,
        shown: false,
      },
    ];
  }
  for (const item of items) {
    if (!item.shown) continue;
    const role = answers.includes(item) ? "answer" : "narration";
    if (item.born === "open") events.push({ type: "text-role", itemId: item.itemId, role });
    events.push({ type: "text-end", itemId: item.itemId });
  }

  const content = result?.text || answers.map((item) => item.text).join("\n\n");
  const response = structuredIn(result) ?? {
    is_task_complete: outcome === "completed",
    require_user_input: outcome === "input-required",
    content: ended ? content : "",
    metadata: {
      user_input: outcome === "input-required",
      question: outcome === "input-required" ? said : "",
      input_fields: request?.kind === "form" ? request.form.fields : [],
    },
    citations: [],
    data: dataAmong(items),
  };
  const finish: AgentEventBody = {
    type: "finish",
    outcome,
    response,
    answerItems: answers.map((item) => item.itemId),
  };
  if (outcome !== "failed") return [...events, finish];
  if (state === TaskState.TASK_STATE_REJECTED) {
    const message = said || "The agent rejected the request without saying why.";
    return [...events, { ...finish, rejected: true, error: { code: "agent.rejected", message } }];
  }
  const error = { code: "agent.failed", message: said || "The agent failed without saying why." };
  return [...events, { ...finish, error }];
}

function outcomeOf(state: TaskState, result: ForeignItem | undefined): Outcome {
  switch (state) {
    case TaskState.TASK_STATE_COMPLETED:
      return result?.name === ARTIFACT_NAMES.partial ? "partial" : "completed";
    case TaskState.TASK_STATE_CANCELED:
      return "canceled";
    case TaskState.TASK_STATE_INPUT_REQUIRED:
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return "input-required";
    default:
      return "failed";
  }
}

/**
 * What the task itself calls its result. What a sub-agent completed counts only where the task says
 * nothing else for its answer, and never where it says of which step it is.
 */
function resultAmong(items: readonly ForeignItem[]): ForeignItem | undefined {
  const own = items.findLast((item) => RESULT_NAMES.has(item.name));
  if (own !== undefined || items.some((item) => item.shown && item.born === "answer")) return own;
  return items.findLast((item) => item.name === ARTIFACT_NAMES.complete && !item.ofStep);
}

/** Flags win; then what equals the result; then, without a result, everything that is no notice. */
function answersAmong(
  items: readonly ForeignItem[],
  result: ForeignItem | undefined,
): readonly ForeignItem[] {
  const shown = items.filter((item) => item.shown);
  const flagged = shown.filter((item) => item.born === "answer");
  if (flagged.length > 0) return flagged;
  if (result !== undefined) return shown.filter((item) => item.text === result.text).slice(-1);
  return shown.filter((item) => !item.narration && !NOTICES.has(item.name));
}

function structuredIn(result: ForeignItem | undefined): AgentResponse | undefined {
  for (const data of dataOf(result?.parts ?? [])) {
    const response = agentResponseSchema.safeParse(data);
    if (response.success) return response.data;
  }
  return undefined;
}

/** Data parts by the name of their artifact, and files by address. */
function dataAmong(items: readonly ForeignItem[]): ResponseData | null {
  // A map, because a stranger chose the names: `__proto__` would be no ordinary key of an object.
  const data = new Map<string, Json>();
  const files: Json[] = [];
  for (const item of items) {
    if (NOTICES.has(item.name)) continue;
    const values = dataOf(item.parts);
    const [only] = values;
    const value = values.length > 1 ? values : only;
    // `charts` means ChartSpecs here; another agent's charts are something else.
    const key = item.name || item.itemId;
    if (value !== undefined) data.set(key === "charts" ? "artifact_charts" : key, value);
    for (const part of item.parts)
      if (part.content?.$case === "url" && isHttpUrl(part.content.value))
        files.push({
          name: part.filename || item.name,
          mediaType: part.mediaType,
          url: part.content.value,
        });
  }
  if (files.length > 0) data.set("files", files);
  return data.size === 0 ? null : Object.fromEntries(data);
}
