import type { CorrectionForm } from "../answer/findings-text.ts";
import type { ResponseMode } from "../config/agent-config.ts";
import type { ModelRequest, ModelToolCall, ModelToolResult } from "../ports/model.ts";
import { outcomeOf } from "../response/parse-response.ts";
import type { Said } from "../response/said.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import { admitCalls, canRun, holdBack } from "./admit-calls.ts";
import { askAccess } from "./ask-access.ts";
import { askApproval } from "./ask-approval.ts";
import { checkAnswer, correctRefused } from "./check-answer.ts";
import { concludeResponse } from "./conclude-response.ts";
import { askInsteadOfAnnounced, concludeText, NO_ANSWER, sendBack } from "./conclude-text.ts";
import { endAsSaid } from "./end-as-said.ts";
import { cutShort, type Ending } from "./ending.ts";
import { readFinish } from "./finish-tool.ts";
import { handOver, handOverAnnounced, isShortDraft } from "./hand-over.ts";
import { hasLookedUp, markUnfounded, refuseUnread } from "./lookup.ts";
import { readCalls } from "./read-calls.ts";
import type { Round } from "./round-reader.ts";
import type { Run } from "./run.ts";
import { runTools, skipTools } from "./run-tools.ts";
import { textOf, type TextItem } from "./text-item.ts";

const NOT_RUN_AFTER_FINISH = "Not run: it stood after finish. Calls that are needed come before it.";
const FINISH_REFUSED =
  "finish was refused because a call before it failed. Deal with that first, then call finish again.";
const FINISH_TOO_EARLY =
  "finish was refused because a call before it waited for a person's decision. See what came of it, then call finish again.";

const UNFOUNDED = "Work is left to do before this answer.";
const REFUSED = { code: "model.refused", message: "The model refused to answer this request." };

/** Decides what a round means: an ending, or undefined and the loop goes on. */
export async function concludeRound(
  run: Run,
  registry: ToolRegistry,
  given: Round,
  asked: ModelRequest,
): Promise<Ending | undefined> {
  const read = readCalls(run, registry, given);
  const { round } = read;
  if (round.stop === "refusal") {
    round.release();
    settleAll(round, "narration");
    return run.refused === undefined ? { outcome: "failed", error: REFUSED } : cutShort(run, REFUSED);
  }
  if (round.calls.length === 0) {
    if (read.callInText !== "unreadable") round.release();
    if (sendBack(run, registry, read)) return undefined;
    round.release();
    const ending =
      run.mode === "structured"
        ? await concludeResponse(run, round, asked)
        : concludeText(run, registry, read);
    if (ending === undefined) return undefined;
    // Calls in the text are an example once the model was asked about them.
    const answered = read.callInText === undefined ? handOverAnnounced(run, ending) : ending;
    return checkText(run, round, markUnfounded(run, registry, answered));
  }

  for (const item of round.items) if (item !== round.content) item.settle("narration");
  run.messages.push({ role: "assistant", text: round.text, toolCalls: round.calls });
  const before = round.finishAt === -1 ? round.calls : round.calls.slice(0, round.finishAt);
  if (before.length > 0) {
    // It works on, so it may be asked for an answer once more.
    run.askedForContent = false;
    run.askedWithNames = false;
    for (const hook of run.hooks.beforeTools) hook(before, run);
  }
  const hadLooked = round.finishAt !== -1 && hasLookedUp(run);
  const judged = admitCalls(run, registry, before, read.notes);
  const admitted = holdBack(judged instanceof Promise ? await run.interrupt.race(judged) : judged);
  const results = before.length === 0 ? [] : await runTools(run, admitted.filter(canRun));
  const finish = round.calls[round.finishAt];
  const waiting = admitted.filter((one) => one.to === "ask");
  if (waiting.length > 0) {
    run.results = finish === undefined ? results : refused(run, round, finish, results, FINISH_TOO_EARLY);
    return askApproval(waiting);
  }
  if (finish === undefined) {
    run.messages.push({ role: "tool", results });
    return askAccess(run);
  }
  if (results.some((result) => result.isError)) {
    run.messages.push({ role: "tool", results: refused(run, round, finish, results, FINISH_REFUSED) });
    return askAccess(run);
  }
  const said = readFinish(finish.arguments, round.content?.text ?? "");
  const unread = refuseUnread(run, registry, { said, results, hadLooked }) ?? refuseAnnounced(run, said);
  if (unread !== undefined) {
    // Alone it was streamed as the answer.
    if (round.finishAt === 0 && round.content?.begun === true) run.supersede([round.content], UNFOUNDED);
    run.messages.push({ role: "tool", results: refused(run, round, finish, results, unread) });
    return undefined;
  }
  const corrected = correctRefused(run, said);
  const ending = corrected?.ending ?? concludeFinish(run, round, said);
  if (typeof ending === "string") {
    run.messages.push({ role: "tool", results: refused(run, round, finish, results, ending) });
    return undefined;
  }
  const { derived } = said;
  const founded = markUnfounded(run, registry, handOverAnnounced(run, ending));
  const checked = await checkAnswer(run, founded, { by: "finish", derived, ...(corrected && { corrected }) });
  if ("refusal" in checked) {
    const told = refusedResults(run, round, finish, results, checked.refusal);
    run.messages.push({ role: "tool", results: told });
    return undefined;
  }
  run.results = [...results, ...skipTools(run, callsAfter(round), NOT_RUN_AFTER_FINISH)];
  return checked;
}

