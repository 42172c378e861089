const CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

/** What to do about an error where it comes from a process that may open no more files; undefined for any other. */
export function tooManyFiles(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && CODES.has(error.code)
    ? "More files and connections are needed at once than may be open. Allow more, such as with `ulimit -n 1024` in this shell, and try again."
    : tooManyFiles(error.cause);
}
