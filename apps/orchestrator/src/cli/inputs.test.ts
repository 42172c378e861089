import { InputError } from "@troupe/core";
import type { InputRequest } from "@troupe/stream";
import { checkReply } from "@troupe/workflow";
import { describe, expect, it } from "vitest";

import { testContext } from "../testing/test-context.ts";
import { answerRequest } from "./inputs.ts";
import { answerCommands, waitingText } from "./waiting.ts";

const approval = {
  requestId: "r1",
  kind: "approval",
  calls: [
    { callId: "c1", tool: "send_mail", arguments: { to: "board\u001b[2J" } },
    { callId: "c2", tool: "delete_file", arguments: {} },
  ],
} as const satisfies InputRequest;
const none = new Map<string, string>();

/** A command whose person types these lines; nobody is there without any. */
function terminal(...typed: string[]) {
  const shown: string[] = [];
  const context = testContext("/", {
    err: (text) => void shown.push(text),
    ...(typed.length === 0 ? {} : { ask: () => Promise.resolve(typed.shift() ?? "") }),
  });
  return { context, shown };
}

describe("an approval", () => {
  const approved = approval.calls.map(({ callId }) => ({ callId, type: "approve" }));
  const rejected = approval.calls.map(({ callId }) => ({ callId, type: "reject", reason: "too early" }));

  it("is given or refused by the flag, for every call asked about", async () => {
    const { context } = terminal();
    const yes = await answerRequest(context, approval, none, { type: "approve" });
    expect(yes).toEqual({ requestId: "r1", decisions: approved });
    const no = await answerRequest(context, approval, none, { type: "reject", reason: "too early" });
    expect(no).toEqual({ requestId: "r1", decisions: rejected });
    for (const reply of [yes, no])
      expect(checkReply(approval, JSON.parse(JSON.stringify(reply))).ok).toBe(true);
  });

  it.each([
    [["yes"], approved],
    [["no", "too early"], rejected],
    [[""], undefined],
    [[], undefined],
  ])("is asked at the terminal, and only a word decides: %j", async (typed, decisions) => {
    const { context } = terminal(...typed);
    expect(await answerRequest(context, approval, none)).toEqual(decisions && { requestId: "r1", decisions });
  });

  it("is shown at the terminal before it is asked", async () => {
    const { context, shown } = terminal("yes");
    await answerRequest(context, approval, none);
    expect(shown.join("")).toMatch(/approve:\n {2}send_mail \{"to":"board.*"\}\n {2}delete_file \{\}\n$/);
  });

  it("is shown with its calls and the commands that answer it", () => {
    const asked = { step: "mail", request: approval };
    expect(answerCommands({ env: {} }, "run", asked)).toEqual([
      "troupe answer run mail --approve",
      "troupe answer run mail --reject REASON",
    ]);
    const text = waitingText({ env: {} }, "run", [asked]);
    expect(text).toMatch(/approve:\n {2}send_mail .*\n {2}delete_file {}/);
    expect(text).toContain("\n  troupe answer run mail --reject REASON\n");
  });
});

it("refuses a verdict where values are asked for", async () => {
  const form = { title: "Who?", description: "", fields: [] };
  const reply = answerRequest(terminal().context, { requestId: "r", kind: "form", form }, none, {
    type: "approve",
  });
  await expect(reply).rejects.toThrow(InputError);
});
