import { InputError } from "@troupe/core";

/** As `engines` of the package has it, which npm only warns of. */
const NEEDED = [22, 13] as const;

/** @throws InputError on a Node that is too old: it would start, and fail at the first call. */
export function needNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new InputError(
    "input.invalid",
    `An agent is served on Node ${NEEDED.join(".")} or later, and this is ${version}. Install a newer one.`,
  );
}
