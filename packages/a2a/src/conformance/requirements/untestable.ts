import { requirement, type Level, type Requirement } from "../requirement.ts";

const CLIENT = "It is a duty of clients.";
const CUSTOM = "It binds who writes down a binding of their own, in a document.";
const DEPLOYMENT = "It depends on where and how the server is run, which no answer of it shows.";
const INSIDE = "It happens inside the server, and no answer shows it.";
const AUTHORS = "It binds the authors of the specification, of SDKs or of extensions, not a server.";

function cannot(
  id: string,
  section: string,
  text: string,
  untestable: string,
  level: Level = "MUST",
): Requirement {
  return requirement(id, section, level, text, { over: "agent", untestable });
}

/** What the specification asks for, and nobody can see from outside. */
export const UNTESTABLE: readonly Requirement[] = [
  cannot("authors.generated", "1.4", "Derived forms are generated from the service definition.", AUTHORS),
  cannot("authors.migration", "1.4", "Breaking changes come with a guide, and old anchors stay.", AUTHORS),
  cannot("authors.words", "2.1", "The key words have the meaning of RFC 2119.", AUTHORS),
  cannot("authors.extension-uris", "4.6.3", "A breaking change of an extension gets a new URI.", AUTHORS),
  cannot("authors.sdk-versions", "3.6.3", "SDKs help with versions and bindings.", AUTHORS),
  cannot(
    "authors.legacy-names",
    "A",
    "Old names stay resolvable until the version that drops them.",
    AUTHORS,
  ),
  cannot(
    "client.version-header",
    "3.6.1",
    "A client sends its version with each request, as major and minor.",
    CLIENT,
  ),
  cannot("client.messages-unreliable", "3.7", "Nothing that matters rides on messages being kept.", CLIENT),
  cannot(
    "client.webhook",
    "4.3.3",
    "A receiver of notifications answers 2xx and checks what it gets.",
    CLIENT,
  ),
  cannot(
    "client.selects",
    "8.3.2",
    "A client takes the first interface it speaks, and names its tenant.",
    CLIENT,
  ),
  cannot(
    "client.verifies",
    "8.4.3",
    "A client that verifies a card does so over its canonical form.",
    CLIENT,
  ),
  cannot("client.authenticates", "3.1.11", "A client authenticates for the extended card.", CLIENT),
  cannot(
    "client.request-form",
    "11.5",
    "Requests put parameters into path, query or body, and encode them.",
    CLIENT,
  ),
  cannot("client.tenant", "4.4.6", "A client sends the tenant of the interface it chose.", CLIENT),
  cannot("custom.binding", "12", "A binding of one's own keeps to section 5 and documents itself.", CUSTOM),
  cannot("custom.uri", "5.8", "A breaking change of a binding gets a new URI.", CUSTOM),
  cannot("deployment.tls", "7.1", "In production all connections are encrypted.", DEPLOYMENT),
  cannot("deployment.data-protection", "13.4", "Data protection law is kept.", DEPLOYMENT),
  cannot("inside.credentials", "13.4", "Credentials are secrets, and stand in no log.", INSIDE),
  cannot("inside.sanitized", "14.1.1", "Content of users cannot inject anything.", INSIDE),
  cannot("inside.references", "14.1.1", "Addresses of files are checked before they are fetched.", INSIDE),
  cannot("inside.check-order", "13.1", "Rights are checked before anything is looked up.", INSIDE),
  cannot("inside.out-of-band", "7.6.1", "Credentials for a task arrive out of band.", INSIDE),
  cannot(
    "card.signature-canonical",
    "8.4.1",
    "A signature is over the card in canonical form, without its signatures.",
    "Only who has the key of the signer can tell; verifying is a client's.",
  ),
  cannot(
    "card.oauth-addresses",
    "4.5",
    "Addresses of deprecated OAuth flows are absolute URLs.",
    "The flows are deprecated, and their addresses are the authorization server's.",
  ),
];
