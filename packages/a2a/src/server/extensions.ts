import type { AgentCard } from "@a2a-js/sdk";
import { ExtensionSupportRequiredError } from "@a2a-js/sdk/errors";
import type { ServerCallContext } from "@a2a-js/sdk/server";

/**
 * Puts those extensions in force that the caller named and the card declares. Another version of one is
 * another extension, and passed over like any that is not known.
 *
 * @throws ExtensionSupportRequiredError when the card requires one that the caller did not name
 */
export function negotiateExtensions(card: AgentCard, context: ServerCallContext): void {
  const declared = card.capabilities?.extensions ?? [];
  const requested = new Set(context.requestedExtensions);
  const missing = declared.filter(({ uri, required }) => required && !requested.has(uri));
  if (missing.length > 0)
    throw new ExtensionSupportRequiredError(
      `This agent requires extensions that the call did not name: ${missing.map(({ uri }) => uri).join(", ")}. Name them in the A2A-Extensions header.`,
    );
  for (const { uri } of declared) if (requested.has(uri)) context.addActivatedExtension(uri);
}
