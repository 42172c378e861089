import type { FormValues, InputForm } from "@troupe/stream";

import { delegationPrompt } from "../delegation/delegation-prompt.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { ModelMessage } from "../ports/model.ts";
import type { UnavailableSource } from "../tools/tool-registry.ts";

const FINISH_RULE =
  "When the work is done, call the tool finish alone: the whole answer goes into its content, " +
  "with [id] after what rests on a citation. Ask the person through finish too, with require_user_input.";

/** The system prompt with the rules of the loop and what is missing in this run. */
export function systemPrompt(own: string, unavailable: readonly UnavailableSource[]): string {
  const parts = [own, FINISH_RULE];
  if (unavailable.length > 0) {
    const lines = unavailable.map(({ source, reason }) => `- ${source}: ${reason}`);
    parts.push(`Not available in this run; say so where it matters to the answer:\n${lines.join("\n")}`);
  }
  return parts.join("\n\n");
}

/** The conversation as the model first sees it. */
export function firstMessages(request: AgentRequest, replyText: string): ModelMessage[] {
  const earlier = request.history.map((turn): ModelMessage =>
    turn.role === "user"
      ? { role: "user", text: turn.text }
      : { role: "assistant", text: turn.text, toolCalls: [] },
  );
  const asked = request.delegation === undefined ? request.text : delegationPrompt(request.delegation);
  const text = [asked, replyText].filter((part) => part !== "").join("\n\n");
  return [...earlier, { role: "user", text }];
}

/** What a person filled in, as text for the model. */
export function describeReply(values: FormValues, form: InputForm | undefined): string {
  const labels = new Map(form?.fields.map((field) => [field.field_name, field.field_label]));
  const lines = Object.entries(values).map(([name, value]) => {
    const label = labels.get(name);
    const shown = Array.isArray(value) ? value.join(", ") : value === null ? "(left empty)" : String(value);
    return `- ${label === undefined || label === "" ? name : `${label} (${name})`}: ${shown}`;
  });
  const question = form?.description ?? "";
  const intro =
    question === "" ? "The person answered what you asked:" : `You asked: ${question}\nThe person answered:`;
  return `${intro}\n${lines.join("\n")}`;
}
