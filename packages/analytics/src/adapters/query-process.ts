import { fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Clock } from "@troupe/stream";

import type { ChildSetup, FromChild } from "./query-protocol.ts";
import { queryProcess, type QueryLimits, type QueryLink, type QueryProcess } from "./query-session.ts";

/** What statements are run on. */
export interface QueryTarget {
  /** Path of the database. */
  readonly file: string;
  /** Tables a statement may read. */
  readonly tables: readonly string[];
  readonly limits: QueryLimits;
  readonly clock: Clock;
}

/** Starts a process over one database file. */
export function startQueryProcess({ file, tables, limits, clock }: QueryTarget): QueryProcess {
  const { threads, engineMb, rssMb } = limits;
  return queryProcess(linkToChild({ file, tables, threads, engineMb, rssMb }), limits, clock);
}

function linkToChild(setup: ChildSetup): QueryLink {
  const file = fileURLToPath(new URL(`./query-child${extname(import.meta.url)}`, import.meta.url));
  const child = fork(file, [JSON.stringify(setup)], {
    // Nothing of this process goes along: no environment with secrets, no flags, no standard streams.
    env: {},
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2_000);
  });
  return {
    send(message) {
      if (child.connected) child.send(message);
    },
    kill: () => void child.kill("SIGKILL"),
    onMessage: (listener) => void child.on("message", (message) => listener(message as FromChild)),
    onEnd(listener) {
      const end = (): void => listener({ killed: child.signalCode !== null, said });
      child.once("exit", end);
      child.once("error", end);
    },
  };
}
