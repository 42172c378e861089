import type { Message, Part } from "@a2a-js/sdk";

import { LimitError } from "./limit-error.ts";
import type { ServerLimits } from "./server-limits.ts";

/**
 * Refuses a message of too many or too large parts, before anything is done with it. Each part was
 * read already, so what is kept meanwhile is bounded by the body. Throws a `LimitError`.
 */
export function checkParts(
  message: Message | undefined,
  limits: Pick<ServerLimits, "parts" | "partBytes">,
): void {
  const parts = message?.parts ?? [];
  const { parts: most, partBytes } = limits;
  if (parts.length > most)
    throw new LimitError("TOO_LARGE", `message.parts has ${parts.length} parts; at most ${most} are taken.`, {
      limit: most,
    });
  parts.forEach((part, at) => {
    if (!isLarger(part, partBytes)) return;
    const instead = part.content?.$case === "raw" ? ", or upload the file where the agent stores files" : "";
    throw new LimitError(
      "TOO_LARGE",
      `message.parts[${at}] is larger than the ${partBytes} bytes a part may have; send less at a time${instead}.`,
      { limit: partBytes },
    );
  });
}

function isLarger({ content }: Part, max: number): boolean {
  switch (content?.$case) {
    case "text":
    case "url":
      // A character has at most 3 bytes for each of its units.
      return content.value.length * 3 > max && Buffer.byteLength(content.value) > max;
    case "raw":
      return content.value.byteLength > max;
    case "data":
      return jsonBytes(content.value, max) > max;
    default:
      return false;
  }
}

/** Bytes of a value as JSON, at least; it stops counting when `max` is passed. Depth is bounded before. */
function jsonBytes(value: unknown, max: number): number {
  if (typeof value === "string") return Buffer.byteLength(value) + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  let bytes = 2;
  if (Array.isArray(value))
    for (const entry of value) {
      if (bytes > max) break;
      bytes += 1 + jsonBytes(entry, max - bytes);
    }
  // No list of its entries is made: of many small values that takes longer than counting them.
  else
    for (const key in value) {
      if (bytes > max) break;
      bytes +=
        Buffer.byteLength(key) +
        4 +
        jsonBytes((value as { readonly [key: string]: unknown })[key], max - bytes);
    }
  return bytes;
}
