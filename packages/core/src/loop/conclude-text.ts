import { CUT_OFF, endAsSaid } from "./end-as-said.ts";
import type { Ending } from "./ending.ts";
import { handOver, isOnlyAnnounced } from "./hand-over.ts";
import { askForLookup, askForRest, callableNames, isQuestion, mayAskAgain } from "./lookup.ts";
import {
  ASK_FOR_ANSWER,
  ASK_FOR_CALL,
  ASK_INSTEAD_OF_ANNOUNCED,
  askForRealCall,
  askWithNames,
} from "./prompt.ts";
import type { ReadRound } from "./read-calls.ts";
import type { Round } from "./round-reader.ts";
import { outcomeOf } from "../response/parse-response.ts";
import type { Run } from "./run.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import { textOf, type TextItem } from "./text-item.ts";

export const NO_ANSWER = {
  code: "agent.no-response",
  message: "The model wrote no answer, also when it was asked for one.",
};

const CALLS_AS_TEXT = {
  code: "agent.no-response",
  message: "The model wrote its tool calls as text that could not be read, also when it was told so.",
};

/** Characters of a text that may be no answer but say what the model will do next. */
const MAX_ANNOUNCEMENT = 300;

/**
 * Sends a round without calls back to the model if its text is a tool call, has no evidence, or may only announce
 * the next step; each at most once. Returns whether it did.
 */
export function sendBack(
  run: Run,
  registry: ToolRegistry,
  { round, callInText }: Pick<ReadRound, "round" | "callInText">,
): boolean {
  const why = reasonToSendBack(run, registry, round, callInText);
  if (why !== undefined) askWith(run, round, why);
  return why !== undefined;
}

function reasonToSendBack(
  run: Run,
  registry: ToolRegistry,
  round: Round,
  callInText: ReadRound["callInText"],
): string | undefined {
  if (callInText !== undefined && !run.askedForRealCall && mayAskForCall(run, round, registry)) {
    run.askedForRealCall = true;
    if (callInText === "unreadable") run.discard(round.items);
    if (run.gate.opened) run.retractAnswer("The text was a tool call.");
    return askForRealCall(run.mode, callableNames(run, registry));
  }
  if (callInText === "unreadable") return undefined;
  const isBlank = round.text.trim() === "" || round.response?.content.trim() === "";
  // In structured mode a blank round ends the tool calls, and the response is asked for next.
  if (isBlank && run.mode !== "structured") return undefined;
  const lookup = asksPerson(round) ? undefined : askForLookup(run, registry);
  const missing = lookup ?? (asksPerson(round) ? undefined : askForRest(run));
  if (missing !== undefined) {
    run.askedForCall = true;
    if (run.gate.opened)
      run.retractAnswer(
        lookup === undefined ? "Work is left to do before it." : "Nothing was looked up for it.",
      );
    return missing;
  }
  const announced = callInText === undefined ? askForAnnounced(run, round) : undefined;
  if (announced !== undefined) return announced;
  if (run.mode !== "finish" || run.askedForCall || !isAnnouncement(run, round)) return undefined;
  if (isBlank || !mayAskForCall(run, round, registry)) return undefined;
  run.askedForCall = true;
  return ASK_FOR_CALL;
}

/** Asks once, after something was found, for the step or the answer that a text announces. */
export function askInsteadOfAnnounced(run: Run, text: string): string | undefined {
  if (run.askedInsteadOfAnnounced || run.iteration >= run.limits.maxIterations) return undefined;
  if (!isOnlyAnnounced(run, text)) return undefined;
  run.askedInsteadOfAnnounced = true;
  return ASK_INSTEAD_OF_ANNOUNCED[run.mode];
}

function askForAnnounced(run: Run, round: Round): string | undefined {
  const { response, stop, text } = round;
  const mayBeDone = response === undefined || outcomeOf(response) === "completed";
  if (stop !== "end" || !mayBeDone) return undefined;
  const asked = askInsteadOfAnnounced(run, run.gate.opened ? run.answerSoFar : (response?.content ?? text));
  if (asked !== undefined && run.gate.opened) run.retractAnswer("It only announced the next step.");
  return asked;
}

