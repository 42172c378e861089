import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** What a command gets from the process it runs in; a test hands in its own. */
export interface CliContext {
  /** The answer, and nothing else. */
  readonly out: (text: string) => void;
  /** Progress, plans, questions and errors. */
  readonly err: (text: string) => void;
  /** Where lines can be redrawn; absent when stderr is no terminal. */
  readonly terminal?: NodeJS.WriteStream;
  /**
   * Shows what happens right now on one line, which the next output replaces; an empty text clears it. Absent
   * when stderr is no terminal.
   */
  readonly status?: (text: string) => void;
  readonly color: boolean;
  /** How the answer can look on stdout, as it is now; absent when stdout is no terminal. */
  readonly screen?: () => { readonly columns: number; readonly color: boolean };
  /** Asks the person at the terminal, who may leave: then it gives undefined. Absent when there is none. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Without what is only for this command, such as `TROUPE_TOKEN`: processes it starts get this. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Shown to the orchestrator, where it asks who calls, and else to whom `--auth-env TROUPE_TOKEN` says. */
  readonly token?: string;
  readonly cwd: string;
  /** Absolute. */
  readonly home: string;
  /** Folder with one folder an app. */
  readonly appsRoot: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  /** Opens a file in the program the desktop has for it; false when there is no desktop to open it on. */
  readonly openFile?: (path: string) => Promise<boolean>;
  /** Aborts at the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
}
