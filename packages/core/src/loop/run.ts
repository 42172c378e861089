import {
  addUsage,
  MarkerGate,
  NO_USAGE,
  WordHold,
  type AccessRequest,
  type ArtifactRef,
  type Clock,
  type Usage,
} from "@troupe/stream";

import type { AgentConfig, ResponseMode } from "../config/agent-config.ts";
import { withCost } from "../config/prices.ts";
import { allResults } from "../delegation/all-results.ts";
import type { Hooks } from "../middleware/hooks.ts";
import type { RunView } from "../middleware/middleware.ts";
import type { AgentRequest } from "../ports/agent.ts";
import { SentenceReviews } from "../answer/sentence-reviews.ts";
import type { AnswerCheck, DerivedFigure } from "../ports/answer-check.ts";
import type { SharedContext } from "../ports/delegation.ts";
import type { Log } from "../ports/log.ts";
import type { ReadArtifact, ReadImage } from "../ports/read-artifact.ts";
import type { OverviewRequest, Tool } from "../ports/tool.ts";
import type { Model, ModelMessage, ModelToolResult } from "../ports/model.ts";
import type { SuspendedRun, SuspendedRuns } from "../ports/suspended-runs.ts";
import type { ModelUsage, WorkflowRunner } from "../ports/workflow-runner.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { AgentState, CallRecord, FinishRule, StopRule } from "./agent-state.ts";
import { countedUsage } from "./counted-usage.ts";
import { effectiveLimits } from "./effective-limits.ts";
import type { EventChannel } from "./event-channel.ts";
import { Evidence, MAX_REQUEST } from "./evidence.ts";
import type { Interrupt } from "./interrupt.ts";
import { RepeatedCalls } from "./repeated-calls.ts";
import { RunImages } from "./run-images.ts";
import { numberSources } from "./number-sources.ts";
import { argumentsIn, givenByHistory, givenInMessages, writtenByPerson } from "./given.ts";
import type { Reading, RoundPorts, RoundReader } from "./round-reader.ts";
import { TextItem, textOf, type Emit } from "./text-item.ts";

/** What the loop needs of an agent. */
export interface LoopOptions {
  readonly config: AgentConfig;
  readonly model: Model;
  /** The tools of one run; asked once, at its start. */
  openTools(
    allowed: readonly string[],
    signal: AbortSignal,
    /** Of this run alone, allowed whatever the others are. */
    more: readonly Tool[],
  ): ToolRegistry | Promise<ToolRegistry>;
  /** Names, dates and sizes of the data that the tools of the run can read; never throws. */
  overview?(request: OverviewRequest, signal: AbortSignal): Promise<string | undefined>;
  /** Reads on in results of other steps that are handed over in part. */
  readonly readArtifact?: ReadArtifact;
  /** Reads the images of messages; without it the model gets texts instead. */
  readonly readImage?: ReadImage;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly suspended: SuspendedRuns;
  readonly workflows?: WorkflowRunner;
  readonly hooks: Hooks;
  readonly stopRule?: StopRule;
  readonly finishRule?: FinishRule;
  /** Absent where answers are not checked. */
  readonly answerCheck?: AnswerCheck;
}

/** Ids that a model listed at its end. */
export interface Listed {
  readonly citations: readonly string[];
  readonly charts: readonly string[];
}

/** An answer that was not accepted because of findings. */
export interface RefusedAnswer {
  /** What shows it; empty where that was before the run was suspended. */
  readonly items: readonly TextItem[];
  readonly text: string;
  /** Operands that it named; they count for the sentences that stay. Not kept over a suspension. */
  readonly derived: readonly DerivedFigure[];
  readonly state: NonNullable<SuspendedRun["refused"]>;
}

const NO_SHARED: SharedContext = { v: 1, results: {} };

