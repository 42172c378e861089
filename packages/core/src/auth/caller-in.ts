import type { Caller } from "../ports/caller.ts";

/** What was authenticated, where something was: a name by itself is only what somebody says. */
export interface Authenticated {
  readonly userId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** In whose name a request, a run or a call of a tool is made; undefined where nobody was asked who they are. */
export function callerIn({ userId, scopes }: Authenticated): Caller | undefined {
  return userId === undefined || scopes === undefined ? undefined : { id: userId, scopes };
}

/** Whose the files are that it makes, and whose it may read. */
export function ownerIn(from: Authenticated): string {
  return callerIn(from)?.id ?? "";
}
