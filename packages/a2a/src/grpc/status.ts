import type { A2AError } from "@a2a-js/sdk/errors";
import {
  buildGrpcErrorMetadata,
  encodeGrpcStatusDetails,
  GRPC_STATUS_DETAILS_BIN,
  grpcStatusFor,
} from "@a2a-js/sdk/errors/grpc";
import { Metadata, status, type StatusObject } from "@grpc/grpc-js";

import { StatusError } from "../server/status-error.ts";

/** gRPC's codes for what HTTP has a status for. */
const CODES: Readonly<Record<number, status>> = {
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  413: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
};

/** Those of A2A's own errors. */
const OF_A2A: ReadonlyMap<number, status> = new Map(
  [status.NOT_FOUND, status.FAILED_PRECONDITION, status.INVALID_ARGUMENT].map((code) => [code, code]),
);

/** An error of the protocol as a gRPC status, with `google.rpc.ErrorInfo` in its details. */
export function toStatus(error: A2AError): StatusObject {
  // The status line is percent-encoded, which a lone surrogate would break.
  const details = error.message.toWellFormed();
  if (error instanceof StatusError) {
    const code = CODES[error.statusCode] ?? status.UNKNOWN;
    const metadata = new Metadata();
    metadata.set(
      GRPC_STATUS_DETAILS_BIN,
      encodeGrpcStatusDetails(code, details, error.reason, error.metadata),
    );
    for (const [name, value] of Object.entries(error.headers)) metadata.set(name.toLowerCase(), value);
    return { code, details, metadata };
  }
  return {
    code: OF_A2A.get(grpcStatusFor(error)) ?? status.INTERNAL,
    details,
    metadata: buildGrpcErrorMetadata(Metadata, error) ?? new Metadata(),
  };
}
