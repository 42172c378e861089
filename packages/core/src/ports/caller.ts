/** Who calls, as authentication found. Never made from what a message says of its sender. */
export interface Caller {
  /** The person, or the program, whose rights these are. Never empty. */
  readonly id: string;
  /** What it may use: `*` is everything, `agent:<name>` that agent. */
  readonly scopes: readonly string[];
  /** The agent that calls in its name, where one does. */
  readonly actor?: string;
}
