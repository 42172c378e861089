import { finishCall, toolResults, type Playbook } from "@troupe/playbook";
import type { InputField } from "@troupe/stream";

import { BOARDS } from "./post-notice.ts";

const boardField: InputField = {
  field_name: "board",
  field_label: "Board",
  field_description: "",
  field_type: "select",
  field_values: BOARDS,
  default_value: null,
  placeholder: "",
  required: true,
};

/** What it does without a model: posts what stands in quotes on the board that is named. It understands nothing. */
export const playbook: Playbook = (request) => {
  const posted = toolResults(request, "post_notice").at(-1);
  if (posted !== undefined) {
    const content = posted.isError ? `Nothing was posted. ${posted.text}` : posted.text;
    return { calls: [finishCall({ content, complete: !posted.isError })] };
  }
  const asked = request.messages.find((message) => message.role === "user")?.text ?? "";
  const [, text] = /"([^"]+)"/.exec(asked) ?? [];
  if (text === undefined)
    return { calls: [finishCall({ content: "There is no notice in quotes in this.", complete: false })] };
  const answered = toolResults(request, "finish").at(-1)?.text ?? "";
  const [, board] =
    /\b(staff|visitors) board\b|\(board\): (\w+)/.exec(`${asked}\n${answered}`)?.filter(Boolean) ?? [];
  if (board === undefined)
    return { calls: [finishCall({ content: "", ask: { question: "Which board?", fields: [boardField] } })] };
  return { say: "One notice to post.", calls: [{ name: "post_notice", arguments: { board, text } }] };
};
