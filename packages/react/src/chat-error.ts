import { TroupeError } from "@troupe/core";

export type ChatErrorCode = "chat.nothing-asked" | "chat.cut-off";

/** A chat that cannot do what it was told, or an agent that broke off. */
export class ChatError extends TroupeError {
  declare readonly code: ChatErrorCode;

  constructor(code: ChatErrorCode, message: string) {
    super(code, message, { retryable: code === "chat.cut-off" });
  }
}
