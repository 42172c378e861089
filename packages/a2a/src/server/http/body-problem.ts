/** What is wrong with a request's body, in words for its sender. */
export interface BodyProblem {
  readonly status: number;
  readonly message: string;
}

/** Reads the errors of the body parser; undefined for any other error. */
export function bodyProblem(error: unknown): BodyProblem | undefined {
  if (typeof error !== "object" || error === null || !("type" in error) || !("status" in error))
    return undefined;
  if (typeof error.status !== "number") return undefined;
  const limit = "limit" in error && typeof error.limit === "number" ? error.limit : 0;
  switch (error.type) {
    case "entity.too.large":
      return { status: 413, message: `The body is larger than ${limit} bytes; send files by address.` };
    case "entity.parse.failed":
      return { status: 400, message: "The body is no valid JSON." };
    case "encoding.unsupported":
    case "charset.unsupported":
      return { status: 415, message: "The body's encoding is not supported; send UTF-8 JSON." };
    default:
      return { status: error.status, message: "The body could not be read." };
  }
}
