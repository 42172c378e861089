import type { AgentRequest } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import type { Bookmarks } from "./bookmarks.ts";
import type { RunState } from "./state.ts";

/** How a turn comes to its run, and from where it tells of it. */
export interface TurnEntry {
  readonly runId: string;
  /** The run is there already, and the turn does not begin it. */
  readonly joins: boolean;
  /** The turn was cut off when its process ended: what it brings may have arrived before that. */
  readonly cutOff: boolean;
  /** Its answer moves nothing, and nothing has happened since the turn before: a turn from there on would not end. */
  readonly nothingNew: boolean;
  /** What the words of the request are to answer; absent where they are none. */
  readonly asked?: RunView["requests"];
  /** What of the run is told once more from its start: all that stands in its log up to this position. */
  readonly toldAgain?: number;
  /** First position that is told. */
  readonly from: number;
  /** Ids of the requests that were answered in turns before. */
  readonly answered: ReadonlySet<string>;
}

/** `joined` is the run of another task that the request names. */
export async function enterRun(
  { state, bookmarks }: { readonly state: RunState; readonly bookmarks: Bookmarks },
  request: AgentRequest,
  joined: RunView | undefined,
): Promise<TurnEntry> {
  const { reply, recovered = false } = request;
  const { runId } = joined ?? request;
  const found = joined ?? (await state.log.view(runId));
  // Cut off while it was planned, at a process whose work this one takes up: it is planned anew.
  const unplanned = recovered && joined === undefined && found?.status === "planning";
  const known = unplanned ? null : found;
  const open = known?.requests ?? [];
  // What was cut off may have come as far as its run, and an answer as far as that; words that
  // filled one form then must not fill the next.
  const words = !recovered && reply === undefined && joined === undefined && open.length > 0;
  const cutOff = known !== null && recovered;
  const begun = cutOff || (known !== null && reply === undefined && !words);
  const joins = begun || joined !== undefined;
  const end = joins || reply || words ? await state.log.end(runId) : 0;
  const shared = { runId, joins, cutOff, ...(words ? { asked: open } : {}) };
  const mark = bookmarks.get(runId);
  const answered = mark?.answered ?? new Set<string>();
  // An answer to what is not asked, before its time or once more, moves nothing: what the run waits for meanwhile is
  // told with the rest.
  const unasked = reply !== undefined && !open.some(({ request }) => request.requestId === reply.requestId);
  const nothingNew = unasked && (mark === undefined || mark.position === end);
  if (begun || (joins && (!reply || unasked)))
    return { ...shared, nothingNew, toldAgain: end, from: 0, answered };
  return { ...shared, nothingNew, from: mark?.position ?? end, answered };
}
