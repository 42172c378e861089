import { keptOn } from "../adapters/kept-on.ts";

/** How far a call's streams came: the id of the last event that was read whole. */
export interface StreamPlace {
  lastEventId: string | undefined;
  /** The last of its requests was answered by a stream. */
  open: boolean;
}

/**
 * Where calls stand in their streams. The SDK's clients keep no event ids, so they are read beside
 * them, as the text comes; a call is known by the signal that goes with its requests.
 */
const places = keptOn<AbortSignal, StreamPlace>("stream place");

/** The place of the call with this signal. */
export function placeOf(signal: AbortSignal): StreamPlace {
  const place = places.get(signal) ?? { lastEventId: undefined, open: false };
  places.set(signal, place);
  return place;
}

/** What comes by this signal belongs to a call whose requests have a signal each. */
export function putPlace(signal: AbortSignal, place: StreamPlace): void {
  places.set(signal, place);
}

/** Takes the text of the stream that was asked for with this signal, in any pieces, before whoever reads it does. */
export function watchStream(signal: AbortSignal | null | undefined): ((text: string) => void) | undefined {
  const place = signal == null ? undefined : places.get(signal);
  if (place === undefined) return undefined;
  place.open = true;
  return eventIdReader(place);
}

/**
 * Whoever reads has handled all events of a piece before asking for the next, so after a connection
 * broke the last id is that of the last event handled. An event counts once it is whole.
 */
export function eventIdReader(place: StreamPlace): (text: string) => void {
  let id: string | undefined;
  /** The last line, as far as it came; of a line that is no id its beginning is enough. */
  let line = "";
  return (text) => {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      line += text.slice(from, Math.min(end, from + MAX_LINE));
      from = end + 1;
      const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
      line = "";
      if (whole === "") place.lastEventId = id ?? place.lastEventId;
      else if (whole.startsWith("id:") && whole.length < MAX_LINE) id = whole.slice(3).trim();
    }
    if (line.length < MAX_LINE) line += text.slice(from, from + MAX_LINE);
  };
}

const MAX_LINE = 200;
