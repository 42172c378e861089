import {
  referencedIds,
  rewriteReferences,
  type ArtifactRef,
  type ChartSpec,
  type Citation,
  type Json,
  type ResponseData,
  type ResultTable,
} from "@troupe/stream";

import { unverifiedStatements, type UnverifiedStatement } from "../answer/unverified-statements.ts";
import type { AnswerEvidence } from "../ports/answer-check.ts";
import type { SharedContext } from "../ports/delegation.ts";
import type { EvidenceState } from "../ports/suspended-runs.ts";
import type { ToolOutput } from "../ports/tool.ts";
import { firstLine } from "../text/clip.ts";
import { bounded, fittingTables } from "./bound-tables.ts";
import { givenByStep } from "./given.ts";
import {
  firstFreeNumber,
  inOrder,
  inSteps,
  passageKeys,
  tableKey,
  withId,
  withPassageOf,
} from "./source-keys.ts";
import { chartEvidence, chartTable, tableEvidence, WrittenArguments } from "./written-arguments.ts";

/** Characters of the one line that says what a tool did. */
export const MAX_SUMMARY = 300;
/** Characters of one text of a tool that counts as given, of one of the person, and of all of them. */
const MAX_GIVEN = 20_000;
export const MAX_REQUEST = 400_000;
const MAX_ALL_GIVEN = 800_000;
/** Tables that are kept, the newest. */
const MAX_TABLES = 50;

/** What an answer rests on, out of what was found. */
export interface Resolved {
  readonly citations: readonly Citation[];
  readonly charts: readonly ChartSpec[];
  /** Ids that were named and never returned by a tool. */
  readonly unknown: readonly string[];
  /** The same, of listed citations that the content does not cite. */
  readonly uncited: readonly string[];
}

/**
 * Everything the tools of one run returned, under numbers of the run: citations `1`, `2`, ... in
 * order of first appearance, the same passage under the same number; charts `chart-1`, `chart-2`; tables
 * under their own ids, which tools take, and once a text cites one, also under a number of the run.
 * What the steps before found goes by `step/id`, or by its plain id where that is clear. A passage
 * that is named by `step/id` gets a number of the run, and so does a chart.
 */
export class Evidence {
  readonly #shared: SharedContext;
  readonly #citations = new Map<string, Citation>();
  readonly #charts = new Map<string, ChartSpec>();
  /** Charts of earlier steps that were named so far: how, and the id that each has in the response. */
  readonly #namedCharts = new Map<string, string>();
  /** Key of a passage to number. */
  readonly #passages = new Map<string, string>();
  readonly #artifacts = new Map<string, ArtifactRef>();
  /** Files that came with the request. */
  readonly #came: ReadonlySet<string>;
  readonly #chartFiles = new Map<string, ArtifactRef>();
  readonly #revisions = new Map<string, ArtifactRef>();
  readonly #data = new Map<string, Json>();
  readonly #tables = new Map<string, ResultTable>();
  /** Tables that texts have cited so far, by number. */
  readonly #citedTables = new Map<string, ResultTable>();
  readonly #given: string[] = [];
  readonly #written = new WrittenArguments();
  /** Reads the arguments and results of calls, in order; deferred until an answer is checked. */
  readonly #unread: (() => void)[] = [];
  #givenChars = 0;

  #stepCitations: ReadonlyMap<string, Citation | undefined> | undefined;
  #stepCharts: ReadonlyMap<string, ChartSpec | undefined> | undefined;
  #stepTables: ReadonlyMap<string, ResultTable | undefined> | undefined;
  /** Tables that steps cited, by `step/number`, and by number if no other source of the steps has it. */
  #stepNumbers: ReadonlyMap<string, ResultTable | undefined> | undefined;
  #nextCitation: number;

