import { AgentError, InputError } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { z } from "zod";

const notFound = z.object({ error: z.object({ code: z.literal("input.not-found"), message: z.string() }) });

/**
 * JSON from a loopback address. Throws the `InputError` it answers with where what was asked for is
 * not there, and an `AgentError` when nothing useful answers.
 *
 * @param token shown to a server that asks who calls
 */
export async function getJson(url: string, token?: string): Promise<unknown> {
  try {
    const response = await nodeFetch(url, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
      redirect: "error",
    });
    if (response.ok) return await response.json();
    if (response.status === 401)
      throw new AgentError("agent.unauthenticated", `${url} asks who calls, and does not know this caller.`);
    if (response.status === 403)
      throw new AgentError("agent.forbidden", `${url} is not for this caller: a scope is missing.`);
    const said = response.status === 404 ? notFound.safeParse(await response.json()) : undefined;
    if (said?.success === true) throw new InputError(said.data.error.code, said.data.error.message);
    throw new AgentError("agent.protocol", `${url} answered HTTP ${response.status}.`);
  } catch (error) {
    if (error instanceof AgentError || error instanceof InputError) throw error;
    throw new AgentError("agent.unreachable", `${url} does not answer.`, { cause: error, retryable: true });
  }
}
