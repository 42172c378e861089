import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { AgentCard } from "@a2a-js/sdk";
import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

export interface PlainAgent {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * An agent on the bare SDK, as others write them: no extension of ours, no ledger, the SDK's own
 * store and bus. For what a client must get along with.
 */
export async function servePlainAgent(
  executor: AgentExecutor,
  options: {
    readonly name?: string;
    readonly streaming?: boolean;
    readonly binding?: "JSONRPC" | "HTTP+JSON";
  } = {},
): Promise<PlainAgent> {
  const { name = "plain-agent", streaming = true, binding = "JSONRPC" } = options;
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const card = AgentCard.fromJSON({
    name,
    description: "Knows only the protocol.",
    version: "1",
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: binding, protocolVersion: "1.0" }],
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "s", name: "S", description: "Does what it does.", tags: ["plain"] }],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const bindingOptions = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/a2a", binding === "JSONRPC" ? jsonRpcHandler(bindingOptions) : restHandler(bindingOptions));
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
