import { expect, it } from "vitest";

import { exerciseExecutor, servePlainAgent } from "../testing/index.ts";
import { runConformance, type ExpectedFailure } from "./index.ts";

/** Where `DefaultRequestHandler` of the SDK, 1.3.0, falls short of what it promises. */
const BARE_SDK: readonly ExpectedFailure[] = [
  { requirement: "send.needs-parts", reason: "It hands messages without parts to the agent." },
  { requirement: "send.needs-content", reason: "It hands parts without content to the agent." },
  { requirement: "send.needs-role", reason: "It hands messages without a role to the agent." },
  {
    requirement: "send.wrong-types",
    reason: "What has the wrong type counts as absent, or becomes a string.",
  },
  { requirement: "get.history-length-valid", binding: "JSONRPC", reason: "Only its REST routes look." },
  {
    requirement: "rpc.invalid-request",
    binding: "JSONRPC",
    reason: "A call that is none is answered as one with false parameters.",
  },
  { requirement: "version.patch-ignored", reason: "Versions are compared as they are written." },
  { requirement: "version.as-parameter", reason: "The version is looked for in the header only." },
  {
    requirement: "version.semantics",
    reason: "A 0.3 message is taken as 1.0, without its role and its parts.",
  },
];

it.each(["JSONRPC", "HTTP+JSON"] as const)(
  "the bare SDK falls short where it is known to, and nowhere else, over %s",
  async (binding) => {
    const plain = await servePlainAgent(exerciseExecutor(), { binding });
    const expected = BARE_SDK.filter((entry) => entry.binding === undefined || entry.binding === binding);
    const report = await runConformance(plain.url, { expected, timeoutMs: 5_000 });
    await plain.close();
    const failed = report.findings.filter(({ outcome }) => outcome === "failed");
    expect(failed.map(({ requirement, why }) => `${requirement.id}: ${why}`)).toEqual([]);
    expect(report.stale).toEqual([]);
  },
);
