import { discoverApps } from "../supervisor/discover.ts";
import type { CliContext } from "./context.ts";
import { readServers } from "./server-record.ts";
import { typed } from "./typed.ts";

/** Says which apps came after the servers at this address were started; empty when none did. */
export function addedText(context: CliContext, orchestratorUrl: string): string {
  const started = readServers(context.home, orchestratorUrl).map(({ name }) => name);
  if (started.length === 0) return "";
  const added = discoverApps(context.appsRoot).filter(({ name }) => !started.includes(name));
  if (added.length === 0) return "";
  const names = added.map(({ name }) => `"${name}"`).join(", ");
  const was = added.length === 1 ? "was" : "were";
  return `${names} ${was} added after the servers that are up were started, which do not know it yet. Restart \`${typed(context, "up")}\`.\n`;
}
