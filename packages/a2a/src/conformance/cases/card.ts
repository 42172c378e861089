import { readAtMost } from "@troupe/core";

import { MAX_CARD_BYTES } from "../../client/fetch-card.ts";
import { isObject, listOf, parseJson, recordOf, stringOf, type JsonRecord } from "../../wire/json.ts";
import { checkShape } from "../shapes/check-shape.ts";
import { succeeded } from "../behaviour.ts";
import { expectFault, type Trial } from "../trial.ts";
import { demand, quote } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

function demandShape(message: string, value: unknown): void {
  const problems = checkShape(message, value).map(({ at, problem }) => `${at} ${problem}`);
  demand(problems.length === 0, `${problems.slice(0, 5).join("; ")}.`);
}

async function cardOf(trial: Trial, headers: { readonly [name: string]: string }): Promise<JsonRecord> {
  const response = await trial.get(trial.target.cardUrl, headers);
  const card = parseJson(await readAtMost(response, MAX_CARD_BYTES));
  demand(response.status === 200, `The card was answered with HTTP ${response.status}.`);
  demand(isObject(card), "The card is no JSON object.");
  return card;
}

/** Of gRPC. */
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;

const VERSION = { "A2A-Version": "1.0" };

export const CARD_CASES: readonly Case[] = [
  verifies("card.available", async (trial) => {
    const { cardUrl } = trial.target;
    await cardOf(trial, VERSION);
    demand(
      new URL(cardUrl).pathname.endsWith("/.well-known/agent-card.json"),
      `The card was read from ${cardUrl}, which is not where cards are looked for.`,
    );
  }),
  verifies("card.shape", async (trial) => {
    demandShape("AgentCard", await cardOf(trial, VERSION));
  }),
  verifies("card.without-version", async (trial) => {
    demandShape("AgentCard", await cardOf(trial, {}));
  }),
  verifies("card.interfaces", ({ target }) => {
    for (const { url, binding, version } of target.interfaces) {
      const parsed = URL.parse(url);
      const other = binding !== "JSONRPC" && binding !== "HTTP+JSON";
      // Clients hand what a card says of gRPC to their library as it is, and that takes host and port.
      const hostPort = binding === "GRPC" && URL.parse(`grpc://${url}`)?.port;
      demand(
        Boolean(hostPort) || (parsed !== null && (other || /^https?:$/.test(parsed.protocol))),
        `${quote(url)} is no absolute address.`,
      );
      demand(binding !== "" && version !== "", `The interface at ${url} names no binding, or no version.`);
    }
    return Promise.resolve();
  }),
  verifies("card.interface-speaks", async ({ wire }) => {
    const { body, status, fault } = await wire.call("ListTasks", {});
    if (wire.binding === "GRPC") {
      const speaks = fault?.code !== UNIMPLEMENTED && fault?.code !== UNAVAILABLE;
      demand(speaks, `${wire.url} does not answer over gRPC: ${quote(fault?.message)}.`);
      return;
    }
    const form = wire.binding === "JSONRPC" ? recordOf(body)?.["jsonrpc"] === "2.0" : isObject(body);
    demand(form && status !== 404, `${wire.url} answers HTTP ${status} and nothing of ${wire.binding}.`);
  }),
  verifies("card.version-form", ({ target }) => {
    for (const { version } of target.interfaces)
      demand(/^\d+\.\d+$/.test(version), `The version ${quote(version)} is not of the form 1.0.`);
    return Promise.resolve();
  }),
  verifies("card.requirements-known", ({ target }) => {
    const schemes = Object.keys(recordOf(target.card["securitySchemes"]) ?? {});
    const named = listOf(target.card["securityRequirements"]).flatMap((one) =>
      Object.keys(recordOf(recordOf(one)?.["schemes"]) ?? {}),
    );
    const unknown = named.filter((name) => !schemes.includes(name));
    demand(unknown.length === 0, `Schemes are required that the card does not have: ${quote(unknown)}.`);
    return Promise.resolve();
  }),
  verifies("card.cache-control", async (trial) => {
    const { headers } = await trial.get(trial.target.cardUrl, VERSION);
    const told = headers.get("cache-control") ?? "";
    demand(/\bmax-age=\d+/.test(told), `Cache-Control is ${quote(told)}, without max-age.`);
  }),
  verifies("card.etag", async (trial) => {
    const first = await trial.get(trial.target.cardUrl, VERSION);
    const etag = first.headers.get("etag") ?? "";
    await readAtMost(first, MAX_CARD_BYTES);
    demand(etag !== "", "The card has no ETag.");
    // Node's fetch adds a Cache-Control of its own to conditional requests, which some servers obey.
    const conditional = { ...VERSION, "If-None-Match": etag, "Cache-Control": "max-age=0" };
    const again = await trial.get(trial.target.cardUrl, conditional);
    demand(again.status === 304, `To who has it already it was answered with HTTP ${again.status}.`);
  }),
  verifies("card.signature-header", ({ target }) => {
    for (const signature of listOf(target.card["signatures"])) {
      const header = parseJson(atobUrl(stringOf(recordOf(signature)?.["protected"])));
      for (const name of ["alg", "kid"])
        demand(
          stringOf(recordOf(header)?.[name]) !== "",
          `The protected header has no ${name}: ${quote(header)}.`,
        );
    }
    return Promise.resolve();
  }),
  verifies("extended.refused", async ({ wire }) => {
    expectFault(await wire.call("GetExtendedAgentCard", {}), "UnsupportedOperationError");
  }),
  verifies("extended.card", async ({ wire }) => {
    const answer = await wire.call("GetExtendedAgentCard", {});
    if (answer.fault === undefined) demandShape("AgentCard", succeeded(answer));
    else expectFault(answer, "ExtendedAgentCardNotConfiguredError");
  }),
  verifies("extended.authenticated", async ({ wire, credentials }) => {
    const headers = Object.fromEntries(Object.keys(credentials).map((name) => [name, null]));
    const { fault, text } = await wire.call("GetExtendedAgentCard", {}, { headers });
    demand(fault !== undefined, `Without credentials it was answered: ${quote(text)}.`);
  }),
];

function atobUrl(text: string): string {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)),
    );
  } catch {
    return "";
  }
}
