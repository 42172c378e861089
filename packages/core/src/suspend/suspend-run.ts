import { NO_USAGE, type InputRequest } from "@troupe/stream";

import type { Asked } from "../loop/ending.ts";
import type { Run } from "../loop/run.ts";
import type { ModelMessage } from "../ports/model.ts";
import type { SuspendedRun } from "../ports/suspended-runs.ts";

/**
 * Keeps the run until a person answers. Under a new id each time, so that an answer to what was asked
 * before cannot be taken for one to this. Throws the store's error.
 */
export async function suspendRun(run: Run, ask: Asked, said: string): Promise<InputRequest> {
  const request: InputRequest = { requestId: run.options.newId(), ...ask };
  await run.options.suspended.save(run.runId, stateOf(run, request, said));
  return request;
}

function stateOf(run: Run, request: InputRequest, said: string): SuspendedRun {
  const {
    runId: _run,
    messageId: _messageId,
    text: _text,
    history: _history,
    reply: _reply,
    trace: _trace,
    unreadFiles: _unread,
    ...origin
  } = run.request;
  return {
    v: 1,
    origin,
    request,
    messages: messagesOf(run, request, said),
    results: run.results,
    evidence: run.evidence.save(),
    ...(run.images.ofTools.length === 0 ? {} : { images: run.images.ofTools }),
    usage: run.usage,
    ...(run.spent === run.usage ? {} : { spent: run.spent }),
    ...(run.delegated === NO_USAGE ? {} : { delegated: run.delegated }),
    iteration: run.iteration,
    calls: run.calls,
    elapsedMs: run.elapsedMs,
    // The text of a question is no draft of an answer.
    ...(request.kind === "approval" ? { draft: run.state().draft } : {}),
    ...(request.kind === "approval" && run.answerSoFar !== "" ? { answer: run.answerSoFar } : {}),
    ...(run.refused === undefined ? {} : { refused: run.refused.state }),
    ...(run.mode === "marker" ? { gate: run.gate.state } : {}),
  };
}

/** A question that was no call stands in the conversation as what the model said. */
function messagesOf(run: Run, request: InputRequest, said: string): readonly ModelMessage[] {
  const last = run.messages.at(-1);
  if (request.kind === "approval" || last?.role === "assistant") return run.messages;
  const text = said.trim() === "" ? request.form.description : said;
  return text === "" ? run.messages : [...run.messages, { role: "assistant", text, toolCalls: [] }];
}
