import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";

import { safeName } from "@troupe/service";
import type {
  AgentEventOf,
  AgentResponse,
  Citation,
  ErrorInfo,
  InputRequest,
  Outcome,
  SentenceCheck,
} from "@troupe/stream";

import { readRunReport, type RunReport } from "../orchestrator/run-report.ts";
import type { CliContext } from "./context.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { fetchOwnFiles } from "./fetch-from.ts";
import { answerText, sourcesText, type CitedTable } from "./render/answer-text.ts";
import { checksText, claimLines, FINDING_NOTE, markFindings, withoutClaims } from "./render/checks-text.ts";
import { harmless } from "./render/harmless.ts";
import { typed } from "./typed.ts";
import { saveFiles, type EarlierFiles, type SavedFile, type SavedFiles } from "./files.ts";
import { withRuns } from "./runs.ts";

/** How one turn of a run ended. */
export interface TurnEnd {
  readonly runId: string;
  readonly finish: AgentEventOf<"finish"> | undefined;
  /** What people are asked, latest last. */
  readonly requests: readonly { readonly step: string; readonly request: InputRequest }[];
}

/**
 * Saves the files of a run where a folder is given for them, and prints its answer, or the last line of `--json`.
 * @returns the exit code
 */
export async function deliver(
  context: CliContext,
  turn: TurnEnd,
  options: { readonly json: boolean; readonly quiet?: boolean; readonly out?: string },
): Promise<number> {
  const { finish } = turn;
  const ended = finish?.outcome ?? "canceled";
  const report = readRunReport(finish?.response.data ?? null);
  const files = await filesOf(context, turn.runId, report, options.out);
  // An answer without its files is not all that was asked for.
  const outcome = ended === "completed" && files.problem ? "partial" : ended;
  if (options.json) context.out(`${JSON.stringify({ ...resultLine(turn, files), outcome })}\n`);
  else {
    await printAnswer(context, turn, files.saved);
    if (options.quiet !== true) context.err(secondsText(report));
    // It has something to build on, also where a part is missing.
    if (options.quiet !== true && (outcome === "completed" || outcome === "partial"))
      context.err(`Go on with it: ${typed(context, 'run --continue "..."')}\n`);
  }
  if (outcome !== "completed") {
    context.err(endText(outcome, finish, report));
    context.err(nextText(context, turn, report));
  }
  if (files.problem) context.err(`${files.problem.message}\n${keptText(context, report, files)}`);
  return exitCodeOf(outcome, finish?.error?.code);
}

async function filesOf(
  context: CliContext,
  runId: string,
  { artifacts }: RunReport,
  out: string | undefined,
): Promise<SavedFiles> {
  if (out !== undefined) {
    const fetch = fetchOwnFiles(context);
    const { signal } = new AbortController();
    return saveFiles(artifacts, resolve(context.cwd, out), fetch, signal, () => earlierFiles(context, runId));
  }
  const names = artifacts.map(({ name }) => name).join(", ");
  if (names !== "") context.err(harmless(`Files: ${names}. With --out FOLDER they are saved.\n`));
  return { saved: [] };
}

/** Runs of a conversation whose files may be replaced. */
const MAX_EARLIER_RUNS = 20;

/** The files of earlier runs of the same conversation; none if they cannot be read. */
async function earlierFiles(context: CliContext, runId: string): ReturnType<EarlierFiles> {
  try {
    return await withRuns(context, async (known) => {
      const runs = await known.list({});
      const at = runs.findIndex((run) => run.runId === runId);
      const thread = runs[at]?.threadId;
      const earlier = runs.slice(at + 1).filter((run) => thread !== undefined && run.threadId === thread);
      const details = earlier.slice(0, MAX_EARLIER_RUNS).map((run) => known.show(run.runId));
      return (await Promise.all(details)).flatMap(({ artifacts }) => artifacts);
    });
  } catch {
    return [];
  }
}

/** The path, and the name that the answer uses if the file is saved under another one. */
function fileLine({ name, path }: SavedFile): string {
  const isRenamed = basename(path) !== safeName(name);
  return isRenamed ? `${path} (${harmless(name)}: another file has that name)` : path;
}

async function printAnswer(
  context: CliContext,
  { finish }: TurnEnd,
  files: readonly SavedFile[],
): Promise<void> {
  if (finish === undefined) return;
  const { data } = finish.response;
  const shown = { ...finish.response, tables: data?.tables ?? [] };
  const { answer, sources, checks } = await renderAnswer(context, shown);
  if (answer !== "") context.out(`${answer}\n`);
  if (sources !== "") context.out(`\nSources\n${sources}\n`);
  if (checks !== "") context.out(`\n${checks}\n`);
  if (files.length > 0) context.out(`\nFiles\n${files.map((file) => `  ${fileLine(file)}`).join("\n")}\n`);
}

/** Each sanitized; it may have colours. */
export interface RenderedAnswer {
  /** With what was looked for behind each sentence with a finding. */
  readonly answer: string;
  readonly sources: string;
  readonly checks: string;
}

/**
 * Rendered for a terminal; a pipe gets the text as it is.
 * @param indent of the answer
 */
