import type { AgentEvent } from "@troupe/stream";

/** Which events of a run were shown, also where it is told again from its start or in other pieces. */
export interface ShownEvents {
  /** What of an event is to be shown, from now on taken for shown; undefined where nothing of it is new. */
  take(event: AgentEvent): AgentEvent | undefined;
}

/** The `seq` of an event is its position in the run, in every turn that tells it. */
export function shownEvents(): ShownEvents {
  /** Whoever joins a run that went on for long begins there, and is told no more when it joins again. */
  let first: number | undefined;
  const positions = new Set<number>();
  /** Questions by position and id: one that is asked again at the end of a turn has no place of its own. */
  const asked = new Set<string>();
  /** Texts by the position at which they begin, with how much of them was shown. */
  const lengths = new Map<number, number>();
  /** Texts that are being told, by item: where they begin, and how much of them came. */
  const telling = new Map<string, { readonly start: number; came: number }>();

  const once = <T>(known: Set<T>, key: T): boolean => known.size < known.add(key).size;

  return {
    take(event) {
      const { type, seq } = event;
      // The end of a turn; there is one a turn, and nothing behind it.
      if (type === "finish" && event.stepId === undefined) return event;
      first ??= seq;
      if (seq < first) return undefined;
      if (type === "input-required")
        return once(asked, `${seq} ${event.request.requestId}`) ? event : undefined;
      if (type === "text-start") telling.set(itemOf(event), { start: seq, came: 0 });
      if (type !== "text-delta") return once(positions, seq) ? event : undefined;
      const text = telling.get(itemOf(event));
      if (text === undefined) return once(positions, seq) ? event : undefined;
      const shown = lengths.get(text.start) ?? 0;
      const fresh = event.delta.slice(Math.max(0, shown - text.came));
      text.came += event.delta.length;
      lengths.set(text.start, Math.max(shown, text.came));
      return fresh === "" ? undefined : { ...event, delta: fresh };
    },
  };
}

function itemOf({ stepId, attempt, itemId }: AgentEvent & { readonly itemId: string }): string {
  return JSON.stringify([stepId, attempt, itemId]);
}
