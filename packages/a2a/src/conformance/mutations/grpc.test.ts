import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { encodeGrpcStatusDetails, GRPC_STATUS_DETAILS_BIN } from "@a2a-js/sdk/errors/grpc";
import { A2AService } from "@a2a-js/sdk/server/grpc";
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Fetch } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { grpcBinding } from "../../grpc/index.ts";
import { BYTES_SERVICE } from "../../grpc/methods.ts";
import type { ServeAgentOptions } from "../../server/index.ts";
import { exerciseAgent, withServed } from "../../testing/index.ts";
import { runConformance, type ConformanceReport, type Outcome } from "../index.ts";

/** What a server in front of the agent does to calls and answers. */
interface GrpcFault {
  readonly metadata?: (metadata: Metadata) => void;
  readonly error?: (error: ServiceError) => Partial<ServiceError>;
  /** Frames of a stream, one after the other; false leaves one out. */
  readonly frame?: (index: number) => boolean;
  /** A method that is missing, by its name in the service definition. */
  readonly without?: string;
}

/** A gRPC server that hands calls on to another, with a fault. */
async function faultyGrpc(target: string, fault: GrpcFault): Promise<{ url: string; close: () => void }> {
  const client = new Client(target, credentials.createInsecure());
  const server = new Server();
  const asIs = (bytes: Buffer): Buffer => bytes;
  const forwarded = (metadata: Metadata): Metadata => {
    const copy = metadata.clone();
    fault.metadata?.(copy);
    return copy;
  };
  const wrong = (error: ServiceError): ServiceError => Object.assign(error, fault.error?.(error));
  const methods = Object.entries(A2AService)
    .filter(([, { path }]) => !path.endsWith(`/${fault.without ?? " "}`))
    .map(([name, { path, responseStream }]) => [
      name,
      responseStream
        ? (call: ServerWritableStream<Buffer, Buffer>) => {
            const frames = client.makeServerStreamRequest(
              path,
              asIs,
              asIs,
              call.request,
              forwarded(call.metadata),
            );
            let index = 0;
            frames.on("data", (frame: Buffer) => {
              if (fault.frame?.(index++) !== false) call.write(frame);
            });
            frames.on("end", () => call.end());
            frames.on("error", (error: ServiceError) => call.emit("error", wrong(error)));
            call.on("cancelled", () => frames.cancel());
          }
        : (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => {
            client.makeUnaryRequest(
              path,
              asIs,
              asIs,
              call.request,
              forwarded(call.metadata),
              (error, value) => {
                if (error === null) answer(null, value);
                else answer(wrong(error));
              },
            );
          },
    ]);
  server.addService(BYTES_SERVICE, Object.fromEntries(methods) as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const close = (): void => {
    server.forceShutdown();
    client.close();
  };
  return { url: `127.0.0.1:${port}`, close };
}

function told({ findings }: ConformanceReport, outcome: Outcome): readonly string[] {
  return findings
    .filter((finding) => finding.outcome === outcome)
    .map(({ requirement, binding, why }) => `${requirement.id} ${binding}: ${why}`);
}

const authenticate: ServeAgentOptions["authenticate"] = ({ authorization }) => {
  const id = /^Bearer (ann|bob|eve)$/.exec(String(authorization))?.[1];
  return Promise.resolve(id === undefined ? undefined : { id, scopes: id === "eve" ? [] : ["*"] });
};

describe("an agent that this package serves over gRPC", () => {
  it("keeps to all that the protocol asks of it", async () => {
    const serve = { agent: exerciseAgent(), grpc: grpcBinding(), push: true };
    const report = await withServed(serve, ({ url }) => runConformance(url, { bindings: ["GRPC"] }));
    expect([...told(report, "failed"), ...told(report, "advised")]).toEqual([]);
    expect(told(report, "not-exercised").map((line) => line.split(" ")[0])).toEqual(["push.delivers"]);
    expect(report.counts.passed).toBeGreaterThan(70);
    expect(report.interfaces.find(({ binding }) => binding === "GRPC")).toMatchObject({ tried: true });
  });

  it("answers as over its other bindings", async () => {
    const only = ["bindings.same-data", "bindings.same-errors", "bindings.same-operations"];
    const serve = { agent: exerciseAgent(), grpc: grpcBinding() };
    const report = await withServed(serve, ({ url }) => runConformance(url, { only }));
    expect(told(report, "passed")).toHaveLength(only.length);
  });

  it("keeps callers apart", async () => {
    const security = {
      schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      requirements: [{ bearer: [] }],
    };
    const serve = { agent: exerciseAgent(), grpc: grpcBinding(), authenticate, security };
    const only = ["auth.missing", "auth.invalid", "auth.not-permitted", "auth.own-tasks"];
    const as = (id: string): Record<string, string> => ({ Authorization: `Bearer ${id}` });
    const callers = { other: as("bob"), unprivileged: as("eve") };
    const report = await withServed(serve, ({ url }) =>
      runConformance(url, { bindings: ["GRPC"], only, credentials: as("ann"), callers }),
    );
    expect([...told(report, "failed"), ...told(report, "not-exercised")]).toEqual([]);
    expect(report.counts.passed).toBe(only.length);
  });
});

const withDetails = (details: Buffer): Metadata => {
  const metadata = new Metadata();
  metadata.set(GRPC_STATUS_DETAILS_BIN, details);
  return metadata;
};

const FAULTS: readonly (readonly [string, string, GrpcFault])[] = [
  ["errors without ErrorInfo", "grpc.errors", { error: () => ({ metadata: new Metadata() }) }],
  [
    "details that are no Status",
    "grpc.errors",
    { error: () => ({ metadata: withDetails(Buffer.from([0xff, 0xff])) }) },
  ],
  [
    "a reason of its own",
    "grpc.errors",
    { error: ({ code }) => ({ metadata: withDetails(encodeGrpcStatusDetails(code, "", "GONE")) }) },
  ],
  ["one status for all errors", "grpc.status-codes", { error: () => ({ code: status.INTERNAL }) }],
  ["a status of another error", "get.unknown-task", { error: () => ({ code: status.FAILED_PRECONDITION }) }],
  [
    "a version that nobody looks at",
    "grpc.metadata",
    { metadata: (metadata) => metadata.set("a2a-version", "1.0") },
  ],
  [
    "a missing version taken for the newest",
    "version.absent-is-legacy",
    {
      metadata: (metadata) => metadata.set("a2a-version", "1.0"),
    },
  ],
  ["a stream without its task", "stream.pattern", { frame: (index) => index > 0 }],
  ["a subscription without its task", "subscribe.begins-with-task", { frame: (index) => index > 0 }],
  ["a stream of its first event only", "stream.closes", { frame: (index) => index === 0 }],
  ["no ListTasks", "bindings.same-operations", { without: "ListTasks" }],
  ["no ListTasks at all", "card.interface-speaks", { without: "ListTasks" }],
];

/** What these requirements find at a server in front of an agent of ours. */
async function noticed(only: readonly string[], fault: GrpcFault): Promise<readonly string[]> {
  return withServed({ agent: exerciseAgent(), grpc: grpcBinding() }, async ({ url, grpcUrl = "" }) => {
    const faulty = await faultyGrpc(grpcUrl, fault);
    const fetchImpl: Fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!response.url.endsWith("agent-card.json")) return response;
      return new Response((await response.text()).replaceAll(grpcUrl, faulty.url), response);
    };
    try {
      const report = await runConformance(url, { only, fetchImpl });
      return told(report, "failed");
    } finally {
      faulty.close();
    }
  });
}