function asksPerson({ response, text }: Round): boolean {
  if (response === undefined) return isQuestion(text);
  return response.requireUserInput || !response.wasSuccessful || isQuestion(response.content);
}

function mayAskForCall(run: Run, { stop, response }: Round, registry: ToolRegistry): boolean {
  if (registry.names.length === 0 || stop !== "end" || response !== undefined) return false;
  if (run.askedForContent || run.refused !== undefined) return false;
  return run.iteration < run.limits.maxIterations;
}

/** No rule recognises announcements in every language, so any short text of the first round counts. */
const isAnnouncement = ({ iteration }: Run, { text }: Round): boolean =>
  iteration === 1 && text.trim().length <= MAX_ANNOUNCEMENT;

/**
 * A round without any call. Its text is the answer; once the marker has come, all text behind it is.
 * Without a text, the model is asked for an answer, the second time with the names of its tools; after that, its last
 * text is the answer: complete if the marker opened it, else partial.
 */
export function concludeText(
  run: Run,
  registry: ToolRegistry,
  { round, callInText }: Pick<ReadRound, "round" | "callInText">,
): Ending | undefined {
  const asJson = concludeJson(run, round);
  if (typeof asJson === "object") return asJson;
  const answer = run.gate.opened ? run.answers() : lastOf(round);
  // JSON without a content is no more of an answer than no text.
  if (textOf(answer).trim() === "" || asJson === "empty") {
    if (!run.askedForContent) askAgain(run, round);
    else if (mayNameTools(run, registry)) {
      run.askedWithNames = true;
      askWith(run, round, askWithNames(run.mode, callableNames(run, registry)));
    } else return withoutAnswer(run);
    return undefined;
  }
  if (callInText === "unreadable") {
    run.discard(round.items);
    return handOver(run, CALLS_AS_TEXT);
  }
  if (round.stop === "max-tokens") return { outcome: "partial", answer, error: CUT_OFF };
  return { outcome: "completed", answer };
}

function mayNameTools(run: Run, registry: ToolRegistry): boolean {
  const mayAsk = mayAskAgain(run) && run.iteration < run.limits.maxIterations;
  return mayAsk && registry.names.length > 0 && !run.askedWithNames && !run.gate.opened;
}

function withoutAnswer(run: Run): Ending {
  const draft = run.draft();
  return run.gate.opened && draft !== undefined
    ? { outcome: "completed", answer: [draft] }
    : handOver(run, NO_ANSWER);
}

/**
 * The model wrote its response as JSON in its text, without being asked for JSON. The text around it is
 * narration, and the content becomes an item of its own, unless that text was the same. Behind the marker
 * the text is the answer already, and only the flags count. `empty` where there is neither a content nor
 * a question, undefined where there is no such response.
 */
export function concludeJson(run: Run, round: Round): Ending | "empty" | undefined {
  const said = round.response;
  if (said === undefined) return undefined;
  const answer = run.gate.opened ? run.answers() : [jsonAnswer(run, round, said.content)];
  return endAsSaid(run, said, answer, round.stop) ?? "empty";
}

function jsonAnswer(run: Run, round: Round, content: string): TextItem {
  const same = lastOf(round).find(({ text }) => text.trim() === content.trim());
  for (const item of round.items) if (item !== same) item.settle("narration");
  return same ?? run.draftItem(content);
}

export function askAgain(run: Run, round: Round): void {
  run.askedForContent = true;
  askWith(run, round, ASK_FOR_ANSWER[run.mode]);
}

function askWith(run: Run, round: Round, text: string): void {
  for (const item of round.items) item.settle("narration");
  if (round.text.trim() !== "") {
    run.messages.push({ role: "assistant", text: round.text, toolCalls: [] });
  }
  run.messages.push({ role: "user", text });
}

function lastOf(round: Round): readonly TextItem[] {
  const item = round.items.findLast(({ begun }) => begun);
  return item === undefined ? [] : [item];
}
