import { AgentError, readAtMost, type Fetch } from "@troupe/core";

import { toAgentError } from "../client/errors.ts";
import { cardAddress, MAX_CARD_BYTES } from "../client/fetch-card.ts";
import { isObject, listOf, parseJson, recordOf, stringOf, type JsonRecord } from "../wire/json.ts";
import { BINDINGS, type Applies, type Binding } from "./requirement.ts";

/** One way to reach the agent, as its card offers it. */
export interface Interface {
  readonly url: string;
  readonly binding: string;
  readonly version: string;
  readonly tenant: string;
}

/** The agent that is looked at, by its card. */
export interface Target {
  readonly cardUrl: string;
  readonly card: JsonRecord;
  readonly name: string;
  readonly interfaces: readonly Interface[];
  /** What can be tried: the first interface of 1.0 for each binding this suite speaks. */
  readonly offered: ReadonlyMap<Binding, Interface>;
  /** The first JSON-RPC interface of 0.3. */
  readonly legacy: Interface | undefined;
}

/** Reads the card. Throws an `AgentError` when there is none that anything could be tried on. */
export async function findTarget(
  url: string,
  options: {
    readonly fetchImpl: Fetch;
    readonly headers: { readonly [name: string]: string };
    readonly signal: AbortSignal;
  },
): Promise<Target> {
  const cardUrl = cardAddress(url);
  const card = await readCard(cardUrl, options);
  const interfaces = listOf(card["supportedInterfaces"]).map((item): Interface => {
    const entry = recordOf(item) ?? {};
    return {
      url: stringOf(entry["url"]).replace(/\/+$/, ""),
      binding: stringOf(entry["protocolBinding"]),
      version: stringOf(entry["protocolVersion"]),
      tenant: stringOf(entry["tenant"]),
    };
  });
  const find = (binding: string, major: string): Interface | undefined =>
    interfaces.find((one) => one.binding === binding && one.version.startsWith(major));
  const offered = new Map<Binding, Interface>();
  for (const binding of BINDINGS) {
    const found = find(binding, "1.");
    if (found !== undefined) offered.set(binding, found);
  }
  if (offered.size === 0)
    throw new AgentError(
      "agent.protocol",
      `The card at ${cardUrl} offers none of JSONRPC, HTTP+JSON and GRPC of A2A 1.0, so nothing can be tried. It offers ${
        interfaces.map(({ binding, version }) => `${binding} ${version}`).join(", ") || "nothing"
      }.`,
    );
  return { cardUrl, card, name: stringOf(card["name"]), interfaces, offered, legacy: find("JSONRPC", "0.3") };
}

async function readCard(
  cardUrl: string,
  { fetchImpl, headers, signal }: Parameters<typeof findTarget>[1],
): Promise<JsonRecord> {
  try {
    const sent = { "A2A-Version": "1.0", ...headers };
    const response = await fetchImpl(cardUrl, { headers: sent, signal });
    const card = response.ok ? parseJson(await readAtMost(response, MAX_CARD_BYTES)) : undefined;
    if (isObject(card)) return card;
    const why = response.ok ? "what stands there is no JSON object" : `HTTP ${response.status}`;
    throw new AgentError(
      "agent.unreachable",
      `No agent card at ${cardUrl}: ${why}. Give the agent's address, such as http://host:port, or that of its card.`,
    );
  } catch (error) {
    throw toAgentError(error, cardUrl, signal);
  }
}

/** Why a requirement is not for this agent; undefined when it is. */
export function whyNot(applies: Applies, { card, offered, legacy }: Target): string | undefined {
  const capabilities = recordOf(card["capabilities"]) ?? {};
  const has = (name: string): boolean => capabilities[name] === true;
  const extensions = listOf(capabilities["extensions"]);
  const holds: { readonly [A in Applies]: boolean } = {
    always: true,
    streaming: has("streaming"),
    "no-streaming": !has("streaming"),
    push: has("pushNotifications"),
    "no-push": !has("pushNotifications"),
    "extended-card": has("extendedAgentCard"),
    "no-extended-card": !has("extendedAgentCard"),
    authentication: listOf(card["securityRequirements"]).length > 0,
    "required-extension": extensions.some((item) => recordOf(item)?.["required"] === true),
    extensions: extensions.length > 0,
    legacy: legacy !== undefined,
    "several-bindings": offered.size > 1,
    "signed-card": listOf(card["signatures"]).length > 0,
  };
  return holds[applies] ? undefined : WHY[applies];
}

const WHY: { readonly [A in Applies]: string } = {
  always: "",
  streaming: "The card does not offer streaming.",
  "no-streaming": "The card offers streaming.",
  push: "The card does not offer push notifications.",
  "no-push": "The card offers push notifications.",
  "extended-card": "The card offers no extended card.",
  "no-extended-card": "The card offers an extended card.",
  authentication: "The card asks for no credentials.",
  "required-extension": "The card requires no extension.",
  extensions: "The card has no extensions.",
  legacy: "The card offers no JSON-RPC of 0.3.",
  "several-bindings": "The card offers one binding.",
  "signed-card": "The card is not signed.",
};