  /**
   * With what a run had found before it was suspended, its numbers go on where they stopped. `given` are
   * files that came with the request.
   */
  constructor(shared: SharedContext, found?: EvidenceState, given: readonly ArtifactRef[] = []) {
    this.#shared = shared;
    this.#nextCitation = firstFreeNumber(shared);
    this.#came = new Set(given.map(({ id }) => id));
    for (const file of given) this.#artifacts.set(file.id, file);
    if (found === undefined) return;
    for (const citation of found.citations) {
      this.#citations.set(citation.id, citation);
      for (const key of passageKeys(citation))
        if (!this.#passages.has(key)) this.#passages.set(key, citation.id);
      this.#nextCitation = Math.max(this.#nextCitation, Number(citation.id) + 1);
    }
    for (const chart of found.charts) this.#charts.set(chart.id, chart);
    for (const artifact of found.artifacts) this.#artifacts.set(artifact.id, artifact);
    for (const [id, file] of Object.entries(found.chartFiles ?? {})) this.#chartFiles.set(id, file);
    for (const [of, file] of Object.entries(found.revisions ?? {})) this.#revisions.set(of, file);
    for (const [tool, data] of Object.entries(found.data)) this.#data.set(tool, data);
    for (const table of found.tables ?? []) this.#tables.set(table.id, table);
    for (const table of found.citedTables ?? []) {
      this.#citedTables.set(table.number ?? "", table);
      // The number may be any text if a foreign agent gave it.
      this.#nextCitation = Math.max(this.#nextCitation, (Number(table.number) || 0) + 1);
    }
    for (const text of found.given ?? []) this.give(text, MAX_REQUEST);
  }

  /** Everything found, as plain JSON. */
  save(): EvidenceState {
    return {
      citations: this.citations,
      charts: [...this.#charts.values()],
      artifacts: [...this.#artifacts.values()],
      ...(this.#chartFiles.size === 0 ? {} : { chartFiles: Object.fromEntries(this.#chartFiles) }),
      ...(this.#revisions.size === 0 ? {} : { revisions: Object.fromEntries(this.#revisions) }),
      ...(this.#tables.size === 0 ? {} : { tables: [...this.#tables.values()] }),
      ...(this.#citedTables.size === 0 ? {} : { citedTables: [...this.#citedTables.values()] }),
      given: this.#allGiven(),
      data: Object.fromEntries(this.#data),
    };
  }

  /** A text whose figures and names an answer may state without a citation. Beyond a bound it is left out. */
  give(text: string, most = MAX_GIVEN): void {
    const kept = text.slice(0, Math.min(most, MAX_ALL_GIVEN - this.#givenChars));
    if (kept.trim() === "") return;
    this.#givenChars += kept.length;
    this.#given.push(kept);
  }

  #allGiven(): readonly string[] {
    for (const read of this.#unread.splice(0)) read();
    return this.#given;
  }

  /** Everything an answer is checked against. `today` is the date of the check. */
  forCheck(today: string): AnswerEvidence {
    const given = this.#allGiven();
    const own = (id: string): boolean =>
      this.#citations.has(id) || this.#tables.has(id) || this.#charts.has(id);
    const earlier = <T extends { readonly id: string }>(found: ReadonlyMap<string, T | undefined>): T[] =>
      [...found].flatMap(([id, entry]) => {
        if (entry === undefined || own(id)) return [];
        // Known by its plain id, too: once is enough.
        if (id !== entry.id && !own(entry.id) && found.get(entry.id) === entry) return [];
        return [{ ...entry, id }];
      });
    return {
      citations: [...this.#citations.values(), ...earlier(this.#citationsOfSteps)],
      tables: [
        ...[...this.tables, ...[...this.#charts.values()].map(chartTable)].map((table) =>
          this.#written.withoutInHeads(tableEvidence(table)),
        ),
        ...earlier(this.#tablesOfSteps).map((table) => tableEvidence(this.#withNumber(table))),
        ...earlier(this.#chartsOfSteps).map(chartEvidence),
      ],
      given: [...given, ...Object.values(this.#shared.results).flatMap(givenByStep), today],
    };
  }

  /** Whether anything was found under this id. */
  isKnown(id: string): boolean {
    return this.#citation(id) !== undefined || this.#chart(id) !== undefined || this.#table(id) !== undefined;
  }

  /** A text with its sources under the numbers that readers see. */
  numbered(text: string): string {
    return this.hasRenamedSources ? rewriteReferences(text, (id) => this.sourceId(id)) : text;
  }

  /** Files of this run, those that came with its request among them, and of the steps before it. */
  get files(): readonly ArtifactRef[] {
    const before = Object.values(this.#shared.results).flatMap((result) => result.artifacts);
    return [...before, ...this.#artifacts.values(), ...this.#chartFiles.values(), ...this.revisions];
  }

  /** The last revision of each file that tools rewrote. */
  get revisions(): readonly ArtifactRef[] {
    return [...this.#revisions.values()];
  }

  /** Unsupported statements in the files of this run, from the last call of each tool. */
  get unverified(): readonly UnverifiedStatement[] {
    return unverifiedStatements(Object.fromEntries(this.#data)).filter(({ compared }) => compared);
  }

  /** The pictures that tools of this run made of these charts. */
  filesOf(charts: readonly ChartSpec[]): readonly ArtifactRef[] {
    return charts.flatMap(({ id }) => this.#chartFiles.get(id) ?? []);
  }

  /** Every passage found so far, in order of first appearance. */
  get citations(): readonly Citation[] {
    return [...this.#citations.values()];
  }

  /** Every chart and table that tools of this run found. */
  get charts(): readonly ChartSpec[] {
    return [...this.#charts.values()];
  }

  /** Whether tools of this run made a chart or a file. */
  get hasMade(): boolean {
    const made = [...this.#artifacts.keys()].filter((id) => !this.#came.has(id));
    return made.length + this.#charts.size + this.#revisions.size > 0;
  }

  get tables(): readonly ResultTable[] {
    return [...this.#tables.values()].map((table) => this.#withNumber(table));
  }

  /**
   * The id of a source in what the run emits. One named as `step/id` keeps the number that its step gave it where no
   * other step has that number, else it gets one of the run, as charts and tables do. Undefined for none of them.
   */
  sourceId(id: string): string | undefined {
    const found = this.#citation(id);
    if (found === undefined) return this.#chartId(id) ?? this.#tableNumber(id) ?? this.#reserve(id);
    if (this.#citations.has(id) || !id.includes("/")) return found.id;
    const plain = this.#citation(id.slice(id.lastIndexOf("/") + 1));
    const isSame = plain !== undefined && passageKeys(found).some((key) => passageKeys(plain).includes(key));
    return isSame ? plain.id : this.#cite(found);
  }

  /** Whether a text may name a source by an id that readers do not see: `step/id`, or the id of a table. */
  get hasRenamedSources(): boolean {
    const ofSteps = this.#citationsOfSteps.size + this.#chartsOfSteps.size + this.#tablesOfSteps.size;
    return ofSteps + this.#tables.size > 0;
  }

  /** Records the arguments of a call, before its findings are added: a tool that repeats them is no evidence. */
  wrote(args: Json): void {
    this.#unread.push(() => this.#written.add(args));
  }

  /** Takes a tool's findings in; returns its text with `[its id]` rewritten to `[the run's id]`. */
  add(tool: string, output: ToolOutput): string {
    // These keys of a response hold ChartSpecs and ResultTables; a tool of that name brings something else.
    const key = tool === "charts" || tool === "tables" ? `${tool}_data` : tool;
    if (output.data !== undefined) this.#data.set(key, output.data);
    const runIds = new Map<string, string>();
    for (const artifact of output.artifacts ?? []) this.#artifacts.set(artifact.id, artifact);
    for (const { of, artifact } of output.revisions ?? []) this.#revisions.set(of, artifact);
    for (const citation of output.citations ?? []) runIds.set(citation.id, this.#cite(citation));
    for (const chart of output.charts ?? []) {
      const id = this.#freeChartId();
      this.#charts.set(id, { ...chart, id });
      runIds.set(chart.id, id);
      const file = output.chartFiles?.find(({ chartId }) => chartId === chart.id);
      if (file !== undefined) this.#chartFiles.set(id, file.artifact);
    }
    for (const table of output.tables ?? []) {
      const { number, ...unnumbered } = table;
      const id = this.#freeTableId(unnumbered);
      this.#tables.set(id, bounded({ ...unnumbered, id }));
      runIds.set(table.id, id);
      // The answer of a workflow that ran as a tool cites the table by its number.
      if (number !== undefined) runIds.set(number, id);
    }
    for (const id of this.#tables.keys()) if (this.#tables.size > MAX_TABLES) this.#tables.delete(id);
    const given = runIds.size === 0 ? output.text : firstLine(output.summary ?? "", MAX_SUMMARY);
    // An error quotes its input.
    if (output.isError !== true)
      this.#unread.push(() => this.give(output.given ?? this.#written.without(given.slice(0, MAX_GIVEN))));
    return runIds.size === 0 ? output.text : rewriteReferences(output.text, (id) => runIds.get(id));
  }

  /**
   * What the content cites in brackets together with what was listed. Without a list, charts that
   * were made all belong to the answer, for nobody could leave one out.
   */
  resolve(
    content: string,
    listed?: { readonly citations: readonly string[]; readonly charts: readonly string[] },
  ): Resolved {
    const citations = new Map<string, Citation>();
    const charts = new Map<string, ChartSpec>();
    const unknown: string[] = [];
    const uncited: string[] = [];
    const named = new Set(referencedIds(content));
    const showChart = (id: string): boolean => {
      const name = this.#chartId(id);
      const chart = name === undefined ? undefined : this.#chart(name);
      if (chart !== undefined) charts.set(chart.id, chart);
      return chart !== undefined;
    };
    const cite = (id: string): boolean => {
      const source = this.sourceId(id);
      if (source === undefined) return false;
      const citation = this.#citation(source);
      if (citation !== undefined) citations.set(source, citation);
      else if (!this.#citedTables.has(source)) showChart(id);
      return true;
    };
    // A table that is listed but not cited gets no number.
    const isTable = (id: string): boolean =>
      this.#citation(id) === undefined && this.#table(id) !== undefined;
    for (const id of listed?.citations ?? [])
      if (!isTable(id) && !cite(id)) (named.has(id) ? unknown : uncited).push(id);
    for (const id of listed?.charts ?? this.#charts.keys()) if (!showChart(id)) unknown.push(id);
    for (const id of named) cite(id);
    return { citations: inOrder(citations), charts: inOrder(charts), unknown, uncited };
  }

  /**
   * Structured findings for the response: by tool, the last call of each; the charts; and the tables that the
   * content names or a tool of this run returned, as many as fit into 200 kB, the named ones first.
   */
  data(charts: readonly ChartSpec[], content = ""): ResponseData | null {
    const tables = this.#tablesFor(content);
    if (this.#data.size === 0 && charts.length === 0 && tables.length === 0) return null;
    return {
      ...Object.fromEntries(this.#data),
      ...(charts.length === 0 ? {} : { charts }),
      ...(tables.length === 0 ? {} : { tables }),
    };
  }

  #tablesFor(content: string): readonly ResultTable[] {
    const named = this.hasRenamedSources ? referencedIds(content) : [];
    const found = new Map<string, ResultTable>();
    for (const id of named) {
      const table = this.#citation(id) === undefined ? this.#table(id) : undefined;
      if (table !== undefined) found.set(tableKey(table), this.#withNumber(table));
    }
    for (const table of this.#tables.values())
      if (!found.has(tableKey(table))) found.set(tableKey(table), table);
    return fittingTables([...found.values()]);
  }

  /** A number of nothing stays that: no table may get it later. */
  #reserve(id: string): undefined {
    if (/^\d{1,4}$/.test(id)) this.#nextCitation = Math.max(this.#nextCitation, Number(id) + 1);
  }

  /** The number of a table in what the run emits; assigned at the first citation. */
  #tableNumber(id: string): string | undefined {
    const table = this.#table(id);
    if (table === undefined) return undefined;
    const known = this.#withNumber(table).number;
    if (known !== undefined) return known;
    // A table of a step keeps the number of its step if no other source has it.
    const isClear = table.number !== undefined && this.#numberedInSteps.get(table.number) === table;
    const number = isClear ? table.number : String(this.#nextCitation++);
    this.#citedTables.set(number, { ...table, number });
    return number;
  }

  /** The table with its number in this run; without a number if it has not been cited. */
  #withNumber(table: ResultTable): ResultTable {
    const key = tableKey(table);
    const { number: _ofStep, ...unnumbered } = table;
    return [...this.#citedTables.values()].find((one) => tableKey(one) === key) ?? unnumbered;
  }

  /** Its own id, unless other rows have it. */
  #freeTableId(table: ResultTable): string {
    const isSame = (id: string): boolean =>
      JSON.stringify(this.#tables.get(id)) === JSON.stringify(bounded({ ...table, id }));
    let id = table.id;
    for (let n = 2; this.#tables.has(id) && !isSame(id); n++) id = `${table.id}-${n}`;
    return id;
  }

  #cite(citation: Citation): string {
    const keys = passageKeys(citation);
    const found = keys.flatMap((key) => this.#passages.get(key) ?? [])[0];
    const id = found ?? String(this.#nextCitation++);
    const known = this.#citations.get(id);
    this.#citations.set(id, known === undefined ? { ...citation, id } : withPassageOf(known, citation));
    for (const key of keys) if (!this.#passages.has(key)) this.#passages.set(key, id);
    return id;
  }

  #freeChartId(taken: ReadonlyMap<string, unknown> = new Map()): string {
    const named = new Set(this.#namedCharts.values());
    for (let n = 1; ; n++) {
      const id = `chart-${n}`;
      if (!this.#charts.has(id) && !named.has(id) && !taken.has(id)) return id;
    }
  }

  /** The id of a chart in the response: its own, or where that means another chart too, a free one. */
  #chartId(id: string): string | undefined {
    const known = this.#charts.has(id) ? id : this.#namedCharts.get(id);
    const chart = this.#chartsOfSteps.get(id);
    if (known !== undefined || chart === undefined) return known;
    const isClear = !this.#charts.has(chart.id) && this.#chartsOfSteps.get(chart.id) === chart;
    const name = isClear ? chart.id : this.#freeChartId(this.#chartsOfSteps);
    if (!isClear) this.#charts.set(name, { ...chart, id: name });
    this.#namedCharts.set(id, name);
    return name;
  }

  get #citationsOfSteps(): ReadonlyMap<string, Citation | undefined> {
    if (this.#stepCitations !== undefined) return this.#stepCitations;
    const citations = inSteps(this.#shared, (result) => result.citations);
    const unclear = [...citations.keys()].filter((id) => this.#numberedInSteps.has(id));
    return (this.#stepCitations = new Map([...citations, ...unclear.map((id) => [id, undefined] as const)]));
  }

  get #numberedInSteps(): ReadonlyMap<string, ResultTable | undefined> {
    if (this.#stepNumbers !== undefined) return this.#stepNumbers;
    const cited = new Set(
      Object.values(this.#shared.results).flatMap(({ citations }) => citations.map(({ id }) => id)),
    );
    const numbered = inSteps(
      this.#shared,
      (result) => result.data?.tables ?? [],
      ({ number }) => number,
    );
    return (this.#stepNumbers = new Map(
      [...numbered].map(([id, table]) => [id, cited.has(id) ? undefined : table]),
    ));
  }

  get #chartsOfSteps(): ReadonlyMap<string, ChartSpec | undefined> {
    return (this.#stepCharts ??= inSteps(this.#shared, (result) => result.data?.charts ?? []));
  }

  get #tablesOfSteps(): ReadonlyMap<string, ResultTable | undefined> {
    return (this.#stepTables ??= inSteps(this.#shared, (result) => result.data?.tables ?? []));
  }

  #citation(id: string): Citation | undefined {
    return this.#citations.get(id) ?? withId(this.#citationsOfSteps.get(id), id);
  }

  #chart(id: string): ChartSpec | undefined {
    return this.#charts.get(id) ?? withId(this.#chartsOfSteps.get(id), id);
  }

  #table(id: string): ResultTable | undefined {
    return (
      this.#tables.get(id) ??
      this.#citedTables.get(id) ??
      this.#tablesOfSteps.get(id) ??
      this.#numberedInSteps.get(id)
    );
  }
}
