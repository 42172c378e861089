import { RestatePromise, type WorkflowContext } from "@restatedev/restate-sdk";
import type { Clock } from "@troupe/stream";

/** One workflow of Restate: what is kept of it over all of its attempts. */
export interface MemoryWorkflow {
  readonly key: string;
  /** Names of what was asked for, in that order. */
  readonly commands: string[];
  /** What came of it, in the order in which it arrived; each by the place of its command. */
  readonly arrived: { readonly place: number; readonly value: unknown }[];
  /** When each sleep ends. */
  readonly dues: Map<number, number>;
  readonly state: Map<string, unknown>;
  readonly promises: Map<string, Uint8Array>;
  /** Called with the name of each promise that is resolved. */
  onPromise: ((name: string) => void) | undefined;
}

export interface MemoryAttempt {
  readonly context: WorkflowContext;
  /** As when the connection to Restate is lost. */
  end(): void;
}

/**
 * One attempt of a workflow: what was there before is handed out again in its order, and only then what was
 * asked for and has not come begins. As in Restate, values are kept before they are handed out, and an attempt
 * that asks for something else than the one before is a mismatch: it goes no further.
 */
export function memoryAttempt(run: MemoryWorkflow, clock: Clock): MemoryAttempt {
  const over = new AbortController();
  const waiting = new Map<number, (value: unknown) => void>();
  const cancels: (() => void)[] = [];
  let toStart: (() => void)[] = [];
  let commands = 0;
  let handedOut = 0;
  let scheduled = false;

  // One a turn of the event loop, so that whoever waits has asked for the next before it comes.
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (over.signal.aborted) return;
      const next = run.arrived[handedOut];
      if (next === undefined) {
        const starting = toStart;
        toStart = [];
        for (const start of starting) start();
        return;
      }
      handedOut++;
      waiting.get(next.place)?.(next.value);
      schedule();
    });
  };
  const arrive = (place: number, value: unknown): void => {
    if (over.signal.aborted) return;
    run.arrived.push({ place, value });
    schedule();
  };
  const ask = <T>(name: string, start: (place: number) => void): RestatePromise<T> => {
    const place = commands++;
    const known = run.commands[place];
    if (known === undefined) run.commands.push(name);
    else if (known !== name)
      return RestatePromise.resolve(new Promise<T>(() => undefined)) as RestatePromise<T>;
    const came = new Promise<unknown>((resolve) => waiting.set(place, resolve));
    if (!run.arrived.some((arrival) => arrival.place === place)) toStart.push(() => start(place));
    schedule();
    return RestatePromise.resolve(came) as RestatePromise<T>;
  };
  const watched = new Map<string, number>();
  run.onPromise = (name) => {
    const place = watched.get(name);
    watched.delete(name);
    if (place !== undefined) arrive(place, run.promises.get(name));
  };

  const context = {
    key: run.key,
    request: () => ({ attemptCompletedSignal: over.signal }),
    run: (name: string, action: () => Promise<unknown>) =>
      ask(name, (place) => void action().then((value) => arrive(place, value))),
    sleep: (ms: number, name: string) =>
      ask(name, (place) => {
        const due = run.dues.get(place) ?? clock.now() + ms;
        run.dues.set(place, due);
        cancels.push(clock.schedule(Math.max(0, due - clock.now()), () => arrive(place, undefined)));
      }),
    promise: (name: string) => ({
      get: () =>
        ask(`promise ${name}`, (place) => {
          const value = run.promises.get(name);
          if (value === undefined) watched.set(name, place);
          else arrive(place, value);
        }),
      peek: async () => run.promises.get(name),
      async resolve(value: Uint8Array) {
        run.promises.set(name, value);
        run.onPromise?.(name);
      },
    }),
    get: async (name: string) => run.state.get(name) ?? null,
    set: (name: string, value: unknown) => void run.state.set(name, value),
  };
  return {
    // As much of it as the handlers use.
    context: context as unknown as WorkflowContext,
    end() {
      over.abort(new Error("the attempt has ended"));
      for (const cancel of cancels) cancel();
    },
  };
}
