/** Text that could not be sent: code `stream.unsent`. `pending` of its buffer still has it. */
export class UnsentTextError extends Error {
  readonly code = "stream.unsent";
  readonly retryable = true;
  /** UTF-16 units that were not sent. */
  readonly unsent: number;

  constructor(unsent: number, attempts: number, cause: unknown) {
    super(
      `${unsent} characters could not be sent in ${attempts} attempts; they are kept. Try again, or deliver them otherwise.`,
      { cause },
    );
    this.name = "UnsentTextError";
    this.unsent = unsent;
    // As every error of Troupe is recognised.
    Object.defineProperty(this, Symbol.for("troupe.error"), { value: true });
  }
}
