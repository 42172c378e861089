import type { AgentCard, AgentExtension } from "@a2a-js/sdk";
import type { AgentProfile, AgentSkill } from "@troupe/core";

import { securityOf, type CardSecurity } from "./card-security.ts";
import { CONFIG_EXT, EXT } from "./extension.ts";

export const JSONRPC_PATH = "/a2a/jsonrpc";
export const REST_PATH = "/a2a/rest";

/** Formats that models take; other files are for tools. */
const IMAGE_MODES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** An extension that an agent declares beside the one of this package. */
export interface CardExtension {
  /** With its version; another version is another URI. */
  readonly uri: string;
  readonly description: string;
  /** Calls of a client that does not name it are refused. False by default. */
  readonly required?: boolean;
  readonly params?: { readonly [key: string]: unknown };
}

export interface CardOptions {
  readonly security?: CardSecurity;
  readonly extensions?: readonly CardExtension[];
  /** It has a store for files that come with a message. */
  readonly files?: boolean;
  /** Whoever asks for it is notified. */
  readonly push?: boolean;
  /** There is more to see for whoever authenticates. */
  readonly extended?: boolean;
  /** Where it is reached over gRPC, such as `127.0.0.1:50051`; not at all when absent. */
  readonly grpcUrl?: string;
}

/**
 * The card of an agent that is reached at `url` (no trailing slash): both bindings, 1.0 and 0.3. Throws
 * an `InputError` when a security requirement names a scheme that is not there.
 */
export function cardOf(profile: AgentProfile, url: string, options: CardOptions = {}): AgentCard {
  const bindings = [
    { protocolBinding: "JSONRPC", url: `${url}${JSONRPC_PATH}` },
    { protocolBinding: "HTTP+JSON", url: `${url}${REST_PATH}` },
  ];
  const skills = profile.skills.length > 0 ? profile.skills : [wholeSkill(profile)];
  return {
    name: profile.name,
    description: profile.description || titleOf(profile),
    version: profile.version,
    supportedInterfaces: [
      ...bindings.map((binding) => ({ ...binding, protocolVersion: "1.0", tenant: "" })),
      ...(options.grpcUrl === undefined
        ? []
        : [{ protocolBinding: "GRPC", url: options.grpcUrl, protocolVersion: "1.0", tenant: "" }]),
      ...bindings.map((binding) => ({ ...binding, protocolVersion: "0.3", tenant: "" })),
    ],
    provider: undefined,
    capabilities: {
      streaming: true,
      pushNotifications: options.push ?? false,
      extendedAgentCard: options.extended ?? false,
      extensions: [
        {
          uri: EXT,
          description: "Typed events of the run beside every artifact; plain clients need none of it.",
          required: false,
          params: { title: profile.title },
        },
        ...configExtension(profile),
        ...(options.extensions ?? []).map(({ uri, description, required = false, params }) => ({
          uri,
          description,
          required,
          params,
        })),
      ],
    },
    ...securityOf(options.security),
    defaultInputModes: ["text/plain", "application/json", ...(options.files === true ? IMAGE_MODES : [])],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: skills.map((skill) => ({
      id: skill.id,
      name: skill.name,
      // The protocol wants each of these, and an empty one is left out of the JSON.
      description: skill.description || skill.name,
      tags: skill.tags.length > 0 ? [...skill.tags] : [profile.name],
      examples: [...skill.examples],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    })),
    signatures: [],
  };
}

/** The public part of the configuration: names of servers, but neither their addresses nor their settings. */
function configExtension({ mcpServers = [], metadata = {} }: AgentProfile): readonly AgentExtension[] {
  const params = {
    ...(mcpServers.length === 0 ? {} : { mcp_servers: mcpServers.map((name) => ({ name })) }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  if (Object.keys(params).length === 0) return [];
  return [
    {
      uri: CONFIG_EXT,
      description: "MCP servers the agent takes its tools from, by name, and its metadata.",
      required: false,
      params,
    },
  ];
}

/** The protocol wants at least one skill: of an agent that names none it is the agent as a whole. */
function wholeSkill(profile: AgentProfile): AgentSkill {
  return {
    id: profile.name,
    name: titleOf(profile),
    description: profile.description,
    tags: [profile.name],
    examples: [],
  };
}

function titleOf({ title, name }: AgentProfile): string {
  return title || name;
}

/** What a card says of its agent. Card texts are data of a stranger, never instructions. */
export function profileOf(card: AgentCard): AgentProfile {
  const own: unknown = card.capabilities?.extensions.find(({ uri }) => uri === EXT)?.params?.["title"];
  const title = typeof own === "string" && own !== "" ? own : card.name;
  const said = new Set([card.name, title, card.description]);
  return {
    name: card.name,
    title,
    description: card.description,
    version: card.version,
    skills: card.skills
      .map(({ id, name, description, tags, examples }) => ({ id, name, description, tags, examples }))
      // One that only says the card again, as `wholeSkill` does, is none.
      .filter((skill) =>
        [skill.id, skill.name, skill.description, ...skill.tags, ...skill.examples].some(
          (text) => !said.has(text),
        ),
      ),
  };
}

/** The agent emits typed events under our extension. */
export function speaksExtension(card: AgentCard): boolean {
  return card.capabilities?.extensions.some(({ uri }) => uri === EXT) ?? false;
}
