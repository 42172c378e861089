import { runConformance } from "@troupe/a2a/conformance";
import { exerciseAgent } from "@troupe/a2a/testing";
import { serveAgent } from "@troupe/a2a/server";

const served = await serveAgent({
  agent: exerciseAgent(),
  security: {
    schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    requirements: [{ bearer: [] }],
  },
  authenticate: ({ authorization }) => {
    const id = /^Bearer of-(ann|bob)$/.exec(String(authorization))?.[1];
    return Promise.resolve(id === undefined ? undefined : { id, scopes: ["agent:exercise-agent"] });
  },
});
const { url } = served;

const report = await runConformance(url, {
  credentials: { Authorization: "Bearer of-ann" },
  callers: { other: { Authorization: "Bearer of-bob" } },
});
for (const { requirement, binding, outcome, why } of report.findings)
  if (outcome === "failed") console.log(requirement.id, binding, why);
console.log(report.ok ? "It conforms." : "It does not conform.");

await served.close();
if (!report.ok) process.exitCode = 1;
