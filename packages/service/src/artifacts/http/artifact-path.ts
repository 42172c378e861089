/** What an address under `/artifacts` names. */
export interface ArtifactPath {
  /** Of the file; absent in an address of all files, or of one that is to be put. */
  readonly id?: string;
  /** As it is written, decoded. */
  readonly name?: string;
  readonly query: URLSearchParams;
}

/** Undefined for an address that is not one of files, or cannot be read. */
export function artifactPath(url: string | undefined): ArtifactPath | undefined {
  const match = /^\/artifacts(?:\/([^/?#]*))?(?:\/([^/?#]*))?(?:\?([^#]*))?$/.exec(url ?? "");
  if (!match) return undefined;
  const [, first = "", second, search = ""] = match;
  const query = new URLSearchParams(search);
  if (first === "" && second === undefined) return { query };
  if (second === undefined && !/^[0-9a-f]{32}$/.test(first)) {
    const name = decode(first);
    return name === undefined ? undefined : { name, query };
  }
  if (!/^[0-9a-f]{32}$/.test(first)) return undefined;
  const name = second === undefined ? undefined : decode(second);
  if (second !== undefined && name === undefined) return undefined;
  return { id: first, query, ...(name === undefined ? {} : { name }) };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
