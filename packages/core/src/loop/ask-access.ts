import type { AccessRequest, InputField, InputForm } from "@troupe/stream";

import type { Ending } from "./ending.ts";
import type { Run } from "./run.ts";

const GRANTED: InputField = {
  field_name: "granted",
  field_label: "Access granted",
  field_description: "",
  field_type: "boolean",
  field_values: [],
  default_value: null,
  placeholder: "",
  required: true,
};

/**
 * The run waits for a person to grant access that a tool of this round lacked. One at a time: what else
 * is lacking shows when the model calls again.
 */
export function askAccess(run: Run): Ending | undefined {
  const [access] = run.lacking.splice(0);
  return access === undefined
    ? undefined
    : { outcome: "input-required", ask: { kind: "form", form: accessForm(access) } };
}

function accessForm(access: AccessRequest): InputForm {
  const { service, url, scopes = [] } = access;
  const what = scopes.length === 0 ? "" : ` (${scopes.join(", ")})`;
  const where = url === undefined ? "Grant it there" : `Grant it at ${url}`;
  return {
    title: `Access to ${service}`,
    description: `Access to ${service} is needed to go on${what}. ${where}, then answer here.`,
    fields: [GRANTED],
    access,
  };
}
