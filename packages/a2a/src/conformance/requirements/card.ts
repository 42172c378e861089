import { requirement, type Requirement } from "../requirement.ts";

const over = "agent" as const;

/** The agent card: 4.4, 8, 14.3. */
export const CARD: readonly Requirement[] = [
  requirement("card.available", "8.1", "MUST", "The card is at /.well-known/agent-card.json.", { over }),
  requirement(
    "card.shape",
    "14.3",
    "MUST",
    "What is there is an AgentCard in ProtoJSON, with every required field, and no required list empty.",
    { over },
  ),
  requirement(
    "card.without-version",
    "14.3",
    "MUST",
    "Whoever names no version finds a card that 1.0 can be read from, too.",
    { over },
  ),
  requirement(
    "card.interfaces",
    "8.3.1",
    "MUST",
    "Each interface names an absolute http(s) address, its binding and the version it speaks.",
    { over },
  ),
  requirement(
    "card.interface-speaks",
    "8.3.1",
    "MUST",
    "What stands at the address of an interface speaks the binding that the card names.",
  ),
  requirement("card.version-form", "3.6", "SHOULD", "Versions on the card are major and minor, no patch.", {
    over,
  }),
  requirement(
    "card.requirements-known",
    "4.5",
    "DEFINED",
    "Security requirements name schemes that are there.",
    {
      over,
    },
  ),
  requirement("card.cache-control", "8.6.1", "SHOULD", "The card says for how long it may be kept.", {
    over,
  }),
  requirement("card.etag", "8.6.1", "SHOULD", "The card has an ETag, and is not sent again to who has it.", {
    over,
  }),
  requirement(
    "card.signature-header",
    "8.4.2",
    "MUST",
    "The protected header of a signature names algorithm and key.",
    { over, applies: "signed-card" },
  ),
  requirement(
    "extended.refused",
    "3.3.4",
    "MUST",
    "Without the capability GetExtendedAgentCard is refused with UnsupportedOperationError.",
    { applies: "no-extended-card" },
  ),
  requirement(
    "extended.card",
    "3.3.4",
    "MUST",
    "With the capability it answers a card, or ExtendedAgentCardNotConfiguredError.",
    { applies: "extended-card" },
  ),
  requirement("extended.authenticated", "13.3", "MUST", "The extended card is not shown to strangers.", {
    applies: "extended-card",
  }),
];
