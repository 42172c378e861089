import { parseResponse } from "@troupe/core";
import type { AgentResponse, InputField } from "@troupe/stream";
import { z } from "zod";

import type { RunVector } from "./vector.ts";

/** The validated response of a text or object that a model ended with. */
export const finalParseVector: RunVector = (vector) => {
  const input = z.union([z.string(), z.record(z.string(), z.json()), z.null()]).parse(vector["input"]);
  const { response, outcome } = parseResponse(input);
  const { metadata, ...said } = flat(response);
  return {
    expect: {
      ...said,
      ...(metadata === null ? {} : { metadata }),
      ...(outcome === "failed" ? { task_state: "failed" } : {}),
    },
  };
};

const partSchema = z.looseObject({
  ENABLE_STRUCTURED_OUTPUT: z.boolean().default(true),
  final_content: z.string(),
});

/** Data where there is a response that keeps to its schema and data is wanted, else text. */
export const resultPartVector: RunVector = (vector) => {
  const { ENABLE_STRUCTURED_OUTPUT: structured, final_content } = partSchema.parse(vector);
  const { source, said, response } = parseResponse(final_content);
  const isResponse = source === "object" && said.issues.length === 0;
  const text = isResponse || source === "marker" ? response.content : final_content;
  const part = structured && isResponse ? { data: flat(response) } : { text };
  return { expect: { artifact: "final_result", parts: [part] } };
};

/** The fields the cases know; `metadata` is null where nothing is asked. */
function flat({ is_task_complete, require_user_input, content, metadata }: AgentResponse) {
  const fields = metadata.input_fields.map(field);
  const asked = metadata.user_input || fields.length > 0;
  return {
    is_task_complete,
    require_user_input,
    content,
    metadata: asked ? { user_input: true, input_fields: fields } : null,
  };
}

function field({ field_name, field_description, field_values, required }: InputField) {
  return {
    field_name,
    field_description,
    field_values: field_values.length === 0 ? null : field_values,
    required,
  };
}
