/** What a human step asks has the step's own id. */
export const humanRequestId = (stepId: string): string => stepId;

/** The n-th question (from 1) an agent asks within a step; `#` stands in no step id. */
export const replyRequestId = (stepId: string, n: number): string => `${stepId}#${n}`;

/** The signal that answers a request of a run: `human:<step>` or `reply:<step>#n`. */
export function answerSignal(requestId: string): string {
  return requestId.includes("#") ? `reply:${requestId}` : `human:${requestId}`;
}
