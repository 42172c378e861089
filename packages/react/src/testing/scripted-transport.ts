import type { AgentEvent, AgentEventBody } from "@troupe/stream";

import type { ChatRequest, ChatTask, ChatTransport } from "../transport.ts";

/** One reading of a task, told what to yield by the test. */
export interface Reading {
  readonly request?: ChatRequest;
  readonly taskId: string;
  readonly aborted: boolean;
  /** Names the task, as the first update of an agent does. */
  name(): void;
  tell(...bodies: readonly AgentEventBody[]): void;
  end(): void;
  fail(error: unknown): void;
}

export interface ScriptedTransport extends ChatTransport {
  readonly sent: readonly ChatRequest[];
  readonly joined: readonly string[];
  readonly canceled: readonly string[];
  /** The reading that goes on, or went on last. */
  readonly reading: Reading;
  /** What `cancel` throws from now on. */
  failCancel(error: Error): void;
  /** What `tasks` yields or throws. */
  list(tasks: readonly ChatTask[] | Error): void;
}

type Item =
  | { readonly event: AgentEvent }
  | { readonly error: unknown }
  /** The end. */
  | undefined;

/** A way to an agent that does only what the test says. Tasks are named t1, t2 and so on. */
export function scriptedTransport(): ScriptedTransport {
  const sent: ChatRequest[] = [];
  const joined: string[] = [];
  const canceled: string[] = [];
  const readings: Reading[] = [];
  let cancelError: Error | undefined;
  let listed: readonly ChatTask[] | Error = [];
  let seq = 0;

  function read(
    start: Pick<Reading, "request" | "taskId">,
    signal: AbortSignal,
    onTask: (taskId: string) => void = () => undefined,
  ): AsyncGenerator<AgentEvent> {
    const queue: Item[] = [];
    let wake = Promise.withResolvers<void>();
    const put = (item: Item): void => {
      queue.push(item);
      wake.resolve();
    };
    let named = false;
    const name = (): void => {
      if (!named) onTask(start.taskId);
      named = true;
    };
    readings.push({
      ...start,
      get aborted() {
        return signal.aborted;
      },
      name,
      tell(...bodies) {
        name();
        for (const body of bodies)
          put({ event: { v: 1, runId: start.taskId, seq: seq++, attempt: 1, agent: "a", ...body } });
      },
      end: () => put(undefined),
      fail: (error) => put({ error }),
    });
    signal.addEventListener("abort", () => put({ error: signal.reason }), { once: true });
    return (async function* () {
      for (;;) {
        for (const item of queue.splice(0)) {
          if (signal.aborted) throw signal.reason;
          if (item === undefined) return;
          if ("error" in item) throw item.error;
          yield item.event;
        }
        if (queue.length > 0) continue;
        await wake.promise;
        wake = Promise.withResolvers();
      }
    })();
  }

  return {
    sent,
    joined,
    canceled,
    get reading() {
      const last = readings.at(-1);
      if (last === undefined) throw new Error("Nothing was asked yet.");
      return last;
    },
    failCancel: (error) => (cancelError = error),
    list: (tasks) => (listed = tasks),
    send(request, { signal, onTask }) {
      sent.push(request);
      return read({ request, taskId: request.taskId ?? `t${sent.length}` }, signal, onTask);
    },
    join(taskId, { signal }) {
      joined.push(taskId);
      return read({ taskId }, signal);
    },
    cancel(taskId) {
      canceled.push(taskId);
      return cancelError === undefined ? Promise.resolve() : Promise.reject(cancelError);
    },
    tasks: () => (listed instanceof Error ? Promise.reject(listed) : Promise.resolve(listed)),
  };
}