const CORRECTION_FORM: { readonly [mode in ResponseMode]: CorrectionForm } = {
  finish: "finish",
  marker: "marker",
  structured: "text",
};

/** The same check for an answer that came without a call. */
async function checkText(run: Run, round: Round, ending: Ending): Promise<Ending | undefined> {
  const checked = await checkAnswer(run, ending, { by: CORRECTION_FORM[run.mode] });
  if (!("refusal" in checked)) return checked;
  const text = run.mode === "structured" ? textOf(ending.answer ?? []) : round.text;
  run.messages.push({ role: "assistant", text, toolCalls: [] }, { role: "user", text: checked.refusal });
  return undefined;
}

const callsAfter = (round: Round): readonly ModelToolCall[] => round.calls.slice(round.finishAt + 1);

/** Finish was not accepted: its text was narration, and the model is told why. */
function refused(
  run: Run,
  round: Round,
  finish: ModelToolCall,
  results: readonly ModelToolResult[],
  why: string,
): readonly ModelToolResult[] {
  round.content?.settle("narration");
  return refusedResults(run, round, finish, results, why);
}

function refusedResults(
  run: Run,
  round: Round,
  finish: ModelToolCall,
  results: readonly ModelToolResult[],
  why: string,
): readonly ModelToolResult[] {
  return [
    ...results,
    { callId: finish.callId, name: finish.name, text: why, isError: true },
    ...skipTools(run, callsAfter(round), NOT_RUN_AFTER_FINISH),
  ];
}

function refuseAnnounced(run: Run, said: Said): string | undefined {
  if (outcomeOf(said) !== "completed") return undefined;
  const why = askInsteadOfAnnounced(run, said.content);
  return why && `finish was refused. ${why}`;
}

/** The ending a finish call asks for, or why it cannot be accepted. */
function concludeFinish(run: Run, round: Round, said: Said): Ending | string {
  const ending = endAsSaid(run, said, answerItem(round, said.content), round.stop);
  if (ending !== undefined) return ending;
  const listed = { citations: said.citationIds, charts: said.chartIds };
  // Asked for its content and still without any: what it wrote last is what it has to say.
  if (run.askedForContent && said.isTaskComplete && said.issues.length === 0) {
    const answer = run.soFar();
    const passages = run.refused === undefined && run.evidence.citations.length > 0;
    return answer.length === 0 || (passages && isShortDraft(textOf(answer)))
      ? handOver(run, NO_ANSWER)
      : { outcome: "completed", answer, listed };
  }
  run.askedForContent = true;
  const issues = said.issues.length === 0 ? ["content: is empty"] : said.issues;
  return `finish was not accepted:\n- ${issues.join("\n- ")}\n${
    run.refused === undefined
      ? "Call finish again with the whole answer in content."
      : "Call finish again, with replacements, with derived, or with the whole answer in content."
  }`;
}

/** The streamed item; written now, where the content could be read only at the end. */
function answerItem(round: Round, content: string): readonly TextItem[] {
  const item = round.content;
  if (item === undefined) return [];
  if (!item.begun) item.write(content);
  item.flush();
  return [item];
}

function settleAll(round: Round, role: "narration" | "answer"): void {
  for (const item of round.items) item.settle(role);
}
