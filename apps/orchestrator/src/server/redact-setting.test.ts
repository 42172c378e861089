import { answering } from "@troupe/a2a/testing";
import type { AgentRequest } from "@troupe/core";
import { loadConfig } from "@troupe/service";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../testing/small-orchestrator.ts";
import { cleanUp } from "../testing/troupe.ts";
import { settings } from "./settings.ts";

afterEach(cleanUp);

it("sends no agent what the process is told to keep from them", async () => {
  const asked: AgentRequest[] = [];
  const given = { redact: '{"e-mail":true,"customer":"K-[0-9]{6}"}' };
  const { troupe, workflow } = await smallOrchestrator(
    {
      one: (request) => {
        asked.push(request);
        return answering(["Done."]);
      },
    },
    given,
  );
  const instruction = "Write to jane@norrvik.example of K-123456, 070 123 45 67.";
  const file = workflow([{ id: "first", agent: "one", instruction }]);
  expect(await troupe(["run", "--quiet", "--workflow", file])).toMatchObject({ code: 0 });
  expect(asked[0]?.delegation?.instruction).toBe("Write to [e-mail] of [customer], 070 123 45 67.");
});

it.each([
  ["{", "is not JSON"],
  ['{"customer":"("}', '"(" is no regular expression'],
  ['{"phone":true}', 'true stands for e-mail and number only; give "phone" a regular expression'],
  ["[]", "expected record"],
])("refuses %s", (TROUPE_REDACT, why) => {
  const load = () => loadConfig(settings, { env: { TROUPE_REDACT }, readSecret: () => "" });
  expect(load).toThrow(why);
});
