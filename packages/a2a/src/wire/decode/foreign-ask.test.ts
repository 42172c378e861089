import { TaskState } from "@a2a-js/sdk";
import { expect, it } from "vitest";

import { agentMessage, artifactOf, dataPart, textPart } from "../parts.ts";
import { createForeignStream } from "./foreign-stream.ts";

const task = { id: "t", contextId: "c" };
const says = (text: string) => agentMessage("m", task, [textPart(text)]);
const shown = (id: string, data: object) => artifactOf(id, "UserInputMetaData", [dataPart(data)]);
const form = {
  user_input: true,
  input_title: "New repo",
  input_description: "Details",
  input_fields: [
    {
      field_name: "repo",
      field_description: "Repo",
      field_type: "select",
      field_values: ["a", "b"],
      required: true,
    },
    { field_name: "n", field_description: "Count", field_type: "number" },
  ],
  response: "Please fill this in",
};

function asked(question: string, ...artifacts: ReturnType<typeof shown>[]) {
  const stream = createForeignStream({ agent: "a", runId: "r" });
  for (const artifact of artifacts) stream.artifact(artifact, false);
  const events = stream.finish(TaskState.TASK_STATE_INPUT_REQUIRED, says(question));
  const [request] = events.flatMap((event) => (event.type === "input-required" ? event.request : []));
  return request;
}

it("shows the form of an agent that has one, with its fields", () => {
  expect(asked("Please fill this in", shown("1", form))).toMatchObject({
    requestId: "r",
    kind: "form",
    form: {
      title: "New repo",
      description: "Details",
      fields: [
        { field_name: "repo", field_type: "select", field_values: ["a", "b"], required: true },
        { field_name: "n", field_type: "number" },
      ],
    },
  });
});

it.each([
  ["a form of an earlier question", shown("1", form)],
  ["no fields", shown("1", { ...form, response: "Sure?", input_fields: [] })],
  ["fields that are none", shown("1", { ...form, response: "Sure?", input_fields: "many" })],
  [
    "calls that wait",
    shown("1", { response: "Sure?", tool_calls: [{ id: "i1", name: "delete_repo", args: {} }] }),
  ],
])("asks in words where there is %s", (_what, artifact) => {
  const request = asked("Sure?", artifact);
  expect(request).toMatchObject({
    kind: "form",
    form: { title: "Sure?", fields: [{ field_name: "reply" }] },
  });
});
