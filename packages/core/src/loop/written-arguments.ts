import type { ChartSpec, Json, ResultTable } from "@troupe/stream";

/** Limits of the recorded strings and of their characters; beyond them no text counts as given. */
const MAX_PIECES = 2_000;
const MAX_WRITTEN = 1_000_000;
/** A word of at most so many letters behind a figure is its unit, such as `MWh` and `EUR`. */
const MAX_UNIT = 3;
/** Characters of a query before a year that are read. */
const MAX_FILTER = 500;

const FIGURE_OR_WORD = /\d[\d.,'’]*|\p{L}[\p{L}\p{N}]*/gu;
const UNIT_WORD =
  /^(?:per ?cent|prozent|pour ?cent|euros?|dollars?|pounds?|francs?|thousand|tausend|milli?on(?:s|en)?|billions?|milliard(?:s|en?)?)$/i;

/** What the run wrote into the arguments of its calls: a tool that repeats it is no evidence. */
export class WrittenArguments {
  readonly #strings = new Set<string>();
  readonly #pieces = new Set<string>();
  readonly #figures = new Set<string>();
  readonly #words = new Set<string>();
  #characters = 0;

  add(args: Json | undefined): void {
    for (const one of stringsIn(args)) {
      if (this.#isFull || this.#strings.has(one)) continue;
      this.#characters += one.length;
      this.#strings.add(one);
      for (const piece of [one, ...one.split("\n")]) if (isTelling(piece)) this.#pieces.add(piece.trim());
      for (const token of one.match(FIGURE_OR_WORD) ?? []) {
        if (/^\d/.test(token)) for (const value of readings(token)) this.#figures.add(value);
        else if (/^\p{Lu}/u.test(token)) this.#words.add(token.toLowerCase());
      }
    }
  }

  get #isFull(): boolean {
    return this.#pieces.size > MAX_PIECES || this.#characters > MAX_WRITTEN;
  }

  /**
   * Blanks the written parts of a text: quoted arguments and their lines, their figures, and their capitalised words,
   * but not the unit of a figure that the tool found.
   */
  without(text: string): string {
    if (this.#isFull) return "";
    const found = [...this.#pieces].filter((piece) => text.includes(piece));
    const unquoted = found
      .sort((a, b) => b.length - a.length)
      .reduce((left, piece) => left.replaceAll(piece, " "), text);
    let unitAt = -1;
    return unquoted.replace(FIGURE_OR_WORD, (token: string, at: number) => {
      if (/^\d/.test(token)) {
        if (this.#hasFigure(token)) return " ".repeat(token.length);
        unitAt = at + token.length;
        return token;
      }
      const isUnit = token.length <= MAX_UNIT && (at === unitAt || at === unitAt + 1);
      return this.#words.has(token.toLowerCase()) && !isUnit ? " ".repeat(token.length) : token;
    });
  }

  /**
   * Blanks written figures, capitalised words and phrases in the title and column names of a table. Values of the rows
   * stay, and so do units, and years that the query compares with or that are in names of columns it reads.
   */
  withoutInHeads(table: ResultTable): ResultTable {
    const held = heldBy(table);
    const columns = table.columns.map((name, at) => {
      const left = this.#withoutInHead(name, held);
      // Columns keep distinct names, by which they are matched between tables.
      return left.trim() === "" && name.trim() !== "" ? `column-${"x".repeat(at + 1)}` : left;
    });
    return this.withoutInTitle({ ...table, columns });
  }

  /** The same for the title alone, which may repeat the names of columns. */
  withoutInTitle(table: ResultTable): ResultTable {
    const { title, columns } = table;
    if (title === undefined) return table;
    const held = heldBy(table);
    const named = readHeld(columns);
    const both: Held = {
      figures: new Set([...held.figures, ...named.figures]),
      words: new Set([...held.words, ...named.words]),
    };
    return { ...table, title: this.#withoutInHead(title, both) };
  }

  #withoutInHead(head: string, held: Held): string {
    const words = head.match(FIGURE_OR_WORD) ?? [];
    const isPhrase = words.length > 2 && (this.#isFull || this.#wrote(head));
    return head.replace(FIGURE_OR_WORD, (token: string) => {
      const blank = " ".repeat(token.length);
      if (/^\d/.test(token)) {
        const isHeld = readings(token).some((value) => held.figures.has(value));
        return isHeld || !(this.#isFull || this.#hasFigure(token)) ? token : blank;
      }
      const folded = token.toLowerCase();
      if (held.words.has(folded) || token.length <= MAX_UNIT || UNIT_WORD.test(token)) return token;
      const isName = /^\p{Lu}/u.test(token) && (this.#isFull || this.#words.has(folded));
      return isPhrase || isName ? blank : token;
    });
  }

  #wrote(head: string): boolean {
    const wanted = head.trim();
    return [...this.#strings].some((one) => one.includes(wanted));
  }

  #hasFigure(token: string): boolean {
    return readings(token).some((value) => this.#figures.has(value));
  }
}

/** The text without what these arguments contain. */
export function withoutArguments(text: string, args: Json | undefined): string {
  const written = new WrittenArguments();
  written.add(args);
  return written.without(text);
}

/** A table of an earlier step, as evidence: names of its columns may come from the query that a model wrote. */
export function tableEvidence(table: ResultTable): ResultTable {
  const written = new WrittenArguments();
  written.add(table.query);
  return written.withoutInHeads(table);
}

/** A chart, as evidence: a model may have written its title, too. */
export function chartEvidence(chart: ChartSpec): ResultTable {
  const written = new WrittenArguments();
  written.add(chart.title);
  return written.withoutInTitle(tableEvidence(chartTable(chart)));
}

/** A chart's rows as a table; units belong to the names of its columns. */
export function chartTable({ id, title, x, series, rows, provenance }: ChartSpec): ResultTable {
  const fields = x === undefined ? series : [x, ...series];
  return {
    id,
    title,
    columns: fields.map(({ label, unit }) =>
      unit === undefined || unit === "" ? label : `${label} (${unit})`,
    ),
    rows: rows.map((row) => fields.map(({ field }) => row[field] ?? null)),
    query: provenance.query,
    source: provenance.source,
  };
}

interface Held {
  readonly figures: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** An answer is checked several times against the same rows. */
const heldByRows = new WeakMap<ResultTable["rows"], Held>();

/** Figures and words of the rows, and years of the query. */
function heldBy({ rows, query = "" }: ResultTable): Held {
  const held = heldByRows.get(rows) ?? readHeld(rows.flat());
  heldByRows.set(rows, held);
  return { ...held, figures: new Set([...held.figures, ...yearsIn(query)]) };
}

function readHeld(cells: readonly ResultTable["rows"][number][number][]): Held {
  const figures = new Set<string>();
  const words = new Set<string>();
  for (const cell of cells)
    for (const token of String(cell ?? "").match(FIGURE_OR_WORD) ?? []) {
      if (/^\d/.test(token)) for (const value of readings(token)) figures.add(value);
      else words.add(token.toLowerCase());
    }
  return { figures, words };
}

const COMPARED =
  /(?:[<>=]|\bBETWEEN|\bAND|\bIN\s{0,4}\([^()]*)\s{0,4}(?:DATE|TIMESTAMP)?\s{0,4}'?(?:DATE\s{0,4}')?$/i;

const YEAR = /(?<![\d.])(?:19|20)\d\d(?![\d.])/g;
/** A column that a query reads: `SELECT "2024", sales_2025`, `SUM(t.sales_2024)`; not a name that it gives. */
const READ_COLUMN = /(?:\bSELECT|[,.(])\s{0,4}("[^"]*"|[\p{L}_][\p{L}\p{N}_]*)/giu;

/** Years that the query compares with, and those in names of columns that it reads. */
function yearsIn(query: string): readonly string[] {
  const sql = query.replace(/--[^\n]*|\/\*[^]*?\*\//g, " ");
  const plain = sql.replace(/"(?:[^"]|"")*"/g, " ");
  const compared = [...plain.matchAll(YEAR)].flatMap(({ 0: year, index }) =>
    COMPARED.test(plain.slice(Math.max(0, index - MAX_FILTER), index)) ? [year] : [],
  );
  const read = [...sql.replace(/'(?:[^']|'')*'/g, " ").matchAll(READ_COLUMN)];
  return [...compared, ...read.flatMap(([, name = ""]) => name.match(YEAR) ?? [])];
}

/** Three words and more, or one that is no plain word, such as a path. */
function isTelling(piece: string): boolean {
  return /\S\s+\S+\s+\S/.test(piece) || (piece.trim().length > 4 && /[_./-]/.test(piece));
}

/** All strings and numbers in a value, names of its fields too. */
function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap(stringsIn)
    : Object.entries(value).flatMap(([key, one]) => [key, ...stringsIn(one)]);
}

/** What a figure may mean: `1,450` with a separator of thousands or of decimals. */
export function readings(figure: string): readonly string[] {
  const digits = figure.replace(/[.,'’]+$/, "");
  return [digits.replace(/[.,'’](?=\d{3}(?!\d))/g, ""), digits].map((one) => {
    const value = Number(one.replace(",", "."));
    return Number.isNaN(value) ? one : String(value);
  });
}