/** Everything one run knows. Changed by the loop only; lives as long as the run. */
export class Run implements RoundPorts, RunView {
  readonly request: AgentRequest;
  readonly options: LoopOptions;
  readonly mode: ResponseMode;
  readonly channel: EventChannel;
  readonly interrupt: Interrupt;
  readonly signal: AbortSignal;
  readonly limits: ReturnType<typeof effectiveLimits>;
  readonly shared: SharedContext;
  readonly evidence: Evidence;
  /** The person's own words. */
  readonly written: readonly string[];
  readonly images: RunImages;
  readonly messages: ModelMessage[];
  readonly calls: CallRecord[];
  /** Results of calls of the last message, while others of them wait for a person. */
  results: readonly ModelToolResult[];
  /** Access that tools of this round asked for. */
  readonly lacking: AccessRequest[] = [];
  readonly userId: string | undefined;
  readonly collectionId: string | undefined;
  iteration: number;
  usage: Usage;
  spent: Usage;
  delegated: Usage;
  /** The model ended without any content before, and was asked for it. */
  askedForContent = false;
  /** It ended without any content twice, and was told the names of its tools. */
  askedWithNames = false;
  /** The model wrote text and called no tool, and was asked for a call. */
  askedForCall = false;
  /** It announced the next step after something was found, and was asked for it or the answer. */
  askedInsteadOfAnnounced = false;
  /** It wrote a call as text that could not be read, and was told so. */
  askedForRealCall = false;
  /** The model answered before any tool succeeded, and was asked to look something up. */
  askedForLookup = false;
  /** The model was sent the message of the finish rule. */
  askedForRest = false;
  readonly repeats = new RepeatedCalls();
  /** The messages last sent to the model, after middleware. */
  sent: readonly ModelMessage[] = [];
  /** The answer that the model was asked to correct. It is the answer where no other comes. */
  refused: RefusedAnswer | undefined;
  readonly reviews = new SentenceReviews();
  /** Where the marker has come; it stands between two rounds. */
  gate: MarkerGate;
  readonly #startedAt: number;
  /** What stood there before the run was suspended, and the answer it had begun by then. */
  readonly #draft: string;
  readonly #begun: string;
  readonly #items: TextItem[] = [];
  #answers: TextItem[] = [];
  readonly emit: Emit;
  readonly #callIds = new Set<string>();
  readonly #nextCall = new Map<string, number>();
  #itemCount = 0;

  /** With `found` it is the run that was suspended, with all it knew; the request is that of then. */
  constructor(
    request: AgentRequest,
    options: LoopOptions,
    channel: EventChannel,
    interrupt: Interrupt,
    found?: SuspendedRun,
  ) {
    const { delegation } = request;
    this.request = request;
    this.options = options;
    this.mode = request.responseMode ?? options.config.response_mode;
    this.channel = channel;
    this.signal = interrupt.signal;
    this.interrupt = interrupt;
    this.limits = effectiveLimits(options.config, delegation?.limits ?? {});
    this.shared = delegation === undefined ? NO_SHARED : { v: 1, results: allResults(delegation) };
    this.written = writtenByPerson(request);
    this.evidence = new Evidence(this.shared, found?.evidence, request.files);
    if (found === undefined) {
      for (const text of this.written) this.evidence.give(text, MAX_REQUEST);
      for (const text of givenByHistory(request)) this.evidence.give(text);
    } else if (found.evidence.given === undefined)
      for (const text of givenInMessages(found.messages, request)) this.evidence.give(text);
    for (const args of found?.messages.flatMap(argumentsIn) ?? []) this.evidence.wrote(args);
    this.emit = numberSources(this.evidence, (body) => channel.emit(body));
    this.messages = [...(found?.messages ?? [])];
    this.results = found?.results ?? [];
    this.calls = [...(found?.calls ?? [])];
    this.iteration = found?.iteration ?? 0;
    this.gate = new MarkerGate(found?.gate);
    this.usage = found?.usage ?? NO_USAGE;
    this.spent = found?.spent ?? this.usage;
    this.delegated = found?.delegated ?? NO_USAGE;
    for (const message of this.messages) {
      if (message.role === "assistant") for (const call of message.toolCalls) this.#callIds.add(call.callId);
    }
    // The request's own is who was authenticated, where anybody was; a delegation only claims one.
    this.userId = request.userId ?? delegation?.userId;
    this.collectionId = delegation?.collectionId ?? request.collectionId ?? options.config.collection;
    this.images = new RunImages(request, found?.images ?? [], {
      read: options.readImage,
      owner: this.userId ?? "",
      say: (text) => this.narrate(text),
    });
    this.#draft = found?.draft ?? "";
    this.#begun = found?.answer ?? "";
    this.refused = found?.refused && {
      items: [],
      text: found.refused.answer,
      derived: [],
      state: found.refused,
    };
    this.#startedAt = options.clock.now() - (found?.elapsedMs ?? 0);
  }

