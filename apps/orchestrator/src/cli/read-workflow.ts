import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { InputError } from "@troupe/core";
import { parseWorkflow, type Workflow } from "@troupe/workflow";

import type { CliContext } from "./context.ts";

/**
 * The workflow of a file, checked as far as that goes before anything is started: the orchestrator checks the
 * agents' names. Throws an `InputError` that names line, step and rule.
 */
export function readWorkflow({ cwd }: Pick<CliContext, "cwd">, file: string): Workflow {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new InputError("input.not-found", `The workflow file "${file}" cannot be read. Check the path.`, {
      cause,
    });
  }
  return parseWorkflow(text, { file, structure: true });
}