export async function renderAnswer(
  { screen }: Pick<CliContext, "screen">,
  {
    content,
    citations,
    tables,
    checks: checked = [],
  }: Pick<AgentResponse, "content" | "citations" | "checks"> & { readonly tables: readonly CitedTable[] },
  indent = 0,
): Promise<RenderedAnswer> {
  const answer = answerText(markFindings(content, checked));
  const sources = sourcesText(content, citations, tables);
  const checks = checksText(checked, content);
  if (screen === undefined) return { answer, sources, checks };
  const [{ markdownText, wrapLines }, { colors }] = await Promise.all([
    import("./render/markdown-text.ts"),
    import("./render/color.ts"),
  ]);
  const { columns, color } = screen();
  const paint = colors(color);
  const painted = (text: string): string => text.replaceAll(FINDING_NOTE, paint.yellow(FINDING_NOTE));
  const rendered = markdownText(answer, { columns: columns - indent, colors: paint });
  return {
    answer: checked.some(({ status }) => status === "finding") ? painted(rendered) : rendered,
    sources: wrapLines(sources, columns, 4),
    checks: painted(wrapLines(checks, columns, 4)),
  };
}

function secondsText({ steps }: RunReport): string {
  const seconds = steps.flatMap(({ id, ms }) =>
    ms === undefined ? [] : `${id} ${(ms / 1000).toFixed(1)} s`,
  );
  return seconds.length === 0 ? "" : `Steps: ${seconds.join(", ")}\n`;
}

/** The last line of `--json`. */
export interface ResultLine {
  readonly type: "result";
  readonly v: 1;
  readonly runId: string;
  readonly outcome: Outcome;
  readonly answer: string;
  readonly steps: RunReport["steps"];
  readonly citations: readonly Citation[];
  /** Query results that the answer cites, by their number. */
  readonly tables: readonly CitedTable[];
  /** The claims of the answer; absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
  readonly artifacts: readonly SavedFile[];
  /** The run has not ended; the error says why and when it goes on. */
  readonly interrupted?: true;
  readonly error?: ErrorInfo;
}

export function resultLine({ runId, finish }: TurnEnd, { saved, problem }: SavedFiles): ResultLine {
  const report = readRunReport(finish?.response.data ?? null);
  const error = finish?.error ?? problem;
  const checks = finish?.response.checks;
  return {
    type: "result",
    v: 1,
    runId,
    outcome: finish?.outcome ?? "canceled",
    answer: finish?.response.content ?? "",
    steps: report.steps,
    citations: finish?.response.citations ?? [],
    tables: (finish?.response.data?.tables ?? []).flatMap(({ rows: _, ...table }) =>
      table.number === undefined ? [] : [table],
    ),
    ...(checks === undefined ? {} : { checks }),
    artifacts: saved,
    ...(report.interrupted ? { interrupted: true } : {}),
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}

/** The last line of `--json` where there is no end to tell of. */
export function brokenLine(runId: string, outcome: "failed" | "canceled", error: ErrorInfo): ResultLine {
  const nothing = { answer: "", steps: [], citations: [], tables: [], artifacts: [] };
  return { type: "result", v: 1, runId, outcome, ...nothing, error: { ...error } };
}

function endText(ended: string, finish: AgentEventOf<"finish"> | undefined, report: RunReport): string {
  const lines = report.interrupted ? [] : [`The run ended ${ended}.`];
  if (finish?.error !== undefined) lines.push(withoutClaims(finish.error.message));
  for (const { id, agent, outcome, reason } of report.steps) {
    // The run of a step that is passed through ends for the same reason.
    const isRepeated = reason === undefined || reason === finish?.error?.message;
    if (outcome !== "completed")
      lines.push(
        `  ${id} (${agent || "person"}): ${outcome}${isRepeated ? "" : `: ${withoutClaims(reason)}`}`,
        ...claimLines(reason, { ofRun: finish?.error?.message, checks: finish?.response.checks }).map(
          (line) => `    ${line}`,
        ),
      );
  }
  return `${harmless(lines.join("\n"))}\n`;
}

/** The command that goes on with a run that was stopped or cut off. */
function nextText(
  context: CliContext,
  { runId, finish }: TurnEnd,
  { interrupted, steps }: RunReport,
): string {
  if (runId === "") return "";
  if (finish === undefined)
    return `The run was told to stop and has not ended yet. How it is: ${typed(context, `show ${runId}`)}; where it was cut off, it goes on with ${typed(context, `resume ${runId}`)}\n`;
  if (interrupted) return `Go on with it: ${typed(context, `resume ${runId}`)}\n`;
  if (finish.outcome !== "canceled") return "";
  const again = `${typed(context, `retry ${runId}`)}\n`;
  if (steps.some(({ outcome }) => outcome === "completed" || outcome === "partial"))
    return `Go on from what it found: ${again}`;
  // Whoever rejected its plan does not want it again. Without steps it never had a plan.
  return context.interrupted.aborted && steps.length > 0 ? `Do it again: ${again}` : "";
}

/** Where the files that could not be saved lie. */
function keptText(context: CliContext, { artifacts }: RunReport, { saved }: SavedFiles): string {
  return artifacts
    .filter((artifact) => !saved.some((file) => file.id === artifact.id))
    .map((artifact) => ({ ...artifact, path: join(context.home, "artifacts", artifact.sha256) }))
    .filter((artifact) => existsSync(artifact.path))
    .map((artifact) => `  ${artifact.name} is kept as ${artifact.path}\n`)
    .join("");
}
