import type { AskedValue } from "./filters.ts";
import type { PeriodReading } from "./periods/read-periods.ts";

/**
 * `DACH in 2024 and Nordics in 2025`: two pairs, where each period would be told for both values. In a
 * sentence that follows `Not used: `; none where values and periods do not take turns.
 */
export function pairedTexts(
  values: readonly AskedValue[],
  { periods, starts }: Pick<PeriodReading, "periods" | "starts">,
): readonly string[] {
  const texts = [...new Set(values.map(({ text }) => text))];
  if (texts.length < 2 || periods.length < 2) return [];
  const turns = [...values.map(({ at }) => ({ at, kind: "v" })), ...starts.map((at) => ({ at, kind: "p" }))]
    .toSorted((a, b) => a.at - b.at)
    .map(({ kind }) => kind)
    .filter((kind, i, all) => kind !== all[i - 1]);
  if (turns.length < 4) return [];
  const said = texts.map((text) => `"${text}"`).join(" and ");
  return [`which period goes with which of ${said}: ask for each on its own.`];
}
