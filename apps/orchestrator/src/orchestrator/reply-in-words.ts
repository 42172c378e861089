import { describeUnreadReply, InputError, readFormText } from "@troupe/core";
import type { InputReply } from "@troupe/stream";
import type { RunView } from "@troupe/workflow";

/**
 * The reply that plain words are to a run that waits: the values of the one form that is asked.
 * Throws an `InputError` that says what would be one. Words never decide an approval, whatever they say.
 */
export function replyInWords(text: string, requests: RunView["requests"]): InputReply {
  const [only, ...others] = requests.map(({ request }) => request);
  if (only === undefined || others.length > 0)
    throw new InputError(
      "input.invalid",
      `The run waits for several answers: ${requests.map(({ request }) => `"${request.requestId}"`).join(", ")}. Reply with a data part that names the requestId.`,
    );
  if (only.kind === "approval")
    throw new InputError(
      "input.invalid",
      "A reply in words cannot approve a call: approve, edit or reject each call that waits. Nothing has run.",
    );
  const filled = readFormText(only.form, text);
  if (filled !== undefined) return { requestId: only.requestId, values: filled.values };
  throw new InputError("input.invalid", describeUnreadReply(only.form, text));
}
