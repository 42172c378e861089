import type { AgentResult, Delegation, SendRequest } from "@troupe/core";
import { addUsage, NO_USAGE, type InputReply, type InputRequest, type Usage } from "@troupe/stream";

import { answerSignal, replyRequestId } from "../engine/answer-signal.ts";
import { checkReply } from "../engine/check-reply.ts";
import type { Pending, Settled, SettledError } from "../engine/port.ts";

import type { DagStep } from "../schema/spec.ts";
import { eventAttempt, forwarder } from "./forward.ts";
import { inNameOf } from "./in-name-of.ts";
import type { ActiveStep, StepHost } from "./host.ts";
import { stamp } from "./stamped.ts";

/** What a person answered, and to which question of which task. */
interface Answer {
  readonly taskId: string;
  readonly asked: InputRequest;
  readonly reply: InputReply;
}

/** One message to the agent and what came of it: an attempt, or a reply within one. */
interface Turn {
  /** `step#attempt`, or `step#attempt.n` for the n-th reply within it. */
  readonly key: string;
  /** Replies given within the attempt so far. */
  readonly replies: number;
  /** What is left of the step's timeout for it. */
  readonly leftMs: number;
  /** Of a reply; the first message of an attempt has none. */
  readonly answer?: Answer;
  taskId?: string;
  /** Nobody waits for it any more; a task id that still arrives is cancelled. */
  over: boolean;
}

/** How often a step is sent again because its agent lost it. */
const MAX_LOSSES = 3;

/** The agent was killed, restarted or shut down while it worked: what it did is gone. */
const LOSSES: ReadonlySet<string> = new Set(["agent.task-lost", "agent.restarted", "agent.shutting-down"]);
const isLoss = ({ code }: { readonly code: string }): boolean => LOSSES.has(code);

/** Nobody was there to take a message, for as long as the gateway bears with it. */
const ABSENCES: ReadonlySet<string> = new Set(["agent.unreachable", "agent.unknown"]);

type Sent = { readonly taskId: string };
type Awaited = { readonly result: AgentResult; readonly answerItems: readonly string[] };

/**
 * A step on an agent: `send` records the task id and is never aborted, `await` joins that task.
 * Both are journaled under the attempt's name, so a crash joins again what already runs.
 */
export class AgentStep implements ActiveStep {
  /** Items of the run's log that made the answer. */
  answerItems: readonly string[] = [];
  waiting = false;
  readonly #host: StepHost;
  readonly #step: DagStep;
  readonly #held = new Set<Pending>();
  #attempt = 1;
  /** Attempts that ended because the agent lost its work; they do not count against `retry`. */
  #losses = 0;
  #replies = 0;
  #turn: Turn | undefined;
  #usage: Usage = NO_USAGE;
  /** Start of the first attempt. */
  #startedAt: number | undefined;
  #taskId: string | undefined;
  /**
   * How long this attempt was seen at work. Neither waiting for a person nor what came before an
   * interruption of the run counts: nobody was there to see it.
   */
  #workedMs = 0;

  constructor(host: StepHost, step: DagStep) {
    this.#host = host;
    this.#step = step;
  }

  start(): void {
    this.#host.state(this.#step, "in_progress");
    this.#send();
  }

  cancel(): void {
    this.#release();
    if (this.#turn) this.#giveUp(this.#turn);
    this.#end({ outcome: "canceled", error: { code: "workflow.canceled", message: "the run was canceled" } });
  }

  #send(replies = 0, answer?: Answer): void {
    const { ctx, services, input } = this.#host;
    const leftMs = Math.max(1, this.#step.limits.timeoutMs - this.#workedMs);
    const label = replies === 0 ? this.#attempt : `${this.#attempt}.${replies}`;
    const key = `${this.#step.id}#${label}`;
    const turn: Turn = { key, replies, leftMs, ...(answer && { answer }), over: false };
    this.#turn = turn;
    const request: SendRequest = {
      messageId: `${ctx.runId}/${turn.key}`,
      delegation: this.#delegation(),
      ...(answer && { taskId: answer.taskId, reply: answer.reply }),
    };
    const { agent } = this.#step;
    const sent = ctx.step(`${turn.key}/send`, ({ signal }) =>
      stamp(services.clock, () => services.gateway.send(agent, request, { signal, ...inNameOf(input) })),
    );
    this.#host.watch(sent, (settled) => this.#sent(turn, settled));
    this.#hold(ctx.timer(`${turn.key}/timeout`, leftMs), () => this.#timeIsUp(turn, 1));
  }

  #delegation(): Delegation {
    const { input } = this.#host;
    const step = this.#step;
    const collectionId = step.collection ?? input.collectionId;
    return {
      v: 1,
      objective: input.objective,
      instruction: step.instruction,
      expectedOutput: step.expectedOutput,
      allowedTools: step.allowedTools,
      limits: step.limits,
      ...(input.userId === undefined ? {} : { userId: input.userId }),
      ...(collectionId === undefined ? {} : { collectionId }),
      results: this.#host.resultsFor(step),
    };
  }

