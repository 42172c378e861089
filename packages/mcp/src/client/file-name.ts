const MAX_NAME = 120;

/** Extensions of what tools hand over inline. */
const EXTENSIONS: { readonly [mediaType: string]: string } = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "application/pdf": "pdf",
  "application/json": "json",
  "text/plain": "txt",
  "text/csv": "csv",
  "text/markdown": "md",
};

/**
 * A file name that a server made up, made safe: one path segment, no control or bidirectional
 * characters, no leading dot, at most 120 units with the extension kept. `fallback` when nothing is left.
 */
export function safeFileName(name: string, fallback: string): string {
  const segment = name.split(/[/\\]/).at(-1) ?? "";
  const clean = segment
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, "")
    // Each run is tried from its beginning only: from each of its characters takes quadratic time.
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, "");
  if (clean === "") return fallback;
  if (clean.length <= MAX_NAME) return clean;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(clean)?.[0] ?? "";
  return `${clean.slice(0, MAX_NAME - extension.length).toWellFormed()}${extension}`;
}

/** A media type in its plain form, or bytes of unknown kind. */
export function safeMediaType(mediaType: string | undefined): string {
  const plain = mediaType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/.test(plain) ? plain : "application/octet-stream";
}

/** `image-1.png` for the first image without a name of its own. */
export function inlineName(kind: string, index: number, mediaType: string): string {
  return `${kind}-${index}.${EXTENSIONS[mediaType] ?? "bin"}`;
}
