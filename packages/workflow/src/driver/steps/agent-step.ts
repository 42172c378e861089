import type { AgentResult, SendRequest } from "@troupe/core";
import { unreachable, type Answered, type ErrorInfo, type InputRequest } from "@troupe/stream";

import { replyRequestId } from "../../engine/answer-signal.ts";
import type { Pending, Settled } from "../../engine/port.ts";
import type { SettledError } from "../../engine/settled-error.ts";
import type { DagStep } from "../../schema/spec.ts";
import { askPerson } from "./ask-person.ts";
import { ofRunsBudget } from "../limits/budget-error.ts";
import { delegationOf } from "./delegation-of.ts";
import { eventAttempt } from "./forward.ts";
import type { ActiveStep, StepHost } from "../host.ts";
import { inNameOf } from "./in-name-of.ts";
import { joinTask, type Awaited } from "./join-task.ts";
import { limitTime } from "../limits/limit-time.ts";
import { isAbsence, isLoss, MAX_LOSSES } from "./lost-work.ts";
import { briefly } from "./read-output.ts";
import { retryWaitMs } from "./retry-wait.ts";
import { stamp } from "../stamped.ts";
import { StepAccount } from "./step-account.ts";
import { outputError, protocolError, timeoutError } from "./step-errors.ts";
import type { Answer, Turn } from "./turn.ts";

type Sent = { readonly taskId: string };

/**
 * How long a reply that is under way when the step's time is up may still take, in milliseconds: longer than
 * a gateway bears with an agent that is away, so that the person is asked again.
 */
