import type { Field, FieldType, Shape } from "./shape.ts";

export const TASK_STATES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;

const text: Field = { type: "string" };
const needed: Field = { type: "string", required: true };
const struct: Field = { type: "struct" };
const texts: Field = { type: "string", list: true };
const of = (message: string): Field => ({ type: { message } });
const must = (message: string): Field => ({ type: { message }, required: true });
const many = (message: string): Field => ({ type: { message }, list: true });
const some = (message: string): Field => ({ type: { message }, list: true, required: true });
const map = (type: FieldType): Field => ({ type: { map: type } });
const flag: Field = { type: "bool" };

/** Messages of the service definition of A2A 1.0 that a server sends. */
export const SHAPES: { readonly [message: string]: Shape } = {
  Task: {
    fields: {
      id: needed,
      contextId: text,
      status: must("TaskStatus"),
      artifacts: many("Artifact"),
      history: many("Message"),
      metadata: struct,
    },
  },
  TaskStatus: {
    fields: {
      state: { type: { one: TASK_STATES }, required: true },
      message: of("Message"),
      timestamp: { type: "time" },
    },
  },
  Message: {
    fields: {
      messageId: needed,
      contextId: text,
      taskId: text,
      role: { type: { one: ["ROLE_USER", "ROLE_AGENT"] }, required: true },
      parts: some("Part"),
      metadata: struct,
      extensions: texts,
      referenceTaskIds: texts,
    },
  },
  Part: {
    fields: {
      text,
      raw: { type: "base64" },
      url: text,
      data: { type: "any" },
      metadata: struct,
      filename: text,
      mediaType: text,
    },
    oneOf: ["text", "raw", "url", "data"],
  },
  Artifact: {
    fields: {
      artifactId: needed,
      name: text,
      description: text,
      parts: some("Part"),
      metadata: struct,
      extensions: texts,
    },
  },
  TaskStatusUpdateEvent: {
    fields: { taskId: needed, contextId: needed, status: must("TaskStatus"), metadata: struct },
  },
  TaskArtifactUpdateEvent: {
    fields: {
      taskId: needed,
      contextId: needed,
      artifact: must("Artifact"),
      append: flag,
      lastChunk: flag,
      metadata: struct,
    },
  },
  StreamResponse: {
    fields: {
      task: of("Task"),
      message: of("Message"),
      statusUpdate: of("TaskStatusUpdateEvent"),
      artifactUpdate: of("TaskArtifactUpdateEvent"),
    },
    oneOf: ["task", "message", "statusUpdate", "artifactUpdate"],
  },
  SendMessageResponse: {
    fields: { task: of("Task"), message: of("Message") },
    oneOf: ["task", "message"],
  },
  ListTasksResponse: {
    fields: {
      // Marked as required, and yet empty when there is nothing.
      tasks: many("Task"),
      nextPageToken: text,
      pageSize: { type: "int" },
      totalSize: { type: "int" },
    },
  },
  TaskPushNotificationConfig: {
    fields: {
      tenant: text,
      id: text,
      taskId: text,
      url: needed,
      token: text,
      authentication: of("AuthenticationInfo"),
    },
  },
  AuthenticationInfo: { fields: { scheme: needed, credentials: text } },
  AgentCard: {
    fields: {
      name: needed,
      description: needed,
      supportedInterfaces: some("AgentInterface"),
      provider: of("AgentProvider"),
      version: needed,
      documentationUrl: text,
      capabilities: must("AgentCapabilities"),
      securitySchemes: map({ message: "SecurityScheme" }),
      securityRequirements: many("SecurityRequirement"),
      defaultInputModes: { ...texts, required: true },
      defaultOutputModes: { ...texts, required: true },
      skills: some("AgentSkill"),
      signatures: many("AgentCardSignature"),
      iconUrl: text,
    },
  },
  AgentInterface: {
    fields: { url: needed, protocolBinding: needed, tenant: text, protocolVersion: needed },
  },
  AgentProvider: { fields: { url: needed, organization: needed } },
  AgentCapabilities: {
    fields: {
      streaming: flag,
      pushNotifications: flag,
      extensions: many("AgentExtension"),
      extendedAgentCard: flag,
    },
  },
  AgentExtension: { fields: { uri: text, description: text, required: flag, params: struct } },
  AgentSkill: {
    fields: {
      id: needed,
      name: needed,
      description: needed,
      tags: { ...texts, required: true },
      examples: texts,
      inputModes: texts,
      outputModes: texts,
      securityRequirements: many("SecurityRequirement"),
    },
  },
  AgentCardSignature: { fields: { protected: needed, signature: needed, header: struct } },
  SecurityRequirement: { fields: { schemes: map({ message: "StringList" }) } },
  StringList: { fields: { list: texts } },
  SecurityScheme: {
    fields: {
      apiKeySecurityScheme: of("APIKeySecurityScheme"),
      httpAuthSecurityScheme: of("HTTPAuthSecurityScheme"),
      oauth2SecurityScheme: of("OAuth2SecurityScheme"),
      openIdConnectSecurityScheme: of("OpenIdConnectSecurityScheme"),
      mtlsSecurityScheme: of("MutualTlsSecurityScheme"),
    },
    oneOf: [
      "apiKeySecurityScheme",
      "httpAuthSecurityScheme",
      "oauth2SecurityScheme",
      "openIdConnectSecurityScheme",
      "mtlsSecurityScheme",
    ],
  },
  APIKeySecurityScheme: {
    fields: {
      description: text,
      location: { type: { one: ["query", "header", "cookie"] }, required: true },
      name: needed,
    },
  },
  HTTPAuthSecurityScheme: { fields: { description: text, scheme: needed, bearerFormat: text } },
  OAuth2SecurityScheme: {
    fields: { description: text, flows: { type: "struct", required: true }, oauth2MetadataUrl: text },
  },
  OpenIdConnectSecurityScheme: { fields: { description: text, openIdConnectUrl: needed } },
  MutualTlsSecurityScheme: { fields: { description: text } },
};
