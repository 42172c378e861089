import { TaskState, type Message } from "@a2a-js/sdk";
import { inputRequestSchema, parseResponse } from "@troupe/core";
import type { InputForm, InputRequest } from "@troupe/stream";

import { ARTIFACT_NAMES } from "../extension.ts";
import { dataOf, textOf } from "../parts.ts";
import { isObject, stringOf } from "../json.ts";
import { REPLY_FIELD } from "../reply-text.ts";
import type { ForeignItem } from "./foreign-item.ts";

interface Asking {
  readonly state: TaskState;
  readonly message: Message | undefined;
  readonly items: readonly ForeignItem[];
  /** For the id of a request that has none. */
  readonly runId: string;
  /** Who asks. */
  readonly agent: string;
}

/**
 * What a foreign agent asks: our request where it sent one, the form of its `UserInputMetaData`, else
 * its question as a form with one text field.
 */
export function foreignAsk({ state, message, items, runId, agent }: Asking): InputRequest | undefined {
  const access = state === TaskState.TASK_STATE_AUTH_REQUIRED;
  if (state !== TaskState.TASK_STATE_INPUT_REQUIRED && !access) return undefined;
  for (const data of dataOf(message?.parts ?? [])) {
    const request = inputRequestSchema.safeParse(data);
    if (request.success) return request.data;
  }
  const silence = access ? "The agent needs access that it does not have." : "The agent asks for input.";
  const question = textOf(message?.parts ?? []) || silence;
  const form = formAmong(items, question) ?? oneField(question);
  // Which service it is about stands in its words, if anywhere: the protocol has no field for it.
  const whole = access ? { ...form, access: { service: agent } } : form;
  return { requestId: runId, kind: "form", form: whole };
}

/**
 * The form an existing agent shows. One that asks something else than the status does is of an earlier
 * turn: its artifacts stay with the task.
 */
function formAmong(items: readonly ForeignItem[], question: string): InputForm | undefined {
  for (const { name, parts } of items.toReversed()) {
    if (name !== ARTIFACT_NAMES.form) continue;
    for (const data of dataOf(parts)) {
      if (!isObject(data) || data["response"] !== question) continue;
      const metadata = { user_input: question, input_fields: data["input_fields"] };
      const { response } = parseResponse({ content: "", require_user_input: true, metadata });
      const fields = response.metadata.input_fields;
      const title = stringOf(data["input_title"]) || question;
      if (fields.length > 0) return { title, description: stringOf(data["input_description"]), fields };
    }
  }
  return undefined;
}

function oneField(question: string): InputForm {
  const field = {
    field_name: REPLY_FIELD,
    field_label: "Reply",
    field_description: question,
    field_type: "text",
    field_values: [],
    default_value: null,
    placeholder: "",
    required: true,
  } as const;
  return { title: question, description: "", fields: [field] };
}
