import type * as Grpc from "@troupe/a2a/grpc";
import type { GrpcClient } from "@troupe/a2a/client";
import { InputError } from "@troupe/core";

/**
 * Loads gRPC, whose packages need not be installed otherwise. Throws an `InputError` that says what to install.
 *
 * @param why what it is needed for, to begin a sentence with
 */
export async function loadGrpc(why: string): Promise<Pick<typeof Grpc, "grpcBinding" | "grpcClient">> {
  try {
    return await import("@troupe/a2a/grpc");
  } catch (error) {
    throw new InputError(
      "input.invalid",
      `${why}, but gRPC cannot be loaded: install @grpc/grpc-js and @bufbuild/protobuf.`,
      { cause: error },
    );
  }
}

/** Calls agents over gRPC, and loads what it takes at the first that offers nothing else. */
export const lazyGrpcClient: GrpcClient = {
  async transport(options) {
    const { grpcClient } = await loadGrpc(`${options.where} can be called over gRPC only`);
    return grpcClient().transport(options);
  },
};
