import { stringify } from "yaml";

import { workflowSchema, type Workflow } from "./workflow-schema.ts";

const stepSchema = workflowSchema.shape.steps.element;
const fieldSchema = stepSchema.shape.form.unwrap().shape.fields.element;

// What each of them is where nothing is said.
const WORKFLOW = workflowSchema.parse({ version: 1, name: "-", steps: [] });
const STEP = stepSchema.parse({});
const { field_name: _, ...FIELD } = fieldSchema.parse({ field_name: "-" });

/**
 * A workflow as YAML, to be read, edited and run: what holds anyway is left out. `parseWorkflow` reads the
 * same workflow again.
 */
export function printWorkflow({ version, name, steps, ...rest }: Workflow): string {
  return stringify(
    {
      version,
      name,
      ...said(rest, WORKFLOW),
      steps: steps.map(({ form, ...step }) => ({
        ...said(step, STEP),
        ...(form && { form: { ...form, fields: form.fields.map((field) => said(field, FIELD)) } }),
      })),
    },
    { lineWidth: 0 },
  );
}

function said(value: object, unsaid: object): object {
  const without = new Map(Object.entries(unsaid).map(([key, fallback]) => [key, JSON.stringify(fallback)]));
  return Object.fromEntries(
    Object.entries(value).filter(([key, given]) => JSON.stringify(given) !== without.get(key)),
  );
}
