import type { AgentEvent, AgentTurnItem, StepState } from "@troupe/stream";
import { continueTurn, emptyTurn, reduceTurn, unreachable, type TurnState } from "@troupe/stream";
import { createLogUpdate } from "log-update";

import type { Clock } from "@troupe/stream";

import { answerText } from "./answer-text.ts";
import { harmless } from "./harmless.ts";
import { markdownText, wrapLines, type MarkdownLook } from "./markdown-text.ts";
import { planText } from "./plan-text.ts";
import type { Progress } from "./progress.ts";
import type { Colors } from "./color.ts";

const REDRAW_MS = 80;
/** More than a screen shows. */
const MAX_DRAFT_CHARS = 10_000;

/** A terminal, as large as it says. */
type Screen = NodeJS.WritableStream & { columns?: number; rows?: number };

/** One that nobody has told its size says 0 by 0; without any, the usual size is taken. */
function forgetZeroSize(stream: Screen): void {
  if (stream.columns === 0) delete stream.columns;
  if (stream.rows === 0) delete stream.rows;
}

/** One line a step, redrawn in place: its state, how long it takes, and what it does right now. */
export function liveProgress(stream: Screen, colors: Colors, clock: Clock): Progress {
  forgetZeroSize(stream);
  const screen = createLogUpdate(stream);
  const started = new Map<string, number>();
  const ended = new Map<string, number>();
  let turn: TurnState = emptyTurn;
  let stopTimer: () => void = () => undefined;
  let scheduled = false;

  const draw = (): void => {
    const { columns = 80, rows = 24 } = stream;
    const steps = screenText(turn, { colors, started, ended, now: clock.now(), columns });
    const room = rows - steps.split("\n").length - 2;
    screen([steps, ...draftLines(turn, room, { columns, colors })].join("\n"));
  };
  const later = (): void => {
    if (scheduled) return;
    scheduled = true;
    stopTimer = clock.schedule(REDRAW_MS, () => {
      scheduled = false;
      draw();
    });
  };

  return {
    event(event: AgentEvent) {
      if (event.type === "plan-update") {
        screen.clear();
        stream.write(`${wrapLines(planText(event.plan), stream.columns ?? 80, 3)}\n\n`);
      }
      if (event.type === "step-status") {
        if (event.state === "in_progress" && !started.has(event.step)) started.set(event.step, clock.now());
        if (event.state !== "in_progress" && event.state !== "pending") ended.set(event.step, clock.now());
      }
      // The run goes on after a question, and so does its plan.
      if (turn.outcome === "input-required") turn = continueTurn(turn);
      turn = reduceTurn(turn, event);
      later();
    },
    end() {
      // What was written by now is printed as the answer, or is none.
      turn = { ...turn, content: "" };
      stopTimer();
      scheduled = false;
      draw();
      screen.done();
    },
  };
}

/** The last rows of the answer while it is written; the whole of it goes to stdout at the end. */
function draftLines({ content, outcome }: TurnState, rows: number, look: MarkdownLook): readonly string[] {
  const text = outcome === undefined ? answerText(content) : "";
  if (text === "" || rows < 1) return [];
  return ["", ...markdownText(lastParagraphs(text), look).split("\n").slice(-rows)];
}

/** The end of a long draft: it is rendered again at each redraw. */
function lastParagraphs(text: string): string {
  if (text.length <= MAX_DRAFT_CHARS) return text;
  const end = text.slice(-MAX_DRAFT_CHARS);
  return end.slice(end.indexOf("\n\n") + 1).trimStart();
}

interface Look {
  readonly colors: Colors;
  readonly started: ReadonlyMap<string, number>;
  readonly ended: ReadonlyMap<string, number>;
  readonly now: number;
  readonly columns: number;
}

/** The steps of the plan; of a run that goes on after a question, those heard of since. */
function screenText(turn: TurnState, look: Look): string {
  const plan = turn.items.find((item) => item.kind === "plan" && item.stepId === undefined);
  const states = new Map(plan?.kind === "plan" ? Object.entries(plan.steps) : []);
  const planned = plan?.kind === "plan" ? plan.plan.steps.map((step) => step.id) : [];
  const ids = planned.length > 0 ? planned : [...states.keys()];
  if (ids.length === 0) return look.colors.dim(cut(planningText(turn), look.columns));
  const width = Math.max(...ids.map((id) => id.length));
  return ids
    .map((id) => {
      const { state = "pending", reason } = states.get(id) ?? {};
      const from = look.started.get(id);
      const seconds =
        from === undefined ? "" : `${(((look.ended.get(id) ?? look.now) - from) / 1000).toFixed(1)} s`;
      const text = `${id.padEnd(width)}  ${seconds.padStart(7)}  ${activity(turn, id, state, reason)}`;
      // Why a step asks (again) is for the person who answers: all of it.
      const shown = state === "input_required" ? flat(text) : cut(text, look.columns - 3);
      return `${mark(state, look.colors)} ${shown}`;
    })
    .join("\n");
}

/** What planning waits for, where it waits. */
function planningText({ items }: TurnState): string {
  const narration = items.findLast((item) => item.kind === "message" && item.role === "narration");
  return narration?.kind === "message" ? narration.text : "Planning ...";
}

function activity(turn: TurnState, stepId: string, state: StepState, reason?: string): string {
  if (state === "input_required" && reason !== undefined) return `input required: ${reason}`;
  if (state !== "in_progress") return state.replace("_", " ");
  const last = turn.items.filter((item) => item.stepId === stepId && !item.superseded).at(-1);
  return last === undefined ? "" : describe(last);
}

function describe(item: AgentTurnItem): string {
  switch (item.kind) {
    case "message":
      return item.text.trimEnd().split("\n").at(-1) ?? "";
    case "tool_call":
      return item.status === "running" ? `${item.tool} ...` : `${item.tool}: ${item.summary}`;
    case "tool_result":
      return `${item.tool}: ${item.summary}`;
    case "file":
      return item.artifact.name;
    case "plan":
    case "form":
      return "";
    default:
      return unreachable(item);
  }
}

const MARKS = {
  pending: ["dim", "·"],
  in_progress: ["cyan", "▶"],
  input_required: ["magenta", "?"],
  completed: ["green", "✔"],
  partial: ["yellow", "◌"],
  skipped: ["yellow", "◌"],
  canceled: ["yellow", "◌"],
  failed: ["red", "✘"],
} as const satisfies { [S in StepState]: readonly [keyof Colors, string] };

function mark(state: StepState, colors: Colors): string {
  const [color, sign] = MARKS[state];
  return colors[color](sign);
}

/** Keeps a line on one row; colours are added outside, so the length is what is seen. */
function cut(text: string, columns: number): string {
  const line = flat(text);
  return line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line;
}

function flat(text: string): string {
  return harmless(text)
    .replaceAll(/[\t\n]/g, " ")
    .trimEnd();
}
