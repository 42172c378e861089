import type { CliContext } from "./context.ts";

/** Scripts of the checkout's package.json that come to this command line. */
const SCRIPTS = new Set(["troupe", "start"]);

/**
 * A command of ours as a person would have to type it here. In a checkout there is no `troupe` on the
 * path: who came through npm goes on through npm.
 */
export function typed({ env }: Pick<CliContext, "env">, args: string): string {
  const script = env["npm_lifecycle_event"] ?? "";
  const throughNpm = env["npm_package_name"] === "troupe" && SCRIPTS.has(script);
  return `${throughNpm ? "npm run --silent troupe --" : "troupe"} ${args}`;
}

/** A word of somebody else as part of such a command: what a shell would act on stands in quotes. */
export function shellWord(word: string): string {
  return /^[\w.,:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
