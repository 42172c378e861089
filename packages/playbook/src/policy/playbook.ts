import type { ModelRequest } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

export interface PlaybookCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What a policy does in one round: text, tool calls, or both. No calls ends the run with the text. */
export interface PlaybookMove {
  readonly say?: string;
  readonly calls?: readonly PlaybookCall[];
}

/**
 * Fixed rules in place of a model: a pure function of the request. The same request gives the same
 * move; what happened so far is in `request.messages`.
 */
export type Playbook = (request: ModelRequest) => PlaybookMove;
