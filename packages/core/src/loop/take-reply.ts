import { InputError } from "../errors/input-error.ts";
import { toErrorInfo } from "../errors/error-info.ts";
import { checkFormValues } from "../forms/check-form-values.ts";
import type { Ending } from "./ending.ts";
import { describeReply } from "./prompt.ts";
import type { Run } from "./run.ts";

/** The reply as text for the model, empty when there is none; or why the person is asked again. */
export function takeReply(run: Run): string | Ending {
  const { reply } = run.request;
  if (reply === undefined) return "";
  if (!("values" in reply)) {
    const error = new InputError(
      "input.unsupported",
      "This agent asked for no approval, so there is nothing to decide.",
    );
    return { outcome: "failed", error: toErrorInfo(error) };
  }
  const form = run.options.forms.get(reply.requestId);
  if (form === undefined) return describeReply(reply.values, undefined);
  const checked = checkFormValues(form, reply.values);
  run.options.forms.forget(reply.requestId);
  if (checked.ok) return describeReply(checked.values, form);
  const error = new InputError("input.invalid", checked.issues.join(" "), { issues: checked.issues });
  return { outcome: "input-required", form, error: toErrorInfo(error) };
}
