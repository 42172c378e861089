import {
  referencedIds,
  referenceStream,
  rewriteReferences,
  type ArtifactRef,
  type ChartSpec,
  type Citation,
  type Json,
  type ReferenceStream,
  type ResponseData,
} from "@troupe/stream";

import type { SharedContext, StepResult } from "../ports/delegation.ts";
import type { EvidenceState } from "../ports/suspended-runs.ts";
import type { ToolOutput } from "../ports/tool.ts";
import type { Emit } from "./text-item.ts";

/** What an answer rests on, out of what was found. */
export interface Resolved {
  readonly citations: readonly Citation[];
  readonly charts: readonly ChartSpec[];
  /** Ids that were named and never returned by a tool. */
  readonly unknown: readonly string[];
}

/**
 * Everything the tools of one run returned, under numbers of the run: citations `1`, `2`, ... in
 * order of first appearance, the same passage under the same number; charts `chart-1`, `chart-2`.
 * What the steps before found goes by `step/id`, or by its plain id where that is clear. A passage
 * that is named by `step/id` gets a number of the run.
 */
export class Evidence {
  readonly #shared: SharedContext;
  readonly #citations = new Map<string, Citation>();
  readonly #charts = new Map<string, ChartSpec>();
  /** Passage to number. */
  readonly #passages = new Map<string, string>();
  readonly #artifacts = new Map<string, ArtifactRef>();
  readonly #chartFiles = new Map<string, ArtifactRef>();
  readonly #data = new Map<string, Json>();

  #stepCitations: ReadonlyMap<string, Citation | undefined> | undefined;
  #stepCharts: ReadonlyMap<string, ChartSpec | undefined> | undefined;
  #nextCitation: number;

  /**
   * With what a run had found before it was suspended, its numbers go on where they stopped. `given` are
   * files that came with the request.
   */
  constructor(shared: SharedContext, found?: EvidenceState, given: readonly ArtifactRef[] = []) {
    this.#shared = shared;
    this.#nextCitation = firstFreeNumber(shared);
    for (const file of given) this.#artifacts.set(file.id, file);
    if (found === undefined) return;
    for (const citation of found.citations) {
      this.#citations.set(citation.id, citation);
      this.#passages.set(passageOf(citation), citation.id);
      this.#nextCitation = Math.max(this.#nextCitation, Number(citation.id) + 1);
    }
    for (const chart of found.charts) this.#charts.set(chart.id, chart);
    for (const artifact of found.artifacts) this.#artifacts.set(artifact.id, artifact);
    for (const [id, file] of Object.entries(found.chartFiles ?? {})) this.#chartFiles.set(id, file);
    for (const [tool, data] of Object.entries(found.data)) this.#data.set(tool, data);
  }

