/**
 * The A2A extension under which typed events travel. A client that knows it loses nothing; one
 * that does not reads plain artifacts and needs nothing.
 */
export const EXT = "urn:troupe:a2a:events:v1";

/** The public part of an agent's configuration, on its card. It has no effect on calls. */
export const CONFIG_EXT = "urn:troupe:a2a:config:v1";

/** Names of artifacts as the field's existing clients know them. */
export const ARTIFACT_NAMES = {
  text: "streaming_result",
  final: "final_result",
  partial: "partial_result",
  complete: "complete_result",
  toolStart: "tool_notification_start",
  toolEnd: "tool_notification_end",
  plan: "execution_plan_update",
  planStatus: "execution_plan_status_update",
  form: "UserInputMetaData",
} as const;

/** They stand for a state, and may be sent anew as a whole. */
export const PLAN_NAMES: ReadonlySet<string> = new Set([ARTIFACT_NAMES.plan, ARTIFACT_NAMES.planStatus]);

/** They stand for the task, and one of them once. */
export const RESULT_NAMES: ReadonlySet<string> = new Set([ARTIFACT_NAMES.final, ARTIFACT_NAMES.partial]);
