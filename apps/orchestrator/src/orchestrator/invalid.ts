import { InputError } from "@troupe/core";

/** What was handed in cannot be used, for each of these reasons. */
export function invalid(issues: readonly string[]): InputError {
  return new InputError("input.invalid", issues.join("\n"), { issues });
}
