/** What the agent is asked so that it does what a requirement is about. */
export interface Prompts {
  /** Anything that it answers quickly. */
  readonly plain: string;
  /** What keeps it at work for some seconds, or until it is canceled. */
  readonly long: string;
  /** What it cannot do without asking back. */
  readonly ask: string;
  /** What it needs to be authorized for. */
  readonly authorize: string;
}

/** Words that many agents understand; one that does not leaves requirements not exercised, not broken. */
export const PROMPTS: Prompts = {
  plain: "Hello. Please answer with one short sentence.",
  long: "Please take your time: write a long text of at least fifty paragraphs.",
  ask: "Before you do anything, ask me for the input that you need.",
  authorize: "Please do something that needs my authorization first.",
};
