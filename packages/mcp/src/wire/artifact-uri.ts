/** Files a tool hands over are resources of this scheme, read through `resources/read`. */
export const ARTIFACT_SCHEME = "troupe-artifact";

/** `troupe-artifact://<id>/<name>`; the name is for people, the id finds the bytes. */
export function artifactUri(id: string, name: string): string {
  return `${ARTIFACT_SCHEME}://${encodeURIComponent(id)}/${encodeURIComponent(name)}`;
}

/** Undefined when the text is not such an address. */
export function parseArtifactUri(uri: string): { readonly id: string; readonly name: string } | undefined {
  const match = /^troupe-artifact:\/\/([^/?#]+)\/([^/?#]+)$/.exec(uri);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  try {
    return { id: decodeURIComponent(match[1]), name: decodeURIComponent(match[2]) };
  } catch {
    return undefined;
  }
}

export function isArtifactUri(uri: string): boolean {
  return uri.startsWith(`${ARTIFACT_SCHEME}://`);
}
