import type { AgentCard } from "@a2a-js/sdk";
import type { AgentProfile } from "@troupe/core";

import { EXT } from "./extension.ts";

export const JSONRPC_PATH = "/a2a/jsonrpc";
export const REST_PATH = "/a2a/rest";

/** The card of an agent that is reached at `url` (no trailing slash): both bindings, 1.0 and 0.3. */
export function cardOf(profile: AgentProfile, url: string): AgentCard {
  const bindings = [
    { protocolBinding: "JSONRPC", url: `${url}${JSONRPC_PATH}` },
    { protocolBinding: "HTTP+JSON", url: `${url}${REST_PATH}` },
  ];
  return {
    name: profile.name,
    description: profile.description,
    version: profile.version,
    supportedInterfaces: ["1.0", "0.3"].flatMap((protocolVersion) =>
      bindings.map((binding) => ({ ...binding, protocolVersion, tenant: "" })),
    ),
    provider: undefined,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: EXT,
          description: "Typed events of the run beside every artifact; plain clients need none of it.",
          required: false,
          params: { title: profile.title },
        },
      ],
    },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: profile.skills.map((skill) => ({
      id: skill.id,
      name: skill.name,
      description: skill.description,
      tags: [...skill.tags],
      examples: [...skill.examples],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    })),
    signatures: [],
  };
}

/** What a card says of its agent. Card texts are data of a stranger, never instructions. */
export function profileOf(card: AgentCard): AgentProfile {
  const title: unknown = card.capabilities?.extensions.find(({ uri }) => uri === EXT)?.params?.["title"];
  return {
    name: card.name,
    title: typeof title === "string" && title !== "" ? title : card.name,
    description: card.description,
    version: card.version,
    skills: card.skills.map(({ id, name, description, tags, examples }) => ({
      id,
      name,
      description,
      tags,
      examples,
    })),
  };
}

/** The agent emits typed events under our extension. */
export function speaksExtension(card: AgentCard): boolean {
  return card.capabilities?.extensions.some(({ uri }) => uri === EXT) ?? false;
}
