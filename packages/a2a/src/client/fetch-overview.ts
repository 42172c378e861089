import { boundOverview, readAtMost, type Fetch } from "@troupe/core";

import { isObject, parseJson } from "../wire/json.ts";
import { cardAddress, CARD_PATH } from "./fetch-card.ts";

const MAX_BYTES = 64 * 1024;

/** Address of a document beside the card, where the card was looked for and nowhere that it names. */
export function besideCard(url: string, name: string): URL {
  const card = new URL(cardAddress(url));
  return new URL(card.pathname.endsWith(CARD_PATH) ? `../${name}` : name, card);
}

/** What `/overview` of an agent of ours answers; undefined where it has none. Throws what `fetchImpl` does. */
export async function fetchOverview(
  url: string,
  collectionId: string | undefined,
  options: {
    readonly fetchImpl: Fetch;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  const { fetchImpl, headers, signal } = options;
  const address = besideCard(url, "overview");
  if (collectionId !== undefined) address.searchParams.set("collection", collectionId);
  const response = await fetchImpl(address, { headers, signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    return undefined;
  }
  const said = parseJson(await readAtMost(response, MAX_BYTES));
  return isObject(said) && typeof said["overview"] === "string" ? boundOverview(said["overview"]) : undefined;
}
