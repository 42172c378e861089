import type { Inventory } from "./must-sentences.ts";

/** The comments of the service definition, 1.0.1. */
export const SERVICE_DEFINITION: Inventory = {
  "SendMessageConfiguration.history_length#1": ["b358c011", "send.history-length"],
  "SendMessageConfiguration.return_immediately#1": ["3e0d9127", "send.blocking-waits"],
  "Message#1": ["839b59cd", "send.context-told"],
  "Artifact.artifact_id#1": ["ad5cb265", "json.artifact-ids"],
  "Artifact.parts#1": ["9ed2df84", "json.required-lists"],
  "AgentInterface.url#1": ["1035996b", "card.interfaces deployment.tls"],
  "AgentInterface.tenant#1": ["d37638af", "client.tenant"],
  "AgentExtension.required#1": ["78d4f2e0", "extensions.required"],
  "TaskPushNotificationConfig.tenant#1": ["eee66b40", "client.tenant"],
  "ImplicitOAuthFlow.authorization_url#1": ["e60ce38d", "card.oauth-addresses"],
  "ImplicitOAuthFlow.refresh_url#1": ["e60ce38d", "card.oauth-addresses"],
  "PasswordOAuthFlow.token_url#1": ["e60ce38d", "card.oauth-addresses"],
  "PasswordOAuthFlow.refresh_url#1": ["e60ce38d", "card.oauth-addresses"],
  "SendMessageRequest.tenant#1": ["eee66b40", "client.tenant"],
  "GetTaskRequest.tenant#1": ["eee66b40", "client.tenant"],
  "GetTaskRequest.history_length#1": ["b358c011", "get.history-length"],
  "ListTasksRequest.tenant#1": ["eee66b40", "client.tenant"],
  "CancelTaskRequest.tenant#1": ["eee66b40", "client.tenant"],
  "GetTaskPushNotificationConfigRequest.tenant#1": ["eee66b40", "client.tenant"],
  "DeleteTaskPushNotificationConfigRequest.tenant#1": ["eee66b40", "client.tenant"],
  "SubscribeToTaskRequest.tenant#1": ["eee66b40", "client.tenant"],
  "ListTaskPushNotificationConfigsRequest.tenant#1": ["eee66b40", "client.tenant"],
  "GetExtendedAgentCardRequest.tenant#1": ["eee66b40", "client.tenant"],
};
