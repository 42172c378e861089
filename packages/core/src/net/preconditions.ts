/** Headers of a request, by lower-case name. */
interface Headers {
  readonly "if-none-match"?: string | undefined;
  readonly "if-modified-since"?: string | undefined;
  readonly "if-range"?: string | readonly string[] | undefined;
}

/** By what a state of a resource is told from another (RFC 9110, section 8.8). */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch; HTTP tells whole seconds. */
  readonly modifiedAt: number;
}

/** Whether the caller has it already (RFC 9110, section 13): an ETag decides, where one is sent. */
export function isUnchanged(headers: Headers, { etag, modifiedAt }: Validators): boolean {
  const given = headers["if-none-match"];
  if (given !== undefined) {
    if (given.trim() === "*") return true;
    return given.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  }
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return Math.floor(modifiedAt / 1000) * 1000 <= since;
}

/** Whether a range may be answered: a caller that goes on with another state of the file gets it whole. */
export function rangeHolds(headers: Headers, { etag, modifiedAt }: Validators): boolean {
  const given = headers["if-range"];
  if (given === undefined || typeof given !== "string") return true;
  const tag = given.trim();
  if (/^(W\/)?"/.test(tag)) return tag === etag;
  return Math.floor(modifiedAt / 1000) * 1000 === Date.parse(tag);
}
