import type { CliContext } from "../context.ts";

/** Runs a command once what it needs is open; its exit code is the program's. */
export type Does = (command: (context: CliContext) => Promise<number>) => Promise<void>;

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
