import { AgentError, InputError, type InputErrorCode } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { z } from "zod";

const CODES = [
  "input.not-found",
  "input.invalid",
  "input.unsupported",
  "input.conflict",
] as const satisfies InputErrorCode[];
const limited = z.object({ error: z.string() });
const refusal = z.object({ error: z.object({ code: z.enum(CODES), message: z.string() }) });

export interface AskOptions {
  readonly method?: "GET" | "POST" | "PUT";
  readonly body?: Uint8Array;
  /** Shown to a server that asks who calls. */
  readonly token: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Asks a loopback address. Throws the `InputError` it answers with where what was asked for is not there
 * or cannot be done, and an `AgentError` when nothing useful answers.
 */
export async function ask(url: string, { token, headers, ...options }: AskOptions): Promise<Response> {
  try {
    const response = await nodeFetch(url, {
      ...options,
      headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      redirect: "error",
    });
    if (response.ok) return response;
    if (response.status === 401)
      throw new AgentError("agent.unauthenticated", `${url} asks who calls, and does not know this caller.`);
    if (response.status === 403)
      throw new AgentError("agent.forbidden", `${url} is not for this caller: a scope is missing.`);
    if (response.status === 429) {
      const said = limited.safeParse(await response.json());
      const why = said.success ? ` ${said.data.error}` : "";
      throw new AgentError("agent.busy", `${url} refuses this for now.${why}`, { retryable: true });
    }
    const said = [400, 404, 409].includes(response.status)
      ? refusal.safeParse(await response.json())
      : undefined;
    if (said?.success === true) throw new InputError(said.data.error.code, said.data.error.message);
    throw new AgentError("agent.protocol", `${url} answered HTTP ${response.status}.`);
  } catch (error) {
    throw asUnreachable(url, error);
  }
}

/** JSON from a loopback address; throws as `ask` does. */
export async function getJson(url: string, token?: string, method: "GET" | "POST" = "GET"): Promise<unknown> {
  const response = await ask(url, { method, token, signal: AbortSignal.timeout(10_000) });
  try {
    return await response.json();
  } catch (error) {
    throw asUnreachable(url, error);
  }
}

function asUnreachable(url: string, error: unknown): Error {
  if (error instanceof AgentError || error instanceof InputError) return error;
  return new AgentError("agent.unreachable", `${url} does not answer.`, { cause: error, retryable: true });
}