  get runId(): string {
    return this.request.runId;
  }

  get agent(): string {
    return this.options.config.name;
  }

  get modelId(): string {
    return this.options.model.id;
  }

  get log(): Log {
    return this.options.log;
  }

  get workflows(): WorkflowRunner | undefined {
    return this.options.workflows;
  }

  get hooks(): Hooks {
    return this.options.hooks;
  }

  get files(): readonly ArtifactRef[] {
    return this.evidence.files;
  }

  /** Milliseconds it has worked so far. */
  get elapsedMs(): number {
    // Clocks are set back, too.
    return Math.max(0, this.options.clock.now() - this.#startedAt);
  }

  /** While a refused answer is shown, what the model writes in its place is a draft. */
  textItem(role: "open" | "answer"): TextItem {
    return this.#newItem((this.refused?.items.length ?? 0) > 0 ? "open" : role);
  }

  #newItem(role: "open" | "answer"): TextItem {
    const words = this.options.config.stream_by === "word" ? new WordHold() : undefined;
    return new TextItem(`t${++this.#itemCount}`, role, this.emit, words);
  }

  /** A sentence for the person that is never part of an answer. */
  narrate(text: string): void {
    const item = this.#newItem("open");
    item.write(text);
    item.settle("narration");
  }

  /** Text that is there all at once. */
  writeItem(role: "open" | "answer", text: string): TextItem {
    const item = this.#newItem(role);
    this.keep([item], []);
    item.write(text);
    item.settle(role === "open" ? "narration" : role);
    return item;
  }

  /** The same, of what may be the answer: it is settled once that is known. */
  draftItem(text: string): TextItem {
    const item = this.textItem("answer");
    this.keep([item], []);
    item.write(text);
    item.flush();
    return item;
  }

  /** The answer is not accepted. What shows it stays open until another takes its place. */
  refuse(
    items: readonly TextItem[],
    text: string,
    { listed, derived }: { readonly listed?: Listed | undefined; readonly derived: readonly DerivedFigure[] },
  ): void {
    const { citations = [], charts = [] } = listed ?? {};
    this.refused = { items, text, derived, state: { answer: text, citations, charts } };
    this.askedForContent = false;
    // In marker mode the answer begins anew, with a marker of its own.
    this.#answers = [];
    this.gate = new MarkerGate();
  }

  /** The text of these items gives way to what follows. */
  supersede(items: readonly TextItem[], reason: string): void {
    const shown = items.filter((item) => item.begun);
    for (const item of shown) item.flush();
    this.channel.attempt++;
    this.emit({ type: "attempt-start", reason, items: shown.map((item) => item.id) });
    for (const item of shown) item.settle("narration");
  }

