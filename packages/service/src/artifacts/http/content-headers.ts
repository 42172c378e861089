const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(\\s*;\\s*${TOKEN}=(${TOKEN}|"[\\w !#-;=?@^-~-]*"))*$`);

/**
 * A file is always handed over to be kept, under its own name: in letters that every client reads,
 * and as it is (RFC 6266). Nothing of a name ends the quotes, or the header.
 */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** What a model called it, if that is a media type. */
export function contentType(mediaType: string): string {
  return mediaType.length <= 200 && MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream";
}
