/** Values that a query writes into its result itself, and that come from no table. */
export interface QueryConstants {
  /** Sizes of numbers in its lists of columns, its `VALUES` and its lists. */
  readonly numbers: ReadonlySet<number>;
  /** Texts in the same places; labels of a `CASE` are kept apart. */
  readonly texts: ReadonlySet<string>;
  readonly caseLabels: ReadonlySet<string>;
  /** Whether all values of a column are constants, by its place and its name. */
  isConstant(column: number, name: string): boolean;
  /** The query reads no table. */
  readonly readsNothing: boolean;
}

interface Token {
  readonly kind: "text" | "number" | "word" | "name" | "mark";
  /** A text without its quotes; a word in capitals. */
  readonly text: string;
}

const TOKEN =
  /'((?:[^']|'')*)'|\$\$([^]*?)\$\$|"((?:[^"]|"")*)"|((?<![\w.])(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_$]*)|(::|<>|!=|<=|>=|\|\||\S)/giu;
const COMMENT = /'(?:[^']|'')*'|\$\$[^]*?\$\$|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\//g;
/** Characters of a query that are read, and lists of columns and of values in it. */
const MAX_QUERY = 50_000;
const MAX_LISTS = 200;

const KEYWORDS = new Set(
  (
    "SELECT DISTINCT ALL NULL TRUE FALSE AND OR NOT CASE WHEN THEN ELSE END CAST TRY_CAST AS IS IN BETWEEN LIKE ILIKE " +
    "ARRAY VALUES UNION"
  ).split(" "),
);
/** Parts of a literal when beside one, otherwise names: `DATE '2025-01-01'`, `INTERVAL 1 DAY`. */
const LITERAL_PARTS =
  /^(?:INTERVAL|DATE|TIMESTAMP|TIMESTAMPTZ|TIME|(?:SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)S?)$/;
const CLAUSES = new Set(
  "SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET QUALIFY WINDOW UNION EXCEPT INTERSECT USING ON".split(
    " ",
  ),
);
/** Functions whose result depends on the rows although they name no column. */
const OF_ROWS = new Set("COUNT ROW_NUMBER RANK DENSE_RANK NTILE".split(" "));
/** Sources of rows that read no table. */
const MADE = new Set("UNNEST RANGE GENERATE_SERIES VALUES REPEAT".split(" "));
/** Functions that have FROM among their arguments. */
const WITH_FROM = new Set("EXTRACT TRIM SUBSTRING OVERLAY".split(" "));

const OTHER_STATEMENTS = new Set("PIVOT UNPIVOT SUMMARIZE DESCRIBE SHOW TABLE".split(" "));

/** The query without its comments. */
export function withoutComments(query: string): string {
  return query.slice(0, MAX_QUERY).replace(COMMENT, (part) => (/^(?:--|\/\*)/.test(part) ? " " : part));
}

/** Without names in quotation marks, which a model may choose. */
export function withoutQuotedNames(query: string): string {
  return query.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (part) => (part.startsWith('"') ? " " : part));
}

/** Of a query without comments. */
export function constantsOf(query: string): QueryConstants {
  const tokens = tokensOf(query);
  const literals = literalsIn(tokens);
  const own = subqueryNames(tokens);
  const selects = selectsIn(tokens, own);
  const names = constantNames(tokens, selects);
  const outer = selects.filter(({ depth }) => depth === 0);
  return {
    ...literals,
    isConstant(column, name) {
      const items = outer.map((select) => (select.hasStar ? undefined : select.items[column]));
      if (items.length > 0 && items.every((item) => item !== undefined))
        return items.every((item) => isConstant(item, names));
      return names.has(name.toUpperCase());
    },
    readsNothing:
      /^\s*\(*\s*(?:SELECT|WITH|VALUES|FROM)\b/i.test(query) &&
      !readsTable(tokens, own) &&
      (tokens.some(({ kind, text }) => kind === "word" && text === "FROM") ||
        outer.every(({ items }) => items.every((item) => isConstant(item, names)))),
  };
}

function tokensOf(query: string): readonly Token[] {
  return [...query.matchAll(TOKEN)].map(([whole, text, dollars, name, number, word]): Token => {
    if (text !== undefined) return { kind: "text", text: text.replaceAll("''", "'") };
    if (dollars !== undefined) return { kind: "text", text: dollars };
    if (name !== undefined) return { kind: "name", text: name.replaceAll('""', '"') };
    if (number !== undefined) return { kind: "number", text: number.replaceAll("_", "") };
    return word === undefined ? { kind: "mark", text: whole } : { kind: "word", text: word.toUpperCase() };
  });
}

/** Not the same character as a text or a name in quotation marks. */
function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === "mark" && token.text === mark;
}

