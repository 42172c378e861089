import { oneLine } from "@troupe/core/request";

/** What is made is named, or was named just before. */
const MADE =
  "(?:it|them|(?:the|this|that|these) (?:presentation|deck|slides|answer|summary|report|results?|findings|files?|charts?|figures))";
const HANDED = new RegExp(
  `^(.*?\\S)(?:\\s*[,;.]\\s*|\\s+)(?:(?:and|then|and then)\\s+)(?:please\\s+)?((?:e-?mail|mail|send|share|post|publish|upload|forward|text)\\s+${MADE}\\b[^?]*)$`,
  "i",
);
/** Before it: then it is what the rest is about, and nobody orders it. */
const ABOUT_DEEDS = /\b(?:how|whether|when|who|why|where)\b/i;

/**
 * What a request orders to be done with its outcome: "make a deck, and then email it to Ann". Fixed rules over
 * English words; undefined where none is ordered.
 */
export function thenOrdered(request: string): { readonly first: string; readonly deed: string } | undefined {
  const [, first = "", deed = ""] = HANDED.exec(oneLine(request)) ?? [];
  if (deed === "" || ABOUT_DEEDS.test(first)) return undefined;
  return { first, deed: deed.replace(/[.!\s]+$/, "") };
}
