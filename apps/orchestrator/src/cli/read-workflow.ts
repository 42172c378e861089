import { resolve } from "node:path";

import { MAX_WORKFLOW_CHARS, parseWorkflow, type Workflow } from "@troupe/workflow";

import { readPlainFile } from "../adapters/read-plain-file.ts";
import type { CliContext } from "./context.ts";

/** No character takes more bytes than three for each UTF-16 unit of it. */
const MAX_BYTES = 3 * MAX_WORKFLOW_CHARS;

/**
 * The workflow of a file, checked as far as that goes before anything is started: the orchestrator checks the
 * agents' names. Throws an `InputError` that names line, step and rule.
 */
export function readWorkflow({ cwd }: Pick<CliContext, "cwd">, file: string): Workflow {
  const limit = { maxBytes: MAX_BYTES, what: "a workflow", shown: file };
  return parseWorkflow(readPlainFile(resolve(cwd, file), limit), { file, structure: true });
}
