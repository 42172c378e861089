import type { InputRequest, Json } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { answerSignal, humanRequestId, replyRequestId } from "./answer-signal.ts";
import { checkReply } from "./check-reply.ts";

const field = {
  field_label: "",
  field_description: "",
  field_values: [],
  default_value: null,
  placeholder: "",
};
const form: InputRequest = {
  requestId: "f",
  kind: "form",
  form: {
    title: "",
    description: "",
    fields: [
      { ...field, field_name: "year", field_type: "number", required: true },
      { ...field, field_name: "note", field_type: "text", required: false, default_value: "none" },
    ],
  },
};
const approval: InputRequest = {
  requestId: "a",
  kind: "approval",
  calls: [
    { callId: "1", tool: "send", arguments: {} },
    { callId: "2", tool: "send", arguments: {} },
  ],
};
const approve = (callId: string): Json => ({ callId, type: "approve" });

describe("checkReply", () => {
  it("takes a filled form with its defaults", () => {
    expect(checkReply(form, { requestId: "f", values: { year: 2026 } })).toEqual({
      ok: true,
      reply: { requestId: "f", values: { year: 2026, note: "none" } },
    });
  });

  it("takes exactly one decision a call", () => {
    expect(checkReply(approval, { requestId: "a", decisions: [approve("2"), approve("1")] }).ok).toBe(true);
  });

  it.each<[string, InputRequest, Json]>([
    ["nothing", form, null],
    ["words", form, "yes, do it: please"],
    ["another request's answer", form, { requestId: "g", values: { year: 1 } }],
    ["a required field left out", form, { requestId: "f", values: {} }],
    ["a field of another form", form, { requestId: "f", values: { year: 1, color: "red" } }],
    ["decisions for a form", form, { requestId: "f", decisions: [] }],
    ["values for an approval", approval, { requestId: "a", values: {} }],
    ["a call without a decision", approval, { requestId: "a", decisions: [approve("1")] }],
    [
      "two decisions for a call",
      approval,
      { requestId: "a", decisions: [approve("1"), approve("1"), approve("2")] },
    ],
    [
      "a decision nobody asked for",
      approval,
      { requestId: "a", decisions: [approve("1"), approve("2"), approve("3")] },
    ],
  ])("refuses %s and says why", (_name, request, value) => {
    const check = checkReply(request, value);
    expect(!check.ok && check.issues.length).toBeGreaterThan(0);
  });
});

it("finds the signal of a request by its id alone", () => {
  expect(answerSignal(humanRequestId("review"))).toBe("human:review");
  expect(answerSignal(replyRequestId("a", 2))).toBe("reply:a#2");
});

it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "takes a field called %s as any other",
  (name) => {
    const odd: InputRequest = {
      requestId: "f",
      kind: "form",
      form: {
        title: "",
        description: "",
        fields: [
          { ...field, field_name: name, field_type: "text", required: true, default_value: "default" },
        ],
      },
    };
    const asked = (values: string) =>
      checkReply(odd, JSON.parse(`{ "requestId": "f", "values": ${values} }`) as Json);
    const valuesOf = (check: ReturnType<typeof checkReply>) =>
      check.ok && "values" in check.reply ? Object.entries(check.reply.values) : check;
    expect(valuesOf(asked(JSON.stringify(Object.fromEntries([[name, "given"]]))))).toEqual([[name, "given"]]);
    expect(valuesOf(asked("{}"))).toEqual([[name, "default"]]);
  },
);