const ARRIVAL_MS = 30_000;

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
  readonly #account: StepAccount;
  readonly #held = new Set<Pending>();
  #attempt = 1;
  /** Attempts that ended because the agent lost its work; they do not count against `retry`. */
  #losses = 0;
  #replies = 0;
  readonly #answers: Answered[] = [];
  #turn: Turn | undefined;
  /** Start of the first attempt. */
  #startedAt: number | undefined;
  #taskId: string | undefined;
  /**
   * How long this attempt was seen at work. Neither waiting for a person nor what came before an
   * interruption of the run counts: nobody was there to see it.
   */
  #workedMs = 0;

  /** What was wrong with the answer of the attempt before, for the next one to do better. */
  #problem: string | undefined;
  /** Of this attempt. */
  #limits: DagStep["limits"];

  constructor(host: StepHost, step: DagStep) {
    this.#host = host;
    this.#step = step;
    this.#account = new StepAccount(host, step);
    this.#limits = step.limits;
  }

  start(): void {
    this.#host.state(this.#step, "in_progress");
    this.#begin();
  }

  stop(outcome: "canceled" | "failed", error: ErrorInfo): void {
    this.#release();
    if (this.#turn) this.#account.giveUp(this.#turn);
    this.#end({ outcome, error });
  }

  /** A new attempt. What it is handed of the run's limits holds for its replies too. */
  #begin(failure?: ErrorInfo): void {
    let settled = false;
    this.#host.whenPaid({
      step: this.#step,
      attempt: this.#attemptKey,
      paid: (limits) => {
        settled = true;
        this.#limits = limits;
        if (this.waiting) this.#takePlace(() => this.#send());
        else this.#send();
      },
      none: (why) => {
        settled = true;
        this.#endUnpaid(why, failure);
      },
    });
    // Whoever was handed what this waits for may itself wait for a place.
    this.waiting = !settled;
  }

  #takePlace(goOn: () => void): void {
    this.#host.whenFree(() => {
      this.waiting = false;
      goOn();
    });
  }

  #endUnpaid(why: string, failure?: ErrorInfo, result?: AgentResult): void {
    const error = failure
      ? { code: failure.code, message: `${failure.message}; it is not tried again, as ${why}` }
      : { code: "workflow.budget", message: why };
    this.#end({ ...result, outcome: "failed", error });
  }

  #send(replies = 0, answer?: Answer): void {
    const { ctx, services, input } = this.#host;
    const attempt = this.#attemptKey;
    const key = replies === 0 ? attempt : `${attempt}.${replies}`;
    const turn: Turn = {
      key,
      attempt,
      replies,
      ...(answer && { answer, taskId: answer.taskId }),
      sending: true,
      over: false,
      accounted: false,
      telling: false,
    };
    this.#turn = turn;
    const request: SendRequest = {
      messageId: `${ctx.runId}/${turn.key}`,
      stepId: this.#step.id,
      delegation: delegationOf(this.#host, this.#step, { limits: this.#limits, problem: this.#problem }),
      ...(answer && { taskId: answer.taskId, reply: answer.reply }),
    };
    const { agent } = this.#step;
    const sent = ctx.step(`${turn.key}/send`, ({ signal }) => {
      turn.sent = true;
      return stamp(services.clock, () =>
        services.gateway.send(agent, request, { signal, ...inNameOf(input) }),
      );
    });
    this.#host.watch(sent, (settled) => this.#sent(turn, settled));
    const timeIsUp = (): void => this.#failed(turn, timeoutError(this.#step));
    const hold = (pending: Pending, on: (settled: Settled) => void): void => this.#hold(pending, on);
    limitTime(this.#host, {
      // What is left of the step's time.
      ms: Math.max(1, this.#step.limits.timeoutMs - this.#workedMs),
      timer: `${turn.key}/timeout`,
      overdue: `${turn.key}/overdue`,
      hold,
      over: () => {
        if (turn.answer === undefined || !turn.sending) timeIsUp();
        else
          limitTime(this.#host, {
            ms: ARRIVAL_MS,
            timer: `${turn.key}/arrival`,
            overdue: `${turn.key}/arrival-overdue`,
            hold,
            over: timeIsUp,
          });
      },
    });
  }

  #sent(turn: Turn, settled: Settled): void {
    const sent = this.#host.read<Sent>(settled);
    turn.sending = false;
    if (sent.ok) turn.taskId = sent.value.taskId;
    if (turn.over) {
      if (sent.ok) this.#account.arrived(turn);
      return;
    }
    this.#startedAt ??= sent.startedAt;
    if (!sent.ok && turn.answer && isAbsence(sent.error)) {
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
    const host = this.#host;
    const step = this.#step;
    const attempt = this.#attempt;
    const joined = host.ctx.step(`${turn.key}/await`, ({ signal }) =>
      joinTask({ host, step, turn, taskId, attempt, signal }),
    );
    this.#hold(joined, (value) => this.#awaited(turn, value));
  }

  #awaited(turn: Turn, settled: Settled): void {
    this.#release();
    const awaited = this.#host.read<Awaited>(settled);
    this.#workedMs += awaited.endedAt - awaited.startedAt;
    turn.accounted = true;
    this.#account.spend(turn.attempt, awaited.ok ? awaited.value.result.usage : awaited.usage);
    if (!awaited.ok) {
      if (isLoss(awaited.error)) this.#lost(turn, awaited.error);
      // The connection broke, perhaps not the work: tell the agent before anybody asks again.
      else this.#failed(turn, awaited.error);
      return;
    }
    this.#host.room.hold(turn.key, awaited.value);
    const { result, answerItems, output } = awaited.value;
    if (result.error && isLoss(result.error)) {
      this.#lost(turn, { ...result.error, retryable: true }, result);
      return;
    }
    turn.over = true;
    if (output && "issues" in output) {
      this.#retry(turn, outputError(this.#step, output.issues.join("; ")), result, briefly(output.issues));
      return;
    }
    switch (result.outcome) {
      case "completed":
      case "partial":
        this.answerItems = answerItems;
        this.#end(output ? { ...result, data: { ...result.data, output: output.value } } : result);
        return;
      case "input-required":
        if (result.request) this.#ask(turn, result.request, result.error?.message);
        else this.#retry(turn, protocolError(this.#step, "asks for input but does not say what"), result);
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
        return;
      default:
        unreachable(result.outcome);
    }
  }

  /**
   * The agent is away, and its question with it: the person answers once it is back. That it was
   * waited for does not count as its work.
   */
  #askAgain(turn: Turn, { asked }: Answer, error: SettledError): void {
    this.#release();
    turn.over = true;
    this.#ask(turn, asked, `the answer did not arrive. ${error.message}`);
  }

  /** @param problem what was wrong with the answer before, when it is asked again */
  #ask(turn: Turn, asked: InputRequest, problem?: string): void {
    const requestId = replyRequestId(this.#step.id, ++this.#replies);
    const request = { ...asked, requestId };
    this.waiting = true;
    const { expiresMs } = this.#step;
    askPerson(this.#host, {
      request,
      at: this.#at(),
      ...(expiresMs === undefined ? {} : { expiresMs }),
      hold: (pending, on) => this.#hold(pending, on),
      on: (end) => {
        if (!end.ok) {
          this.#account.giveUp(turn);
          const { code, message } = end.error;
          this.#end({ outcome: "failed", error: { code, message } });
          return;
        }
        const { answered } = end;
        if (answered) this.#answers.push(answered);
        const reply = { ...end.reply, requestId: asked.requestId };
        this.#takePlace(() => {
          this.#host.state(this.#step, "in_progress", undefined, answered);
          this.#send(turn.replies + 1, { taskId: turn.taskId ?? "", asked, reply });
        });
      },
    });
    const waits = `waits for an answer to "${requestId}"`;
    this.#host.state(this.#step, "input_required", problem === undefined ? waits : `${waits}: ${problem}`);
  }

  #failed(turn: Turn, error: SettledError): void {
    this.#release();
    this.#account.giveUp(turn);
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
    this.#begin(error);
  }

  /** @param problem what was wrong with the answer, for the next attempt to do better */
  #retry(turn: Turn, error: SettledError, result?: AgentResult, problem?: string): void {
    this.#problem = problem;
    const { attempts, backoffMs } = this.#step.retry;
    const tries = this.#attempt - this.#losses;
    if (!error.retryable || tries >= attempts) {
      const { code, message } = error;
      this.#end({ ...result, outcome: "failed", error: { code, message } });
      return;
    }
    this.#workedMs = 0;
    this.#account.giveBack(this.#attemptKey, this.#turn);
    const why = this.#host.outOfBudget();
    if (why !== undefined) {
      this.#endUnpaid(why, error, result);
      return;
    }
    this.#nextAttempt(error.message);
    const { ctx } = this.#host;
    const backoff = `${turn.key}/backoff`;
    const wait = retryWaitMs(backoffMs, tries, `${ctx.runId}/${backoff}`);
    this.#hold(ctx.timer(backoff, wait), () => this.#begin(error));
  }

  /** Events and message ids of what follows are those of a new attempt; what was told before is superseded. */
  #nextAttempt(reason: string): void {
    this.#account.giveBack(this.#attemptKey, this.#turn);
    this.#attempt++;
    const key = `attempt/${this.#step.id}#${this.#attempt}`;
    this.#host.emit(key, { type: "attempt-start", reason }, this.#at());
  }

  #end(result: Partial<AgentResult> & Pick<AgentResult, "outcome">): void {
    this.#release();
    this.#account.giveBack(this.#attemptKey, this.#turn);
    const { lastAt } = this.#host;
    this.#host.end(this.#step, {
      stepId: this.#step.id,
      agent: this.#step.agent,
      outcome: result.outcome,
      answer: result.answer ?? "",
      data: result.data ?? null,
      citations: result.citations ?? [],
      artifacts: result.artifacts ?? [],
      usage: this.#account.usage,
      ...(result.checks === undefined ? {} : { checks: result.checks }),
      ...(result.error ? { error: ofRunsBudget(result.error, this.#limits, this.#step.limits) } : {}),
      ...(this.#answers.length === 0 ? {} : { answers: this.#answers }),
      provenance: {
        ...(this.#taskId === undefined ? {} : { taskId: this.#taskId }),
        attempt: this.#attempt,
        startedAt: this.#startedAt ?? lastAt,
        endedAt: lastAt,
      },
    });
  }

  get #attemptKey(): string {
    return `${this.#step.id}#${this.#attempt}`;
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
