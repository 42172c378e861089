import { createAgent } from "@troupe/core";
import { finishCall, scriptedModel, serveHttp } from "@troupe/core/testing";
import { redactPatterns } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";

const SECRET = "jane@norrvik.example";

it("lets nothing that is to be hidden out of the process, in data for agents of ours nor in words for others", async () => {
  const bodies: string[] = [];
  const remote = await serveHttp((request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json").end(JSON.stringify(card(remote.url)));
      return;
    }
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      bodies.push(body);
      const { id } = JSON.parse(body) as { readonly id: unknown };
      const error = { code: -32603, message: "not today" };
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    });
  });
  onTestFinished(() => remote.close());
  const finder = createAgent(
    { agent_type: "t", name: "finder", title: "Finder", description: "Finds.", system_prompt: "Find." },
    { model: scriptedModel([{ calls: [finishCall(`Ask ${SECRET}, she knows.`)] }]) },
  );
  const orchestrator = await createOrchestrator({
    agents: [finder, remote.url],
    model: scriptedModel([]),
    redact: redactPatterns(),
  });
  onTestFinished(() => orchestrator.close());
  const outcome = await orchestrator.executeWorkflow(`Write to ${SECRET}`, {
    version: 1,
    name: "Mail",
    steps: [
      { id: "find", agent: "finder", instruction: "Who knows?" },
      {
        id: "tell",
        agent: "teller",
        instruction: `Write to ${SECRET}.`,
        retry: { attempts: 2, backoff_seconds: 0 },
      },
    ],
  });
  expect(outcome.steps[0]?.answer).toContain(SECRET);
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) {
    expect(body).toContain("Ask [e-mail], she knows.");
    expect(body).toContain("Write to [e-mail].");
    expect(body).not.toContain("jane");
  }
});

const card = (url: string) => ({
  name: "teller",
  description: "Tells.",
  version: "1",
  supportedInterfaces: [{ url: `${url}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
});
