import { CUT_OFF, endAsSaid } from "./end-as-said.ts";
import { cutShort, type Ending } from "./ending.ts";
import { ASK_FOR_ANSWER, ASK_FOR_CALL } from "./prompt.ts";
import type { Round } from "./round-reader.ts";
import type { Run } from "./run.ts";
import { textOf, type TextItem } from "./text-item.ts";

export const NO_ANSWER = {
  code: "agent.no-response",
  message: "The model ended without an answer, and again when it was asked for one.",
};

/** Characters of a text that may be no answer but say what the model will do next. */
const MAX_ANNOUNCEMENT = 300;
const WRITTEN_CALL = /^<tool_call>[^]*<\/tool_call>$/;

/**
 * A round without any call. Its text is the answer; once the marker has come, all text behind it is.
 * Where there is none, the model is asked once; where that brings none either, what it wrote last is
 * what it has to say: complete where the marker says so, else partial. A short text in the first round, and a
 * call that is written as text, may be no answer: there, too, the model is asked once.
 */
export function concludeText(run: Run, round: Round, hasTools: boolean): Ending | undefined {
  const asJson = concludeJson(run, round);
  if (typeof asJson === "object") return asJson;
  const answer = run.gate.opened ? run.answers() : lastOf(round);
  // JSON without a content is no more of an answer than no text.
  if (textOf(answer).trim() === "" || asJson === "empty") {
    if (run.askedForContent) return withoutAnswer(run);
    askAgain(run, round);
    return undefined;
  }
  const isCall = hasTools && WRITTEN_CALL.test(round.text.trim());
  if (isCall && run.askedForCall) return withoutAnswer(run);
  if (mayAskForCall(run, round, hasTools) && (isCall || isAnnouncement(run, round))) {
    run.askedForCall = true;
    askWith(run, round, ASK_FOR_CALL);
    return undefined;
  }
  if (round.stop === "max-tokens") return { outcome: "partial", answer, error: CUT_OFF };
  return { outcome: "completed", answer };
}

function mayAskForCall(run: Run, { stop, response }: Round, hasTools: boolean): boolean {
  if (run.mode !== "finish" || !hasTools || stop !== "end" || response !== undefined) return false;
  if (run.askedForCall || run.askedForContent || run.refused !== undefined) return false;
  return run.iteration < run.limits.maxIterations;
}

/** No rule of any language tells whether it is one, so any short text of the first round counts. */
const isAnnouncement = ({ iteration }: Run, { text }: Round): boolean =>
  iteration === 1 && text.trim().length <= MAX_ANNOUNCEMENT;

function withoutAnswer(run: Run): Ending {
  const draft = run.draft();
  return run.gate.opened && draft !== undefined
    ? { outcome: "completed", answer: [draft] }
    : cutShort(run, NO_ANSWER);
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