  #sent(turn: Turn, settled: Settled): void {
    const sent = this.#host.read<Sent>(settled);
    if (sent.ok) turn.taskId = sent.value.taskId;
    if (turn.over) {
      this.#giveUp(turn);
      return;
    }
    this.#startedAt ??= sent.startedAt;
    if (!sent.ok && turn.answer && ABSENCES.has(sent.error.code)) {
      this.#askAgain(turn, turn.answer, sent.error);
      return;
    }
    this.#workedMs += sent.endedAt - sent.startedAt;
    if (!sent.ok) {
      // A reply may come to an agent that was restarted since it asked.
      if (isLoss(sent.error)) this.#lost(turn, sent.error);
      else this.#failed(turn, sent.error);
      return;
    }
    const { taskId } = sent.value;
    this.#taskId = taskId;
    const { ctx, services, input } = this.#host;
    const { agent, id } = this.#step;
    const attempt = this.#attempt;
    const { replies } = turn;
    const joined = ctx.step(`${turn.key}/await`, ({ signal }) =>
      stamp(services.clock, async () => {
        const forward = forwarder({
          eventLog: services.eventLog,
          runId: ctx.runId,
          stepId: id,
          attempt,
          replies,
        });
        const { onEvent } = forward;
        const result = await services.gateway.await(agent, taskId, { signal, onEvent, ...inNameOf(input) });
        return { result, answerItems: forward.answerItems() };
      }),
    );
    this.#hold(joined, (value) => this.#awaited(turn, value));
  }

  #awaited(turn: Turn, settled: Settled): void {
    this.#release();
    const awaited = this.#host.read<Awaited>(settled);
    this.#workedMs += awaited.endedAt - awaited.startedAt;
    if (!awaited.ok) {
      if (isLoss(awaited.error)) this.#lost(turn, awaited.error);
      // The connection broke, perhaps not the work: tell the agent before anybody asks again.
      else this.#failed(turn, awaited.error);
      return;
    }
    const { result, answerItems } = awaited.value;
    this.#usage = addUsage(this.#usage, result.usage);
    if (result.error && isLoss(result.error)) {
      this.#lost(turn, { ...result.error, retryable: true }, result);
      return;
    }
    turn.over = true;
    switch (result.outcome) {
      case "completed":
      case "partial":
        this.answerItems = answerItems;
        this.#end(result);
        return;
      case "input-required":
        if (result.request) this.#ask(turn, result.request, result.error?.message);
        else
          this.#retry(turn, protocolError(this.#step.agent, "asks for input but does not say what"), result);
        return;
      case "failed": {
        const error = result.error ?? {
          code: "agent.failed",
          message: `agent "${this.#step.agent}" gave no reason`,
        };
        this.#retry(turn, { ...error, retryable: true }, result);
        return;
      }
      case "canceled":
      case "skipped":
        this.#end({ ...result, outcome: "canceled" });
    }
  }

  /**
   * The agent is away, and its question with it: the person answers once it is back. That it was
   * waited for does not count as its work.
   */
  #askAgain(turn: Turn, { taskId, asked }: Answer, error: SettledError): void {
    this.#release();
    turn.over = true;
    turn.taskId = taskId;
    this.#ask(turn, asked, `the answer did not arrive. ${error.message}`);
  }

  /** @param problem what was wrong with the answer before, when it is asked again */
  #ask(turn: Turn, asked: InputRequest, problem?: string): void {
    const { ctx } = this.#host;
    const requestId = replyRequestId(this.#step.id, ++this.#replies);
    const request = { ...asked, requestId };
    this.waiting = true;
    this.#host.emit(`ask/${requestId}`, { type: "input-required", request }, this.#at());
    const waits = `waits for an answer to "${requestId}"`;
    this.#host.state(this.#step, "input_required", problem === undefined ? waits : `${waits}: ${problem}`);
    this.#hold(ctx.waitSignal(answerSignal(requestId)), (settled) => {
      this.waiting = false;
      const check = checkReply(request, settled.ok ? settled.value : null);
      if (!check.ok) {
        this.#giveUp(turn);
        const message = `the answer to "${requestId}" cannot be used: ${check.issues.join("; ")}`;
        this.#end({ outcome: "failed", error: { code: "input.invalid", message } });
        return;
      }
      this.#host.state(this.#step, "in_progress");
      const reply = { ...check.reply, requestId: asked.requestId };
      this.#send(turn.replies + 1, { taskId: turn.taskId ?? "", asked, reply });
    });
  }

  /**
   * A run that was taken up again counts a turn's time from then on: while it was cut off nobody
   * could hear a result that was there in time, or send again what the agent lost.
   */
  #timeIsUp(turn: Turn, n: number): void {
    const { ctx, services } = this.#host;
    const looked = ctx.step(`${turn.key}/overdue.${n}`, () =>
      stamp(services.clock, async () => ({ leftMs: services.since + turn.leftMs - services.clock.now() })),
    );
    this.#hold(looked, (settled) => {
      const late = this.#host.read<{ readonly leftMs: number }>(settled);
      const leftMs = late.ok ? late.value.leftMs : 0;
      if (leftMs <= 0) this.#timedOut(turn);
      else this.#hold(ctx.timer(`${turn.key}/timeout.${n}`, leftMs), () => this.#timeIsUp(turn, n + 1));
    });
  }

  #timedOut(turn: Turn): void {
    const message = `agent "${this.#step.agent}" gave no result within ${this.#step.limits.timeoutMs / 1_000} s`;
    this.#failed(turn, { code: "agent.timeout", message, retryable: true });
  }

  #failed(turn: Turn, error: SettledError): void {
    this.#release();
    this.#giveUp(turn);
    this.#retry(turn, error);
  }

  /**
   * The agent has no such work any more; that is no failure of the step. It is sent anew, in what is
   * left of its time, but not for ever: it may be this very step that brings the agent down.
   */
  #lost(turn: Turn, error: SettledError, result?: AgentResult): void {
    this.#release();
    turn.over = true;
    if (this.#losses >= MAX_LOSSES) {
      this.#retry(turn, error, result);
      return;
    }
    this.#losses++;
    this.#nextAttempt(error.message);
    this.#send();
  }

  #retry(turn: Turn, error: SettledError, result?: AgentResult): void {
    const { attempts, backoffMs } = this.#step.retry;
    const tries = this.#attempt - this.#losses;
    if (!error.retryable || tries >= attempts) {
      const { code, message } = error;
      this.#end({ ...result, outcome: "failed", error: { code, message } });
      return;
    }
    this.#workedMs = 0;
    this.#nextAttempt(error.message);
    const wait = backoffMs * 2 ** (tries - 1);
    this.#hold(this.#host.ctx.timer(`${turn.key}/backoff`, wait), () => this.#send());
  }

  /** Events and message ids of what follows are those of a new attempt; what was told before is superseded. */
  #nextAttempt(reason: string): void {
    this.#attempt++;
    const key = `attempt/${this.#step.id}#${this.#attempt}`;
    this.#host.emit(key, { type: "attempt-start", reason }, this.#at());
  }

  /** Whatever the agent still does for this turn is not wanted any more. */
  #giveUp(turn: Turn): void {
    turn.over = true;
    if (turn.taskId !== undefined) this.#host.cancelTask(turn.key, this.#step.agent, turn.taskId);
  }

  #end(result: Partial<AgentResult> & Pick<AgentResult, "outcome">): void {
    this.#release();
    const { lastAt } = this.#host;
    this.#host.end(this.#step, {
      stepId: this.#step.id,
      agent: this.#step.agent,
      outcome: result.outcome,
      answer: result.answer ?? "",
      data: result.data ?? null,
      citations: result.citations ?? [],
      artifacts: result.artifacts ?? [],
      usage: this.#usage,
      ...(result.error ? { error: result.error } : {}),
      provenance: {
        ...(this.#taskId === undefined ? {} : { taskId: this.#taskId }),
        attempt: this.#attempt,
        startedAt: this.#startedAt ?? lastAt,
        endedAt: lastAt,
      },
    });
  }

  #at(): { readonly stepId: string; readonly attempt: number } {
    return { stepId: this.#step.id, attempt: eventAttempt(this.#attempt) };
  }

  #hold(pending: Pending, on: (settled: Settled) => void): void {
    this.#held.add(pending);
    this.#host.watch(pending, (settled) => {
      this.#held.delete(pending);
      on(settled);
    });
  }

  #release(): void {
    for (const pending of this.#held) this.#host.drop(pending);
    this.#held.clear();
  }
}

function protocolError(agent: string, what: string): SettledError {
  return { code: "agent.protocol", message: `agent "${agent}" ${what}`, retryable: false };
}
