import type { CliContext } from "./context.ts";

/** Writes sentences to stderr, wrapped at words where it is a terminal; a word such as a path is never split. */
export async function proseWriter({
  err,
  terminal,
}: Pick<CliContext, "err"> & { readonly terminal?: { readonly columns?: number } }): Promise<
  (text: string) => void
> {
  if (terminal === undefined) return err;
  const { default: wrapAnsi } = await import("wrap-ansi");
  return (text) => err(wrapAnsi(text, terminal.columns || 80));
}
