import { requirement, type Requirement } from "../requirement.ts";

const GRPC = { over: ["GRPC"] } as const;

/** What only gRPC has: 10. */
export const GRPC_REQUIREMENTS: readonly Requirement[] = [
  requirement(
    "grpc.metadata",
    "10.2",
    "MUST",
    "The version and the extensions of a call are read from its metadata, by their names in lower case.",
    GRPC,
  ),
  requirement(
    "grpc.errors",
    "10.6",
    "MUST",
    "An error of the protocol has an ErrorInfo with its reason and the domain a2a-protocol.org in its status details.",
    GRPC,
  ),
  requirement(
    "grpc.status-codes",
    "5.4",
    "DEFINED",
    "Each error of the protocol has the gRPC status that the table of errors maps it to.",
    GRPC,
  ),
];
