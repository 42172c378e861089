/** Words of a question or a name, in lower case and singular: `InvoiceDates` -> `invoice`, `date`. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(singular);
}

/** Of an English word in lower case, by its ending. */
export function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is|series)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ches|shes|xes|sses)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Words that ask for the same kind of thing. Within a group the question's own word comes first. */
const GROUPS: readonly (readonly string[])[] = [
  ["region", "territory", "market", "country", "land", "area", "state", "city"],
  ["product", "produkt", "item", "article", "artikel", "track", "instrument", "model"],
  ["customer", "kunde", "client", "buyer", "account", "company"],
  ["category", "kategorie", "segment", "genre", "type", "family", "group", "line"],
  ["channel"],
  ["employee", "seller", "salesperson", "rep", "agent"],
];

export function relatedWords(word: string): readonly string[] {
  return GROUPS.find((group) => group.includes(word)) ?? [];
}

/** Names of money coming in, the most telling first. */
export const MONEY_WORDS = [
  "revenue",
  "sale",
  "turnover",
  "umsatz",
  "net",
  "total",
  "amount",
  "gross",
  "value",
  "income",
  "erlos",
  "omsattning",
  "omsetning",
  "belopp",
  "betrag",
  "bedrag",
  "montant",
  "importe",
];
export const COUNT_WORDS = [
  "quantity",
  "qty",
  "unit",
  "volume",
  "count",
  "menge",
  "antal",
  "antall",
  "anzahl",
];
export const PRICE_WORDS = ["price"];
