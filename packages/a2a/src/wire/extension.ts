/**
 * The A2A extension under which typed events travel. A client that knows it loses nothing; one
 * that does not reads plain artifacts and needs nothing.
 */
export const EXT = "urn:troupe:a2a:events:v1";

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
