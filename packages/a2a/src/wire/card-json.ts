import { AgentCard } from "@a2a-js/sdk";

import { isObject, listOf, recordOf, type JsonRecord } from "./json.ts";

/** The card as ProtoJSON, as 1.0 has it. */
export function cardJson(card: AgentCard): JsonRecord {
  return AgentCard.toJSON(card) as JsonRecord;
}

/**
 * For who names no version: one document that clients of 0.3 and of 1.0 both read, because each ignores
 * what it does not know. Where both have a field of one name it carries what either looks for.
 */
export function sharedCardJson(card: AgentCard): JsonRecord {
  const current = cardJson(card);
  const old = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion.startsWith("0."));
  const [preferred, ...others] = old;
  if (preferred === undefined) return current;
  const schemes = recordOf(current["securitySchemes"]);
  const requirements = listOf(current["securityRequirements"]);
  return {
    ...current,
    protocolVersion: preferred.protocolVersion,
    url: preferred.url,
    preferredTransport: preferred.protocolBinding,
    additionalInterfaces: others.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
    supportsAuthenticatedExtendedCard: card.capabilities?.extendedAgentCard === true,
    ...(schemes === undefined
      ? {}
      : {
          securitySchemes: Object.fromEntries(
            Object.entries(schemes).map(([name, scheme]) => [name, sharedScheme(scheme)]),
          ),
        }),
    ...(requirements.length === 0 ? {} : { security: requirements.map(legacyRequirement) }),
  };
}

const LEGACY_TYPES = {
  httpAuthSecurityScheme: "http",
  apiKeySecurityScheme: "apiKey",
  openIdConnectSecurityScheme: "openIdConnect",
  oauth2SecurityScheme: "oauth2",
  mtlsSecurityScheme: "mutualTLS",
} as const;

/** 0.3 has the fields of a scheme beside its type, 1.0 below the name of its kind. */
function sharedScheme(scheme: unknown): unknown {
  if (!isObject(scheme)) return scheme;
  for (const [kind, type] of Object.entries(LEGACY_TYPES)) {
    const fields = recordOf(scheme[kind]);
    if (fields === undefined) continue;
    const { location, ...rest } = fields;
    return { ...scheme, ...rest, type, ...(location === undefined ? {} : { in: location }) };
  }
  return scheme;
}

function legacyRequirement(requirement: unknown): unknown {
  const schemes = Object.entries(recordOf(recordOf(requirement)?.["schemes"]) ?? {});
  return Object.fromEntries(schemes.map(([name, scopes]) => [name, listOf(recordOf(scopes)?.["list"])]));
}
