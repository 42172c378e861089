import type { InputReply } from "@troupe/stream";

/** The one field of the form that stands for a foreign agent's question. */
export const REPLY_FIELD = "reply";

/** A reply in words, for history and for an agent that cannot read the data part. */
export function replyText(reply: InputReply): string {
  if ("decisions" in reply)
    return reply.decisions
      .map((decision) => {
        const why = decision.type === "reject" && decision.reason !== "" ? ` (${decision.reason})` : "";
        return `${decision.callId}: ${decision.type}${why}`;
      })
      .join("\n");
  const entries = Object.entries(reply.values);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === REPLY_FIELD) return valueText(only[1]);
  return entries.map(([name, value]) => `${name}: ${valueText(value)}`).join("\n");
}

function valueText(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return "";
  return typeof value === "object" ? value.join(", ") : String(value);
}
