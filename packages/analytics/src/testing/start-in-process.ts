import { openQueryEngine, type QueryEngine } from "../adapters/query-engine.ts";
import type { startQueryProcess } from "../adapters/query-process.ts";
import type { FromChild } from "../adapters/query-protocol.ts";
import { queryProcess } from "../adapters/query-session.ts";

/**
 * Runs statements in this process: the same engine, protocol and gate, without what it takes to start a
 * process. What a process is there for, an end to memory and time, is not to be had here.
 */
export const startInProcess: typeof startQueryProcess = ({ file, tables, limits, clock }) => {
  const { threads, engineMb } = limits;
  let hear: (message: FromChild) => void = () => undefined;
  let ended: (end: { readonly killed: boolean; readonly said: string }) => void = () => undefined;
  let engine: QueryEngine | undefined;
  const open = async (): Promise<void> => {
    try {
      engine = await openQueryEngine({ file, tables, threads, engineMb }, (message) => hear(message));
      hear({ kind: "ready" });
    } catch (error) {
      ended({ killed: false, said: String(error) });
    }
  };
  const opening = open();
  const close = async (): Promise<void> => {
    await opening;
    engine?.close();
    engine = undefined;
    ended({ killed: true, said: "" });
  };
  return queryProcess(
    {
      send: (message) => engine?.receive(message),
      kill: () => void close(),
      onMessage: (listener) => void (hear = listener),
      onEnd: (listener) => void (ended = listener),
    },
    limits,
    clock,
  );
};
