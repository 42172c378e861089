/**
 * Why a process ended, out of the last lines it wrote: the message of an uncaught error, which Node
 * prints in the middle of a stack, or the error of a log line, else what it wrote last. With the
 * place where the code itself is wrong, and with what to do where a package is missing.
 */
export function causeOf(lines: readonly string[]): string | undefined {
  const thrown = lines.findLastIndex((line) => /^(?:[A-Z]\w*)?(?:Error|Exception)\b[^:]*: /.test(line));
  const place = lines
    .slice(Math.max(0, thrown - 5), Math.max(0, thrown))
    .find((line) => /^(?:file:\/\/)?[^\s:/]*\/[^:]*:\d+$/.test(line));
  const cause = lines[thrown] ?? loggedError(lines) ?? lines.at(-1);
  if (cause === undefined) return undefined;
  const [, missing] = /Cannot find package '([^']+)'/.exec(cause) ?? [];
  if (missing !== undefined)
    return `${cause}. Name "${missing}" among the dependencies in its package.json and install: npm run pnpm -- install`;
  return place === undefined ? cause : `${cause}, at ${place.replace("file://", "")}`;
}

/** The message of the last error in a log of JSON lines. */
export function loggedError(lines: readonly string[]): string | undefined {
  for (const line of lines.toReversed()) {
    const message = errorOf(line);
    if (typeof message === "string") return message;
  }
  return undefined;
}

function errorOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { readonly err?: { readonly message?: unknown } } | null)?.err?.message;
  } catch {
    return undefined;
  }
}
