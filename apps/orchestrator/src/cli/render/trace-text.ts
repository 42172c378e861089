import { broken, gradualShare, type Trace } from "@troupe/a2a/capture";

import { colors } from "./color.ts";
import { bytes, columns, count, milliseconds, percent, short } from "./figures.ts";

/** Of longer lists the rest is counted; `--json` has all of it. */
const MOST_ROWS = 40;

/** A trace for a person: whom, when what came, and what it was made of. */
export function traceText(trace: Trace, color: boolean): string {
  const paint = colors(color);
  const heading = (text: string): string => `\n${paint.bold(text)}\n`;
  const parts = [headText(trace), heading("timeline"), timeline(trace), "\n", figures(trace)];
  if (trace.artifacts.length > 0) parts.push(heading("artifacts"), artifactRows(trace));
  if (trace.plan.length > 0) parts.push(heading("plan"), planRows(trace));
  const rules = broken(trace);
  if (rules.length > 0)
    parts.push(
      heading("rules of artifacts broken"),
      limited(rules.map(({ rule, artifactId, at }) => [rule, short(artifactId, 40), `event ${at + 1}`])),
    );
  return parts.join("");
}

function headText({ of, delivery }: Trace): string {
  if (of === null) return "";
  const who = of.agent === "" ? short(of.url, 80) : `${short(of.agent, 60)} at ${short(of.url, 80)}`;
  return `${who} (A2A ${short(of.protocol, 10)}, ${of.binding}, ${DELIVERIES[delivery]})\n"${short(of.question, 100)}"\n`;
}

const DELIVERIES = {
  stream: "streamed",
  send: "not streamed: one call that waits",
  poll: "not streamed: asked again every 500 ms",
} as const;

function timeline(trace: Trace): string {
  const { firstText, firstNarration, firstAnswer, firstTool, end } = trace;
  const known = [firstNarration, firstAnswer].includes(firstText);
  const error = trace.error === "" ? "" : `: ${short(trace.error, 120)}`;
  const moments: readonly (readonly [number | null, string])[] = [
    [0, "request"],
    [trace.firstEvent, "first event"],
    [known ? null : firstText, "first text"],
    [firstNarration, "first narration"],
    [firstTool?.t ?? null, `first tool: ${short(firstTool?.name ?? "", 60)}`],
    [firstAnswer, "first answer token"],
    [end, `end: ${trace.outcome}${ending(trace)}${error}`],
  ];
  const rows = moments.flatMap(([t, what]) => (t === null ? [] : [{ t, what }]));
  return columns(
    rows.sort((a, b) => a.t - b.t).map(({ t, what }) => [milliseconds(t), what]),
    new Set([0]),
  );
}

function ending({ ending: how, outcome }: Trace): string {
  if (how === null) return ", the capture was cut off";
  if (how === "closed") return outcome === "unfinished" ? ", the server ended the stream" : "";
  return how === "left-open" ? ", the server left the stream open" : `, ${how}`;
}

function figures(trace: Trace): string {
  const { longestSilence: silence, answer, events, artifacts, cut, unreadable } = trace;
  const rows: string[][] = [];
  if (silence !== null) {
    const point = ({ t, what }: typeof silence.from): string => `${milliseconds(t)} (${short(what, 50)})`;
    rows.push([
      "longest silence",
      `${milliseconds(silence.ms)}, from ${point(silence.from)} to ${point(silence.to)}`,
    ]);
  }
  const share = gradualShare(trace);
  const whole = answer.role === "answer" ? "the answer" : "the text; what of it is the answer is not told";
  rows.push([
    "streamed gradually",
    share === null
      ? "nothing was said"
      : `${percent(share)}, ${count(answer.gradual)} of ${count(answer.characters)} characters of ${whole}`,
  ]);
  const left = [cut > 0 ? `${count(cut)} cut` : "", unreadable > 0 ? `${count(unreadable)} not A2A` : ""];
  const size = [
    count(events),
    ...left,
    `${count(artifacts.length)} artifact${artifacts.length === 1 ? "" : "s"}`,
    bytes(trace.bytes),
  ];
  rows.push(["events", size.filter((text) => text !== "").join(", ")]);
  return columns(rows);
}

function artifactRows({ artifacts }: Trace): string {
  const steps = artifacts.some(({ step }) => step !== "");
  const rows = artifacts.map((row) => [
    short(row.id, 40),
    short(row.name, 30),
    row.role,
    ...(steps ? [short(row.step, 20)] : []),
    count(row.chunks),
    count(row.characters),
    milliseconds(row.first),
    milliseconds(row.last),
    row.closed ? "closed" : "open",
  ]);
  const head = ["id", "name", "role", ...(steps ? ["step"] : []), "chunks", "characters", "first", "last"];
  return limited(
    [head, ...rows],
    new Set(["chunks", "characters", "first", "last"].map((name) => head.indexOf(name))),
  );
}

function planRows({ plan }: Trace): string {
  const rows = plan.map((step) => [
    short(step.id, 30),
    short(step.agent, 24),
    short(step.state.replaceAll("_", " "), 20),
    step.started === null ? "-" : milliseconds(step.started),
    step.ended === null ? "-" : milliseconds(step.ended),
  ]);
  return limited([["step", "agent", "state", "began", "over"], ...rows], new Set([3, 4]));
}

function limited(rows: readonly (readonly string[])[], right?: ReadonlySet<number>): string {
  const more = rows.length - MOST_ROWS - 1;
  if (more <= 0) return columns(rows, right);
  return `${columns(rows.slice(0, MOST_ROWS + 1), right)}  and ${count(more)} more; --json has all\n`;
}
