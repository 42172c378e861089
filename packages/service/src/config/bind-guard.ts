import { InputError, isLoopback } from "@troupe/core";

/** Refuses an address that others can reach as long as nobody would be asked who they are. */
export function requireLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new InputError(
    "input.invalid",
    `host "${host}" can be reached from other machines, and nobody would be asked who they are. ` +
      "Bind 127.0.0.1, or set TROUPE_AUTH=on.",
  );
}
