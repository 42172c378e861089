import type { Pending, Settled } from "../../engine/port.ts";
import type { StepHost } from "../host.ts";
import { stamp } from "../stamped.ts";

export interface TimeLimit {
  readonly ms: number;
  /** Names in the journal: of the timer, and of the look at what is left when it fell due. */
  readonly timer: string;
  readonly overdue: string;
  /** Calls back when it settles, unless it is given up before. */
  readonly hold: (pending: Pending, on: (settled: Settled) => void) => void;
  /** The time is up. */
  readonly over: () => void;
}

/** What a look journals. */
interface TimeLeft {
  readonly leftMs: number;
  /** Given so far because the log was away. Absent where that is nothing, and in journals of earlier versions. */
  readonly anewMs?: number;
}

/** An event log that keeps a run waiting for longer than this is away. */
const LOG_AWAY_MS = 1_000;

/**
 * Bounds how long a run waits in vain. One that was taken up again counts from then on: while it was cut off
 * nobody could hear a result that was there in time, send again what an agent lost, or tell one to stop. What is
 * told waits for a log that is away in the same way: as long as that took from here on is time anew, `ms` at most
 * in all, as a log that is only slow is away at each look.
 */
export function limitTime(host: StepHost, { ms, timer, overdue, hold, over }: TimeLimit): void {
  const { ctx } = host;
  const { clock, since, eventLog } = host.services;
  const leftNow = async (anewMs: number): Promise<TimeLeft> => {
    const dueAt = clock.now();
    await eventLog.kept?.();
    const awayMs = clock.now() - dueAt;
    const ownMs = since + ms - dueAt;
    const moreMs = awayMs > LOG_AWAY_MS ? Math.min(ms - anewMs, awayMs) : 0;
    const total = anewMs + moreMs;
    return { leftMs: Math.max(ownMs, moreMs), ...(total > 0 ? { anewMs: total } : {}) };
  };
  const wait = (id: string, left: number, n: number, anewMs: number): void =>
    hold(ctx.timer(id, left), () => {
      const looked = ctx.step(`${overdue}.${n}`, () => stamp(clock, () => leftNow(anewMs)));
      hold(looked, (settled) => {
        const late = host.read<TimeLeft>(settled);
        const { leftMs, anewMs: anew = anewMs } = late.ok ? late.value : { leftMs: 0 };
        if (leftMs <= 0) over();
        else wait(`${timer}.${n}`, leftMs, n + 1, anew);
      });
    });
  wait(timer, ms, 1, 0);
}
