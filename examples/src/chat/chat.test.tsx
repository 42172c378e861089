import { page } from "./page.ts";
import { answering, scriptedAgent, withServed } from "@troupe/a2a/testing";
import { EMPTY_RESPONSE, type AgentEventBody, type InputField, type InputRequest } from "@troupe/stream";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";

import { Chat } from "./chat.tsx";

const field: InputField = {
  field_name: "year",
  field_label: "Year",
  field_description: "",
  field_type: "text",
  field_values: [],
  default_value: null,
  placeholder: "2026",
  required: true,
};
const form: InputRequest = {
  requestId: "f1",
  kind: "form",
  form: { title: "Which year?", description: "", fields: [field] },
};
const approval: InputRequest = {
  requestId: "p1",
  kind: "approval",
  calls: [{ callId: "c1", tool: "publish", arguments: { year: "2026" } }],
};

function asking(request: InputRequest): AgentEventBody[] {
  const response = { ...EMPTY_RESPONSE, require_user_input: true };
  return [
    { type: "input-required", request },
    { type: "finish", outcome: "input-required", response, answerItems: [] },
  ];
}

/** Asks for a year, then whether to publish. */
const agent = scriptedAgent(function* ({ reply }) {
  if (reply === undefined) {
    yield { type: "tool-start", callId: "t", tool: "look_up", arguments: {} };
    yield { type: "tool-end", callId: "t", tool: "look_up", status: "ok", summary: "3 reports", ms: 1 };
    yield* asking(form);
  } else if ("values" in reply) yield* asking(approval);
  else yield* answering([`${reply.decisions[0]?.type === "approve" ? "Published" : "Kept"}.`]);
});

it("shows steps, a form, an approval and the answer of an agent over A2A", async () => {
  await withServed({ agent }, async ({ url }) => {
    const place = page.createElement("div");
    const root = createRoot(place);
    /** Lets React render until the page says this. */
    const shown = async (text: string): Promise<void> => {
      while (!place.textContent.includes(text))
        await act(() => new Promise<void>((resolve) => void setImmediate(resolve)));
    };
    const submit = (selector: string, value: string): Promise<void> =>
      act(async () => {
        const input = place.querySelector<HTMLInputElement>(`${selector} input`);
        if (input === null) throw new Error(`There is no input in ${selector}.`);
        input.value = value;
        const { Event } = page.defaultView ?? globalThis;
        input.form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
      });
    await act(async () => root.render(<Chat url={url} />));
    await submit("form:last-of-type", "Make the report");
    await shown("Which year?");
    expect(place.querySelector("li")?.textContent).toBe("look_up: ok 3 reports");
    await submit("form", "2026");
    await shown("publish");
    expect(agent.requests[1]?.reply).toEqual({ requestId: "f1", values: { year: "2026" } });
    await act(async () => place.querySelector("button")?.click());
    await shown("Published.");
    expect([...place.querySelectorAll("h2")].map((title) => title.textContent)).toEqual(["Make the report"]);
    await act(async () => root.unmount());
  });
});
