import { mustComments, mustSentences, type Inventory, type MustSentence } from "./must-sentences.ts";
import { SERVICE_DEFINITION } from "./service-definition.ts";
import { SPECIFICATION } from "./specification.ts";

export const INVENTORY: Inventory = { ...SPECIFICATION, ...SERVICE_DEFINITION };

/** Ids of the requirements that a sentence became. */
export function requirementsOf(entry: Inventory[string]): readonly string[] {
  return entry[1].split(" ");
}

/**
 * What differs between the inventory and a text of the specification: sentences that are new, gone or
 * worded otherwise. For when a new version of it appears.
 *
 * @param markdown `docs/specification.md`
 * @param proto `specification/a2a.proto`
 */
export function compareInventory(markdown: string, proto: string): readonly string[] {
  const found = [...mustSentences(markdown), ...mustComments(proto)];
  const ids = new Set(found.map(({ id }) => id));
  return [
    ...found.flatMap((sentence) => differenceOf(sentence)),
    ...Object.keys(INVENTORY)
      .filter((id) => !ids.has(id))
      .map((id) => `${id} is gone`),
  ];
}

function differenceOf({ id, text, digest }: MustSentence): readonly string[] {
  const known = INVENTORY[id];
  if (known === undefined) return [`${id} is new: ${text}`];
  return known[0] === digest ? [] : [`${id} is worded otherwise: ${text}`];
}
