import { AgentError } from "@troupe/core";

import type { Binding } from "./capture-record.ts";
import { listOf, recordOf, stringOf, type JsonRecord } from "../wire/json.ts";

/** Where and how an agent is talked to. */
export interface Endpoint {
  readonly url: string;
  /** `1.0`, or another version of that major; all before it count as `0.3`. */
  readonly protocol: string;
  readonly binding: Binding;
  /** Empty where there is none. */
  readonly tenant: string;
  /** What its card says; undefined without one. */
  readonly streaming: boolean | undefined;
  /** The agent's name; empty without a card. */
  readonly agent: string;
}

export interface Wanted {
  readonly protocol?: "1.0" | "0.3";
  readonly binding?: Binding;
}

/** It goes into a header, too. */
const KNOWN_VERSION = /^(0\.3|1(\.\d+)*)$/;

/**
 * The first interface of a card that can be talked to, 1.0 before 0.3. Throws an `AgentError`
 * (`agent.protocol`) that says what the card offers when there is none.
 */
export function endpointOf(card: JsonRecord, cardUrl: string, wanted: Wanted): Endpoint {
  const offered = interfacesOf(card);
  const streaming = recordOf(card["capabilities"])?.["streaming"] === true;
  const agent = stringOf(card["name"]);
  const usable = offered
    .filter(({ protocol }) => KNOWN_VERSION.test(protocol))
    .filter(
      ({ protocol, binding }) => binding === "JSONRPC" || (binding === "HTTP+JSON" && protocol !== "0.3"),
    )
    .filter(
      ({ protocol }) => wanted.protocol === undefined || (protocol === "0.3") === (wanted.protocol === "0.3"),
    )
    .filter(({ binding }) => wanted.binding === undefined || binding === wanted.binding);
  const chosen = usable.find(({ protocol }) => protocol !== "0.3") ?? usable[0];
  const url = chosen === undefined ? null : URL.parse(chosen.url, cardUrl);
  if (chosen === undefined || url === null || !/^https?:$/.test(url.protocol)) {
    const list = offered.map(({ binding, protocol }) => `${binding} ${protocol}`).join(", ") || "nothing";
    throw new AgentError(
      "agent.protocol",
      `Agent "${agent}" offers ${list}, and none of it is what was asked for or can be talked to. Known are JSONRPC and HTTP+JSON of A2A 1.0, and JSONRPC of 0.3.`,
    );
  }
  const { protocol, tenant } = chosen;
  const binding = chosen.binding === "HTTP+JSON" ? chosen.binding : "JSONRPC";
  return { url: url.href, protocol, binding, tenant, streaming, agent };
}

interface Offered {
  readonly url: string;
  readonly binding: string;
  readonly protocol: string;
  readonly tenant: string;
}

/** Those of 1.0, and those of 0.3, which a card may carry beside them. */
function interfacesOf(card: JsonRecord): readonly Offered[] {
  const current = listOf(card["supportedInterfaces"]).flatMap((value) => {
    const entry = recordOf(value);
    if (entry === undefined) return [];
    const version = stringOf(entry["protocolVersion"]);
    return {
      url: stringOf(entry["url"]),
      binding: stringOf(entry["protocolBinding"]).toUpperCase(),
      protocol: version.startsWith("0.") ? "0.3" : version || "1.0",
      tenant: stringOf(entry["tenant"]),
    };
  });
  const legacy = (url: unknown, transport: unknown): readonly Offered[] =>
    typeof url === "string"
      ? [{ url, binding: (stringOf(transport) || "JSONRPC").toUpperCase(), protocol: "0.3", tenant: "" }]
      : [];
  return [
    ...current,
    ...legacy(card["url"], card["preferredTransport"]),
    ...listOf(card["additionalInterfaces"]).flatMap((value) =>
      legacy(recordOf(value)?.["url"], recordOf(value)?.["transport"]),
    ),
  ];
}
