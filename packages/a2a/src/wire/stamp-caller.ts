import type { Message } from "@a2a-js/sdk";
import type { Caller } from "@troupe/core";

import { EXT } from "./extension.ts";
import { isObject } from "./json.ts";

/**
 * Notes on a message what its sender may use, so that it stands beside what was asked when the work is
 * taken up after a crash. Whatever stood there before, the sender wrote, and it goes.
 */
export function stampCaller(message: Message, caller: Caller | undefined): Message {
  const { [EXT]: ours, ...rest } = message.metadata ?? {};
  if (caller === undefined && (!isObject(ours) || !("scopes" in ours))) return message;
  const { scopes: _, ...said } = isObject(ours) ? ours : { v: 1, kind: "request" };
  const stamped = caller === undefined ? said : { ...said, scopes: [...caller.scopes] };
  return { ...message, metadata: { ...rest, [EXT]: stamped } };
}

/** Who sent a message that was stamped and kept for this owner. One without a stamp may use nothing. */
export function stampedCaller(message: Message, owner: string): Caller | undefined {
  if (owner === "") return undefined;
  const ours: unknown = message.metadata?.[EXT];
  const scopes = isObject(ours) ? ours["scopes"] : undefined;
  const kept: readonly unknown[] = Array.isArray(scopes) ? scopes : [];
  return { id: owner, scopes: kept.filter((scope) => typeof scope === "string") };
}
