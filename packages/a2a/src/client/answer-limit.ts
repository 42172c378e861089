import { AgentError, bytesAtMost, type Fetch } from "@troupe/core";

/** What an agent says with an error is a sentence, and details of it. */
const MAX_ERROR_BYTES = 1024 * 1024;

/**
 * Bounds what is read of an answer that is no stream, however it is packed: the agent may be anybody's,
 * and its answer endless. Such an answer is here whole before it is handed on, as the SDK takes what
 * goes wrong with the body of an error for an empty one. Throws an `AgentError`, `agent.protocol`.
 *
 * @param where the agent in words, to begin a sentence with
 */
export function withAnswerLimit(
  fetchImpl: Fetch,
  { answerBytes }: { readonly answerBytes: number },
  where: string,
): Fetch {
  return async (input, init) => {
    const response = await fetchImpl(input, init);
    const { headers, status, statusText } = response;
    const streamed = headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    // Of an error the SDK reads the body as a whole, whatever its type.
    if (response.body === null || (streamed && response.ok)) return response;
    const max = response.ok ? answerBytes : Math.min(answerBytes, MAX_ERROR_BYTES);
    const declared = Number(headers.get("Content-Length") ?? NaN);
    if (declared > max) await response.body.cancel(new Error("too large"));
    else if (declared <= max && isPlain(response)) return response;
    const bytes = declared > max ? undefined : await bytesAtMost(response, max);
    if (bytes === undefined)
      throw new AgentError(
        "agent.protocol",
        `${where} answered with more than ${max.toLocaleString("en-US")} bytes.`,
      );
    return new Response(bytes, { status, statusText, headers });
  };
}

/** As long as its length says. A browser does not show how the answer of another origin is packed. */
function isPlain({ headers, type }: Response): boolean {
  return type !== "cors" && (headers.get("Content-Encoding") ?? "identity") === "identity";
}