  /** Supersedes the text streamed after the marker; the next answer needs a marker of its own. */
  retractAnswer(reason: string): void {
    if (this.answers().length > 0) this.supersede(this.#answers, reason);
    this.#answers = [];
    this.gate = new MarkerGate();
  }

  /** How the rounds of the loop are read. */
  get reading(): Reading {
    if (this.mode === "marker") return { as: "marker", gate: this.gate };
    return { as: this.mode === "finish" ? "finish" : "plain" };
  }

  callId(provided: string): string {
    let id = provided === "" ? this.options.newId() : provided;
    // Goes on from the last number: a model may give thousands of calls one id.
    let n = this.#nextCall.get(provided) ?? 2;
    while (this.#callIds.has(id)) id = `${provided}-${n++}`;
    this.#nextCall.set(provided, n);
    this.#callIds.add(id);
    return id;
  }

  /** `model` is the one that answered; the agent's own when absent. */
  usageReported(reported: Usage, model = this.modelId): void {
    const usage = withCost(countedUsage(reported), model, this.options.config.prices);
    this.usage = addUsage(this.usage, usage);
    this.spent = addUsage(this.spent, usage);
    this.emit({ type: "usage", model, usage });
  }

  /** A tool had models used on behalf of this run. */
  delegatedUsage({ model, usage }: ModelUsage): void {
    this.usage = addUsage(this.usage, usage);
    this.delegated = addUsage(this.delegated, usage);
    this.emit({ type: "usage", model, usage });
  }

  /** Keeps a round's items, for the draft, and those behind the marker, for the answer. */
  keep(items: readonly TextItem[], answers: readonly TextItem[]): void {
    this.#items.push(...items);
    this.#answers.push(...answers);
  }

  /** Removes these items from the drafts of the answer. */
  discard(items: readonly TextItem[]): void {
    for (const item of items) item.settle("narration");
    const left = this.#items.filter((item) => !items.includes(item));
    this.#items.splice(0, Infinity, ...left);
  }

  /** A round was read to its end. */
  advance(reader: RoundReader): void {
    if (reader.gate !== undefined) this.gate = reader.gate;
  }

  /** All text behind the marker, in the order in which it came. */
  answers(): readonly TextItem[] {
    return this.#answers.filter((item) => item.begun);
  }

  /** The text of these, or of those before it was suspended while they were not told again. */
  get answerSoFar(): string {
    return textOf(this.answers()) || this.#begun;
  }

  /** A turn has items of its own: an answer that was begun before the run was suspended is the first of them. */
  tellAnswerAgain(): void {
    if (this.#begun !== "") this.#answers.push(this.writeItem("answer", this.#begun));
  }

  /** A marker that was begun before a call and never ended is text after all. */
  releaseHeld(): void {
    for (const { role, text } of this.gate.end()) this.writeItem(role, text);
  }

  /** Closes what an interrupted round left open. */
  closeItems(): void {
    for (const item of this.#items) item.settle("narration");
  }

  /** The last text anyone could read, if there was any. */
  draft(): TextItem | undefined {
    return this.#items.findLast((item) => item.begun);
  }

  /** What there is of an answer: the text behind the marker, else the draft. */
  soFar(): readonly TextItem[] {
    const refused = this.refused?.items ?? [];
    if (refused.length > 0) return refused;
    const answers = this.answers();
    const draft = answers.length > 0 ? undefined : this.draft();
    return draft === undefined ? answers : [draft];
  }

  /** The same, with the draft of before it waited put out once more where there is nothing newer. */
  kept(): readonly TextItem[] {
    const before = this.refused?.items.length === 0 ? this.refused.text : this.#draft;
    const answer = this.refused?.items.length === 0 ? [] : this.soFar();
    return answer.length > 0 || before === "" ? answer : [this.writeItem("answer", before)];
  }

  state(): AgentState {
    return {
      iteration: this.iteration,
      messages: this.messages,
      calls: this.calls,
      draft: textOf(this.soFar()) || this.#draft,
      usage: this.usage,
      elapsedMs: this.elapsedMs,
    };
  }
}
