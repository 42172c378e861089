import { wordsOf } from "./words.ts";

const CURRENCY = new Set(["currency", "ccy", "wahrung", "waehrung", "valuta", "devise", "moneda"]);
const UNIT = new Set(["unit", "uom", "einheit", "enhet"]);
/** Units of things that are measured; a business has units too. */
const MEASURED_IN =
  /^(kg|g|mg|t|lb|l|ml|hl|m3|m³|pcs?|pieces?|stk|st|box(es)?|pallets?|°?[cf]|k|ph|bar|pa|%|ppm|ppb|[mµu]g\/l|ntu|[mµu]s\/cm|m|mm|cm|km|h|hours?|min|s|[kmg]?wh?|v|a)$/i;

/** Whether a column says what the figures beside it are in: sums over several of its values mean nothing. */
export function unitsIn(name: string, values: readonly string[]): "currency" | "unit" | undefined {
  const words = wordsOf(name);
  if (words.some((word) => CURRENCY.has(word))) return "currency";
  return words.some((word) => UNIT.has(word)) && values.every((value) => MEASURED_IN.test(value))
    ? "unit"
    : undefined;
}
