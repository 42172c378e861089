/**
 * How the specification says it: by the word MUST (NOT), REQUIRED or SHALL (`MUST`), by defining an
 * operation, a table or an example without such a word (`DEFINED`), or as a recommendation (`SHOULD`).
 * Only recommendations may be missed by a server that conforms.
 */
export type Level = "MUST" | "DEFINED" | "SHOULD";

/** For which agents it holds, by what their cards declare. */
export type Applies =
  | "always"
  | "streaming"
  | "no-streaming"
  | "push"
  | "no-push"
  | "extended-card"
  | "no-extended-card"
  | "authentication"
  | "required-extension"
  | "extensions"
  | "legacy"
  | "several-bindings"
  | "signed-card";

export type Binding = "JSONRPC" | "HTTP+JSON" | "GRPC";

/** What a server has to keep to, and can be seen to keep to or to break from outside. */
export interface Requirement {
  /** Stable: expected failures and the inventory name it. */
  readonly id: string;
  /** Of the A2A 1.0 specification. */
  readonly section: string;
  readonly level: Level;
  /** What is asked, in words of this project. */
  readonly text: string;
  readonly applies: Applies;
  /** Over which bindings it is tried; `agent` is tried once, whatever bindings there are. */
  readonly over: readonly Binding[] | "agent";
  /** Why it cannot be tried from outside. */
  readonly untestable?: string;
}

export const BINDINGS: readonly Binding[] = ["JSONRPC", "HTTP+JSON", "GRPC"];

type More = Partial<Pick<Requirement, "applies" | "over" | "untestable">>;

/** What is about JSON or HTTP, and has no meaning over gRPC. */
export const OVER_HTTP = { over: ["JSONRPC", "HTTP+JSON"] } as const satisfies More;

/** A requirement that holds always and over each binding, but for what `more` says. */
export function requirement(
  id: string,
  section: string,
  level: Level,
  text: string,
  more: More = {},
): Requirement {
  return { id, section, level, text, applies: "always", over: BINDINGS, ...more };
}