const isOpening = (token: Token | undefined): boolean => isMark(token, "(") || isMark(token, "[");
const isClosing = (token: Token | undefined): boolean => isMark(token, ")") || isMark(token, "]");

interface Frame {
  readonly kind: "call" | "group" | "list" | "values";
  clause: string;
}

/** Literals that the query copies into its result: in a list of columns, in `VALUES` and in lists. */
function literalsIn(tokens: readonly Token[]): Pick<QueryConstants, "numbers" | "texts" | "caseLabels"> {
  const numbers = new Set<number>();
  const texts = new Set<string>();
  const caseLabels = new Set<string>();
  const frames: Frame[] = [{ kind: "group", clause: "" }];
  let closed: Frame | undefined;
  for (const [at, token] of tokens.entries()) {
    const { kind, text } = token;
    const before = tokens[at - 1];
    const frame = frames.at(-1);
    if (kind === "word" && CLAUSES.has(text) && frame !== undefined) frame.clause = text;
    if (isOpening(token)) {
      frames.push({ kind: frameKind(text, before, closed), clause: "" });
      continue;
    }
    if (isClosing(token)) {
      closed = frames.length > 1 ? frames.pop() : undefined;
      continue;
    }
    if ((kind !== "text" && kind !== "number") || !isWritten(frames)) continue;
    const isLabel = before?.kind === "word" && (before.text === "THEN" || before.text === "ELSE");
    if (kind === "text") (isLabel ? caseLabels : texts).add(labelForm(text));
    if (kind === "text" && isNumber(text)) numbers.add(Math.abs(Number(text)));
    if (kind === "number" && !isOperand(text, before, tokens[at + 1])) numbers.add(Math.abs(Number(text)));
  }
  return { numbers, texts, caseLabels };
}

function frameKind(mark: string, before: Token | undefined, closed: Frame | undefined): Frame["kind"] {
  if (mark === "[") return "list";
  const isTuple = closed?.kind === "values" && before?.kind === "mark" && before.text === ",";
  if (isTuple || (before?.kind === "word" && before.text === "VALUES")) return "values";
  const isCall =
    before?.kind === "name" ||
    (before?.kind === "word" &&
      (!KEYWORDS.has(before.text) || before.text === "IN" || before.text === "CAST"));
  return isCall && !(before.kind === "word" && CLAUSES.has(before.text)) ? "call" : "group";
}

function isWritten(frames: readonly Frame[]): boolean {
  const list = frames.findLast(({ kind }) => kind !== "group");
  const isInList = list?.kind === "list" || list?.kind === "values";
  for (const { kind, clause } of frames.toReversed()) {
    if (clause !== "") return clause === "SELECT" || (isInList && clause === "FROM");
    if (kind === "call" && !isInList) return false;
  }
  return isInList;
}

/** A factor such as `* 100.0`, or the limit of a comparison. */
function isOperand(literal: string, before: Token | undefined, after: Token | undefined): boolean {
  const isFactor = /^10*(?:\.0+)?$/.test(literal) && after?.kind === "mark" && /^[*/]$/.test(after.text);
  const isCompared =
    (before?.kind === "mark" && /^(?:[<>=*/]|<>|!=|<=|>=)$/.test(before.text)) ||
    (before?.kind === "word" && /^(?:BY|OFFSET|BETWEEN|LIKE|AND|LIMIT)$/.test(before.text));
  return isFactor || isCompared;
}

/** The form in which texts of cells and of constants are compared. */
export const labelForm = (text: string): string => text.trim().toLowerCase();

const isNumber = (text: string): boolean => /^\s*-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i.test(text);

interface Select {
  readonly depth: number;
  /** Expressions, without the names they are given. */
  readonly items: readonly (readonly Token[])[];
  /** The name of each item, in capitals. */
  readonly names: readonly (string | undefined)[];
  readonly hasStar: boolean;
  /** All sources of its own FROM are tables. */
  readonly readsTables: boolean;
}

