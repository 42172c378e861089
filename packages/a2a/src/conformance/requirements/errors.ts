import { OVER_HTTP, requirement, type Requirement } from "../requirement.ts";

const RPC = { over: ["JSONRPC"] } as const;
const REST = { over: ["HTTP+JSON"] } as const;

/** Errors and versions: 3.3.2, 3.6, 5.4, 9.5, 11.6. */
export const ERRORS: readonly Requirement[] = [
  requirement(
    "errors.payload",
    "3.3.2",
    "MUST",
    "An error has a code for machines and a message for people, in the form of its binding.",
  ),
  requirement("errors.details-typed", "3.3.2", "MUST", "Each of an error's details says its @type."),
  requirement(
    "errors.error-info",
    "11.6",
    "MUST",
    "An error of the protocol has an ErrorInfo with its reason and the domain a2a-protocol.org.",
    REST,
  ),
  requirement(
    "errors.rpc-error-info",
    "9.5",
    "SHOULD",
    "An error of the protocol has an ErrorInfo with its reason among its data.",
    RPC,
  ),
  requirement(
    "errors.http-code",
    "11.6",
    "DEFINED",
    "The code in the body is the status of the answer, beside the name of that status.",
    REST,
  ),
  requirement(
    "errors.no-internals",
    "3.3.2",
    "DEFINED",
    "No error shows a stack or a path of the machine that it happened on.",
  ),
  requirement(
    "rpc.envelope",
    "9.3",
    "MUST",
    "An answer is JSON-RPC 2.0: same id, a result or an error.",
    RPC,
  ),
  requirement("rpc.content-type", "9.1", "DEFINED", "Answers are application/json.", RPC),
  requirement("rpc.parse-error", "9.5", "DEFINED", "What is no JSON is answered with -32700.", RPC),
  requirement("rpc.invalid-request", "9.5", "DEFINED", "JSON that is no call is answered with -32600.", RPC),
  requirement(
    "rpc.method-not-found",
    "9.5",
    "DEFINED",
    "A method nobody knows is answered with -32601.",
    RPC,
  ),
  requirement(
    "rpc.invalid-params",
    "9.5",
    "DEFINED",
    "Parameters that are no object are answered with -32602.",
    RPC,
  ),
  requirement("rest.content-type", "11.1", "SHOULD", "Answers are application/a2a+json.", REST),
  requirement("rest.request-type", "11.1", "DEFINED", "Requests are taken as application/a2a+json.", REST),
  requirement("rest.bad-json", "11.6", "DEFINED", "A body that is no JSON is refused with 400.", REST),
  requirement(
    "rest.query-names",
    "11.5",
    "MUST",
    "Parameters of operations without a body are read from path and query, by their camelCase names.",
    REST,
  ),
  requirement(
    "version.unsupported",
    "3.6.2",
    "MUST",
    "A version that the interface does not speak is refused with VersionNotSupportedError.",
  ),
  requirement(
    "version.absent-is-legacy",
    "3.6.2",
    "MUST",
    "A request without a version is one of 0.3: served as such, or refused as not supported.",
  ),
  requirement("version.patch-ignored", "3.6", "MUST", "A patch number in the version makes no difference."),
  requirement(
    "version.as-parameter",
    "3.6.1",
    "DEFINED",
    "The version may stand in the query instead of the header.",
    OVER_HTTP,
  ),
  requirement(
    "version.semantics",
    "3.6.2",
    "MUST",
    "A request of 1.0 is read as 1.0: what only 0.3 has is not known.",
    OVER_HTTP,
  ),
  requirement("legacy.sends", "3.6.2", "MUST", "A 0.3 client sends a message and gets a 0.3 answer.", {
    applies: "legacy",
    over: ["JSONRPC"],
  }),
  requirement(
    "legacy.streams",
    "3.6.2",
    "MUST",
    "A 0.3 client is streamed 0.3 events: each with its kind, the last one final.",
    { applies: "legacy", over: ["JSONRPC"] },
  ),
  requirement(
    "legacy.unknown-task",
    "3.6.2",
    "MUST",
    "A 0.3 client is told in its own form what is not there.",
    {
      applies: "legacy",
      over: ["JSONRPC"],
    },
  ),
];
