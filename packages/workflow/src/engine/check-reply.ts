import { describeIssues, inputReplySchema } from "@troupe/core";
import type { FormValues, InputField, InputForm, InputReply, InputRequest, Json } from "@troupe/stream";

export type ReplyCheck =
  | { readonly ok: true; readonly reply: InputReply }
  | { readonly ok: false; readonly issues: readonly string[] };

/**
 * Whether a reply answers this request. Check before signalling: a signal takes one value, and a
 * run that is handed a bad one can only fail the step. Fields left out get their default.
 */
export function checkReply(request: InputRequest, value: Json): ReplyCheck {
  const parsed = inputReplySchema.safeParse(value);
  if (!parsed.success) return { ok: false, issues: describeIssues(parsed.error) };
  const reply = parsed.data;
  if (reply.requestId !== request.requestId)
    return { ok: false, issues: [`answers "${reply.requestId}", but "${request.requestId}" was asked`] };
  if (request.kind === "form") {
    if (!("values" in reply)) return { ok: false, issues: ["a form is answered with values"] };
    return checkForm(request.form, reply.requestId, reply.values);
  }
  if (!("decisions" in reply)) return { ok: false, issues: ["an approval is answered with decisions"] };
  const asked = request.calls.map((call) => call.callId);
  const decided = reply.decisions.map((decision) => decision.callId);
  const issues = [
    ...asked
      .filter((id) => decided.filter((other) => other === id).length !== 1)
      .map((id) => `call "${id}" needs exactly one decision`),
    ...decided.filter((id) => !asked.includes(id)).map((id) => `call "${id}" was not asked about`),
  ];
  return issues.length > 0 ? { ok: false, issues } : { ok: true, reply };
}

function checkForm(form: InputForm, requestId: string, given: FormValues): ReplyCheck {
  const names = form.fields.map((field) => field.field_name);
  const issues = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `there is no field "${name}"; fields: ${names.join(", ")}`);
  const values: { [name: string]: FormValues[string] } = {};
  for (const field of form.fields) {
    const value = given[field.field_name] ?? field.default_value;
    values[field.field_name] = value;
    if (value === null || value === "") {
      if (field.required) issues.push(`field "${field.field_name}" is required`);
    } else if (!accepts(field, value)) issues.push(`field "${field.field_name}" must be ${expected(field)}`);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, reply: { requestId, values } };
}

function accepts(field: InputField, value: FormValues[string]): boolean {
  const type = field.field_type;
  if (type === "boolean") return typeof value === "boolean";
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  if (type === "multiselect")
    return Array.isArray(value) && value.every((item) => field.field_values.includes(item));
  if (typeof value !== "string") return false;
  if (type === "select") return field.field_values.includes(value);
  if (type === "url") return URL.canParse(value);
  return type === "text" || /^[^\s@]+@[^\s@]+$/.test(value);
}

function expected(field: InputField): string {
  const words = {
    boolean: "true or false",
    number: "a number",
    text: "text",
    url: "a URL",
    email: "an e-mail address",
  };
  if (field.field_type === "select") return `one of ${field.field_values.join(", ")}`;
  if (field.field_type === "multiselect") return `a list of ${field.field_values.join(", ")}`;
  return words[field.field_type];
}