function selectsIn(tokens: readonly Token[], own: ReadonlySet<string>): readonly Select[] {
  const selects: Select[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (isOpening(token)) depth++;
    if (isClosing(token)) depth--;
    if (token.kind === "word" && token.text === "SELECT" && selects.length < MAX_LISTS)
      selects.push(selectAt(tokens, at, depth, own));
  }
  return selects;
}

function selectAt(tokens: readonly Token[], start: number, depth: number, own: ReadonlySet<string>): Select {
  const items: Token[][] = [[]];
  let inside = 0;
  let at = start + 1;
  for (; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const { kind, text } = token;
    if (isOpening(token)) inside++;
    if (isClosing(token) && inside-- === 0) break;
    if (inside === 0 && ((kind === "word" && CLAUSES.has(text)) || isMark(token, ";"))) break;
    if (inside === 0 && isMark(token, ",")) items.push([]);
    else items.at(-1)?.push(token);
  }
  const sources = tokens[at]?.text === "FROM" ? sourcesAt(tokens, at) : [];
  const named = items.map((item) => {
    const isFirst = item === items[0];
    const plain = isFirst && ["DISTINCT", "ALL"].includes(item[0]?.text ?? "") ? item.slice(1) : item;
    return splitName(plain);
  });
  return {
    depth,
    items: named.map(({ item }) => item),
    names: named.map(({ name }) => name),
    hasStar: named.some(({ item }) => item.at(-1)?.text === "*" || item[0]?.text === "*"),
    readsTables: sources.length > 0 && sources.every((source) => isTable(tokens, source, own)),
  };
}

/** Places of the sources of one FROM. */
function sourcesAt(tokens: readonly Token[], from: number): readonly number[] {
  const sources = [from + 1];
  let inside = 0;
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (isOpening(token)) inside++;
    if (isClosing(token) && inside-- === 0) break;
    if (inside > 0) continue;
    const word = token?.kind === "word" ? token.text : "";
    if (CLAUSES.has(word) && word !== "ON" && word !== "USING") break;
    if (isMark(token, ",") || word === "JOIN") sources.push(at + 1);
  }
  return sources;
}

/** Whether a source of rows is a table, a file, or something that is not known here. */
function isTable(tokens: readonly Token[], at: number, own: ReadonlySet<string>): boolean {
  const token = tokens[at];
  // A file: FROM 'sales.csv'.
  if (token === undefined || token.kind === "mark" || token.kind === "number") return false;
  if (token.kind === "text") return true;
  const name = token.text.toUpperCase();
  if (tokens[at + 1]?.text === "(") return !MADE.has(name);
  return !own.has(name) && !(token.kind === "word" && ["LATERAL", "SELECT", "VALUES"].includes(name));
}

/** Names of the queries of a WITH. */
function subqueryNames(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ kind, text }, at) => {
      if (kind !== "word" || text !== "AS" || tokens[at + 1]?.text !== "(") return [];
      const hasColumns = tokens[at - 1]?.text === ")";
      const before = hasColumns ? tokens.slice(0, at).findLastIndex((one) => one.text === "(") - 1 : at - 1;
      return tokens[before]?.text.toUpperCase() ?? [];
    }),
  );
}

/** `expression AS name`, `expression name`, `name: expression`, or the name of a column. */
function splitName(item: readonly Token[]): { readonly item: readonly Token[]; readonly name?: string } {
  const [first, second] = item;
  const last = item.at(-1);
  const before = item.at(-2);
  if (first !== undefined && second?.text === ":")
    return { item: item.slice(2), name: first.text.toUpperCase() };
  if (last === undefined || (last.kind !== "word" && last.kind !== "name")) return { item };
  const name = last.text.toUpperCase();
  if (before?.kind === "word" && before.text === "AS") return { item: item.slice(0, -2), name };
  const isNamed =
    before !== undefined &&
    (before.kind !== "mark" || before.text === ")" || before.text === "]") &&
    !(before.kind === "word" && KEYWORDS.has(before.text) && before.text !== "END") &&
    !(last.kind === "word" && KEYWORDS.has(last.text));
  if (isNamed) return { item: item.slice(0, -1), name };
  const isColumn = item.every(({ kind, text }) => kind === "word" || kind === "name" || text === ".");
  return isColumn ? { item, name } : { item };
}

