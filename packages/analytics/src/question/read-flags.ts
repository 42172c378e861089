import { isNumberType } from "../names/column-role.ts";
import { wordsOf } from "../names/words.ts";
import type { ColumnInfo, DataSchema } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import { BY } from "./intent-words.ts";
import type { FoundValue, Place } from "./match-values.ts";
import { foldText, type Token } from "./tokens.ts";

/** A column that says yes or no, and how it says each. */
interface Flag {
  readonly table: string;
  readonly column: string;
  readonly yes: string;
  readonly no: string;
}

/** A value that stands for yes or no; `other` is the opposite, for `not active`. */
export interface FoundFlag extends FoundValue {
  readonly other: readonly Place[];
}

const YES = new Set(["yes", "y", "true", "ja", "oui", "si", "kylla", "1"]);
const NO = new Set(["no", "n", "false", "nein", "nej", "nei", "non", "ei", "0"]);
/** Whether a value says yes or no, and nothing without the name of its column; undefined for any other. */
export function saysYesOrNo(value: string): boolean | undefined {
  const fold = foldText(value);
  return YES.has(fold) ? true : NO.has(fold) ? false : undefined;
}

/** Whether a column has yes and no, and nothing else: the `NO` of a country is none. */
export function isFlag(column: ColumnInfo | undefined): boolean {
  if (column === undefined) return false;
  const says = column.samples.map((sample) => saysYesOrNo(String(sample)));
  return column.type === "BOOLEAN" || (column.distinct === 2 && says.includes(true) && says.includes(false));
}

const MARKERS = new Set(["is", "has", "was", "are", "flag", "ist"]);
const PREFIXES = ["un", "non"];
/** What `in` makes the opposite of: before other words it does not, as in `invoice` and `instore`. */
const IN = new Set(
  "accurate active adequate applicable complete correct dependent direct eligible secure sufficient valid visible".split(
    " ",
  ),
);

/** `active` of `inactive`, where it begins as an opposite does. */
function withoutPrefix(word: string): string | undefined {
  const prefix = PREFIXES.find((one) => word.startsWith(one));
  if (prefix !== undefined) return word.slice(prefix.length);
  return word.startsWith("in") && IN.has(word.slice(2)) ? word.slice(2) : undefined;
}

/**
 * `active customers`, `inactive`, `were approved`: the one word that names a column of yes and no. After `by` it
 * is a group; `reserved` words name figures, and words of `names` are no opposites.
 */
export function readFlags(
  tokens: readonly Token[],
  schema: DataSchema,
  values: readonly ColumnValues[],
  free: (index: number) => boolean,
  reserved: (word: string) => boolean,
  names: ReadonlySet<string>,
): readonly FoundFlag[] {
  const flags = new Map<string, Flag[]>();
  for (const { name: table, columns } of schema.tables)
    for (const column of columns) {
      const words = wordsOf(column.name).filter((word) => !MARKERS.has(word));
      const said = saidBy(
        column,
        values.find((one) => one.table === table && one.column === column.name),
      );
      const [word = ""] = words;
      if (said === undefined || words.length !== 1 || word.length < 3 || reserved(word)) continue;
      flags.set(word, [...(flags.get(word) ?? []), { table, column: column.name, ...said }]);
    }
  if (flags.size === 0) return [];
  return tokens.flatMap((token, at) => {
    if (!free(at) || isGroup(tokens, at)) return [];
    const named = flags.get(token.word) ?? flags.get(token.fold);
    const opposite = names.has(token.word) ? undefined : withoutPrefix(token.fold);
    const found = named ?? flags.get(opposite ?? "") ?? [];
    if (found.length === 0) return [];
    const places = (key: "yes" | "no"): readonly Place[] =>
      found.map(({ table, column, [key]: value }) => ({ table, column, value }));
    const [own, other] = named === undefined ? [places("no"), places("yes")] : [places("yes"), places("no")];
    return [{ text: token.text, places: own, other, at, end: at + 1 }];
  });
}

function saidBy(
  column: ColumnInfo,
  found: ColumnValues | undefined,
): { readonly yes: string; readonly no: string } | undefined {
  if (column.type === "BOOLEAN") return { yes: "true", no: "false" };
  const named = wordsOf(column.name).some((word) => MARKERS.has(word));
  if (isNumberType(column.type))
    return named && column.min === 0 && column.max === 1 && column.distinct === 2
      ? { yes: "1", no: "0" }
      : undefined;
  if (found?.values.length !== 2) return undefined;
  const yes = found.values.find((value) => YES.has(foldText(value)));
  const no = found.values.find((value) => NO.has(foldText(value)));
  return yes === undefined || no === undefined ? undefined : { yes, no };
}

/** `by active`, `by region and active`. */
function isGroup(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.fold ?? "";
  if (BY.has(before)) return true;
  return before === "and" && tokens.slice(0, at).some(({ fold }) => ["by", "per"].includes(fold));
}