  /** Everything found, as plain JSON. */
  save(): EvidenceState {
    return {
      citations: this.citations,
      charts: [...this.#charts.values()],
      artifacts: [...this.#artifacts.values()],
      ...(this.#chartFiles.size === 0 ? {} : { chartFiles: Object.fromEntries(this.#chartFiles) }),
      data: Object.fromEntries(this.#data),
    };
  }

  /** Files of this run, those that came with its request among them, and of the steps before it. */
  get files(): readonly ArtifactRef[] {
    const before = Object.values(this.#shared.results).flatMap((result) => result.artifacts);
    return [...before, ...this.#artifacts.values(), ...this.#chartFiles.values()];
  }

  /** The pictures that tools of this run made of these charts. */
  filesOf(charts: readonly ChartSpec[]): readonly ArtifactRef[] {
    return charts.flatMap(({ id }) => this.#chartFiles.get(id) ?? []);
  }

  /** Every passage found so far, in order of first appearance. */
  get citations(): readonly Citation[] {
    return [...this.#citations.values()];
  }

  /**
   * The id of a source in what the run emits. One that the model names as `step/id` keeps the number that its
   * step gave it where no other step has that number, else it gets one of the run. Undefined for what is no source.
   */
  sourceId(id: string): string | undefined {
    const found = this.#citation(id);
    if (found === undefined || this.#citations.has(id) || !id.includes("/")) return found?.id;
    const plain = this.#citation(id.slice(id.lastIndexOf("/") + 1));
    return plain !== undefined && passageOf(plain) === passageOf(found) ? plain.id : this.#cite(found);
  }

  /** There is a source that a text may name as `step/id`. */
  get hasStepSources(): boolean {
    this.#stepCitations ??= inSteps(this.#shared, (result) => result.citations);
    return this.#stepCitations.size > 0;
  }

  /** Takes a tool's findings in; returns its text with `[its id]` rewritten to `[the run's id]`. */
  add(tool: string, output: ToolOutput): string {
    // `charts` of a response is a list of ChartSpecs; a tool of that name brings something else.
    const key = tool === "charts" ? "charts_data" : tool;
    if (output.data !== undefined) this.#data.set(key, output.data);
    const renamed = new Map<string, string>();
    for (const artifact of output.artifacts ?? []) this.#artifacts.set(artifact.id, artifact);
    for (const citation of output.citations ?? []) renamed.set(citation.id, this.#cite(citation));
    for (const chart of output.charts ?? []) {
      const id = `chart-${this.#charts.size + 1}`;
      this.#charts.set(id, { ...chart, id });
      renamed.set(chart.id, id);
      const file = output.chartFiles?.find(({ chartId }) => chartId === chart.id);
      if (file !== undefined) this.#chartFiles.set(id, file.artifact);
    }
    return renamed.size === 0 ? output.text : rewriteReferences(output.text, (id) => renamed.get(id));
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
    const cite = (id: string): boolean => {
      const number = this.sourceId(id);
      const found = number === undefined ? undefined : this.#citation(number);
      if (found !== undefined) citations.set(found.id, found);
      return found !== undefined;
    };
    for (const id of listed?.citations ?? []) if (!cite(id)) unknown.push(id);
    for (const id of listed?.charts ?? this.#charts.keys()) {
      const found = this.#chart(id);
      if (found === undefined) unknown.push(id);
      else charts.set(id, found);
    }
    for (const id of referencedIds(content)) {
      cite(id);
      const chart = charts.get(id) ?? this.#chart(id);
      if (chart !== undefined) charts.set(id, chart);
    }
    return { citations: inOrder(citations), charts: inOrder(charts), unknown };
  }

  /** Structured findings for the response: by tool, the last call of each, and the charts. */
  data(charts: readonly ChartSpec[]): ResponseData | null {
    if (this.#data.size === 0 && charts.length === 0) return null;
    const data = Object.fromEntries(this.#data);
    return charts.length === 0 ? data : { ...data, charts };
  }

  #cite(citation: Citation): string {
    const passage = passageOf(citation);
    const known = this.#passages.get(passage);
    if (known !== undefined) return known;
    const id = String(this.#nextCitation++);
    this.#passages.set(passage, id);
    this.#citations.set(id, { ...citation, id });
    return id;
  }

  #citation(id: string): Citation | undefined {
    this.#stepCitations ??= inSteps(this.#shared, (result) => result.citations);
    return this.#citations.get(id) ?? renamed(this.#stepCitations.get(id), id);
  }

  #chart(id: string): ChartSpec | undefined {
    this.#stepCharts ??= inSteps(this.#shared, (result) => result.data?.charts ?? []);
    return this.#charts.get(id) ?? renamed(this.#stepCharts.get(id), id);
  }
}

/**
 * What the steps before found, by `step/id`, and by the plain id where only one of them has it. An
 * answer may be full of brackets, so each has to be looked up at once.
 */
function inSteps<T extends { readonly id: string }>(
  shared: SharedContext,
  list: (result: StepResult) => readonly T[],
): ReadonlyMap<string, T | undefined> {
  const found = new Map<string, T | undefined>();
  for (const [stepId, result] of Object.entries(shared.results)) {
    for (const entry of list(result)) {
      for (const id of [entry.id, `${stepId}/${entry.id}`]) found.set(id, found.has(id) ? undefined : entry);
    }
  }
  return found;
}

function renamed<T extends { readonly id: string }>(entry: T | undefined, id: string): T | undefined {
  return entry === undefined ? undefined : { ...entry, id };
}

function passageOf({ collection, source, chunkId, start, end }: Citation): string {
  return JSON.stringify([collection, source, chunkId, start, end]);
}

/** Numbers that citations of the steps before have are not given again: `[1]` has one meaning. */
function firstFreeNumber(shared: SharedContext): number {
  let last = 0;
  for (const result of Object.values(shared.results)) {
    for (const { id } of result.citations) if (/^\d{1,6}$/.test(id)) last = Math.max(last, Number(id));
  }
  return last + 1;
}

/** By number where there is one, then as they came. */
function inOrder<T>(entries: ReadonlyMap<string, T>): readonly T[] {
  const number = (id: string): number => Number(/\d+$/.exec(id)?.[0] ?? Number.MAX_SAFE_INTEGER);
  return [...entries].sort(([a], [b]) => number(a) - number(b)).map(([, value]) => value);
}

interface ShownItem {
  readonly stream: ReferenceStream;
  readonly parts: string[];
}

/**
 * Sources keep their numbers in everything that a run emits, so streamed text and response are the same. Only
 * those that the model names as `step/id` are rewritten, to the number that the passage has in this run.
 */
export function numberSources(evidence: Evidence, emit: Emit): Emit {
  const items = new Map<string, ShownItem>();
  const show = (itemId: string, item: ShownItem, delta: string): void => {
    if (delta === "") return;
    item.parts.push(delta);
    emit({ type: "text-delta", itemId, delta });
  };
  return (body) => {
    switch (body.type) {
      case "text-start":
        items.set(body.itemId, { stream: referenceStream((id) => evidence.sourceId(id)), parts: [] });
        emit(body);
        return;
      case "text-delta": {
        const item = items.get(body.itemId);
        if (item === undefined) throw new TypeError(`text of item "${body.itemId}", which was not started`);
        // Without results of earlier steps nothing is rewritten, so nothing has to be held back.
        show(body.itemId, item, evidence.hasStepSources ? item.stream.push(body.delta) : body.delta);
        return;
      }
      case "text-role":
      case "text-end": {
        const item = items.get(body.itemId);
        if (item !== undefined) show(body.itemId, item, item.stream.end());
        emit(body);
        return;
      }
      case "finish": {
        const content = body.answerItems.flatMap((id) => items.get(id)?.parts ?? []).join("");
        emit({ ...body, response: { ...body.response, content } });
        return;
      }
      default:
        emit(body);
    }
  };
}