/** Whether an expression has constants only. */
function isConstant(item: readonly Token[], names: ReadonlySet<string>): boolean {
  return (
    item.some(({ kind }) => kind !== "mark") &&
    item.every(({ kind, text }, at) => {
      const before = item[at - 1];
      const after = item[at + 1];
      if (kind === "mark") return !(text === "*" && (before === undefined || before.text === "("));
      if (kind !== "word" && kind !== "name") return true;
      if (kind === "word" && after?.text === "(") return !OF_ROWS.has(text);
      // The table before a column, or a type.
      if (after?.text === "." || before?.text === "::" || before?.text === "AS") return true;
      if (kind === "word" && LITERAL_PARTS.test(text) && [before, after].some(isLiteral)) return true;
      return (kind === "word" && KEYWORDS.has(text)) || names.has(text.toUpperCase());
    })
  );
}

const isLiteral = (token: Token | undefined): boolean => token?.kind === "text" || token?.kind === "number";

/** Names that stand for constants only. */
function constantNames(tokens: readonly Token[], selects: readonly Select[]): ReadonlySet<string> {
  let names: ReadonlySet<string> = new Set(namesOfValues(tokens));
  const given = selects.flatMap((select) =>
    select.items.map((item, at) => ({ item, name: select.names[at], select })),
  );
  // A subquery may name constants of another one.
  for (let round = 0; round < 5; round++) {
    const isNew = ({ item, name, select }: (typeof given)[number]): boolean =>
      !(item.at(-1)?.text.toUpperCase() === name && !select.readsTables);
    const next = new Set(names);
    for (const [name, all] of Map.groupBy(given.filter(isNew), (one) => one.name))
      if (name !== undefined && all.every(({ item }) => isConstant(item, names))) next.add(name);
    if (next.size === names.size) break;
    names = next;
  }
  return names;
}

/** Names of columns behind `VALUES` and `unnest`: `(VALUES (1, 2)) AS t(a, b)`, and before them: `t(a, b) AS (VALUES`. */
function namesOfValues(tokens: readonly Token[]): readonly string[] {
  let lists = 0;
  return tokens.flatMap((token, at) => {
    const isMade = token.kind === "word" && MADE.has(token.text) && tokens[at + 1]?.text === "(";
    if (!isMade || lists++ > MAX_LISTS) return [];
    let end = at + 1;
    if (token.text === "VALUES")
      while (tokens[end]?.text === "(" || tokens[end]?.text === ",")
        end = tokens[end]?.text === "," ? end + 1 : closeOf(tokens, end) + 1;
    else end = closeOf(tokens, end) + 1;
    if (tokens[end]?.text === ")") end++;
    if (tokens[end]?.text === "AS") end++;
    const behind = tokens[end + 1]?.text === "(" ? tokens.slice(end + 2, closeOf(tokens, end + 1)) : [];
    const isBody =
      tokens[at - 1]?.text === "(" && tokens[at - 2]?.text === "AS" && tokens[at - 3]?.text === ")";
    const open = isBody ? tokens.slice(0, at - 3).findLastIndex(({ text }) => text === "(") : -1;
    const ahead = open === -1 ? [] : tokens.slice(open + 1, at - 3);
    return [...behind, ...ahead].flatMap(({ kind, text }) =>
      kind === "word" || kind === "name" ? [text.toUpperCase()] : [],
    );
  });
}

/** The place of the bracket that closes the one here. */
function closeOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isMark(tokens[at], "(")) depth++;
    if (isMark(tokens[at], ")") && --depth === 0) return at;
  }
  return tokens.length;
}

function readsTable(tokens: readonly Token[], own: ReadonlySet<string>): boolean {
  const opens: number[] = [];
  return tokens.some((token, at) => {
    const { kind, text } = token;
    if (isMark(token, "(")) opens.push(at);
    if (isMark(token, ")")) opens.pop();
    if (kind !== "word") return false;
    if (OTHER_STATEMENTS.has(text)) return true;
    const isArgument = WITH_FROM.has(tokens[(opens.at(-1) ?? 0) - 1]?.text ?? "");
    return text === "FROM" && !isArgument && sourcesAt(tokens, at).some((one) => isTable(tokens, one, own));
  });
}
