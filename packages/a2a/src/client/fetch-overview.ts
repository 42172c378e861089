import { boundOverview, readAtMost, type Fetch } from "@troupe/core";

import { isObject, parseJson } from "../wire/json.ts";
import { cardAddress, CARD_PATH } from "./fetch-card.ts";

const MAX_BYTES = 64 * 1024;

/** Address of `name` next to the card at `url`; addresses inside the card do not count. */
export function besideCard(url: string, name: string): URL {
  const card = new URL(cardAddress(url));
  return new URL(card.pathname.endsWith(CARD_PATH) ? `../${name}` : name, card);
}

/** Reads `/overview` of a Troupe agent; undefined if it has none. Throws the errors of `fetchImpl`. */
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