it.each(FAULTS)("%s is noticed over gRPC by %s", async (_name, requirement, fault) => {
  const binding = requirement.startsWith("bindings.") ? "agent" : "GRPC";
  expect(await noticed([requirement], fault)).toEqual([
    expect.stringMatching(new RegExp(`^${requirement} ${binding}: (?!The connection failed)`)),
  ]);
});

it("nothing is noticed where nothing is wrong", async () => {
  const requirements = FAULTS.map(([, requirement]) => requirement);
  expect(await noticed(requirements, {})).toEqual([]);
});

it("lists gRPC as not tried, and what to install, where its packages are missing", async () => {
  await withServed({ agent: exerciseAgent(), grpc: grpcBinding() }, async ({ url }) => {
    const program = `
      import { registerHooks } from "node:module";
      registerHooks({
        resolve(name, context, next) {
          if (name !== "@grpc/grpc-js") return next(name, context);
          throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
        },
      });
      const { runConformance } = await import("@troupe/a2a/conformance");
      const only = ["get.unknown-task"];
      const { interfaces } = await runConformance(process.argv[1], { only });
      const alone = await runConformance(process.argv[1], { only, bindings: ["GRPC"] }).catch(String);
      console.log(JSON.stringify({ interfaces, alone }));
    `;
    const node = ["--conditions=troupe-source", "--input-type=module", "--eval", program, url];
    const { stdout } = await promisify(execFile)(process.execPath, node, {
      cwd: new URL("../../..", import.meta.url),
    });
    const why = "Install @grpc/grpc-js and @bufbuild/protobuf.";
    expect(JSON.parse(stdout)).toMatchObject({
      interfaces: expect.arrayContaining([
        expect.objectContaining({ binding: "GRPC", tried: false, why }) as unknown,
        expect.objectContaining({ binding: "JSONRPC", version: "1.0", tried: true }) as unknown,
      ]) as unknown,
      alone: expect.stringContaining(why) as unknown,
    });
  });
});
