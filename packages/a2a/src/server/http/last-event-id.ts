/** Ours are some twenty characters; a longer one is of nobody here. */
const MAX_LENGTH = 100;

/** The id of the last event that the sender of these headers has, in the words of server-sent events. */
export function lastEventIdOf(headers: {
  readonly [name: string]: string | readonly string[] | undefined;
}): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" && value !== "" && value.length <= MAX_LENGTH ? value : undefined;
}
