import {
  type Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
  ServerListenerBuilder,
  status,
  type ServerInterceptor,
} from "@grpc/grpc-js";
import { agentScope, hasScope, silentLog, type Caller } from "@troupe/core";

import { keptOn } from "../adapters/kept-on.ts";
import type { ServeGrpcOptions } from "../server/grpc-port.ts";
import { ForbiddenError, identifyBy, UnauthenticatedError, type Authenticate } from "../server/http/gate.ts";
import type { Admitted } from "../server/limits/admitted.ts";
import { presenceUntil, type Presence } from "../server/presence.ts";
import { asProtocolError } from "../server/protocol-error.ts";
import { UnavailableError } from "../server/status-error.ts";
import { toStatus } from "./status.ts";

/** A call whose caller is known and within its limits. */
export interface AdmittedCall {
  readonly caller: Caller | undefined;
  readonly admitted: Admitted;
  readonly presence: Presence;
}

const calls = keptOn<Metadata, AdmittedCall>("call");

/** The call with this metadata, once it has passed `admission`. */
export function admittedCall(metadata: Metadata): AdmittedCall {
  const call = calls.get(metadata);
  if (call === undefined) throw new Error("A gRPC call reached its method without admission.");
  return call;
}

/** The first value of a metadata key that is text. */
export function textOf(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === "string" ? value : undefined;
}

/**
 * Identifies the caller and takes the call from its share before its message is read, so that
 * unknown callers cannot make the server parse anything.
 *
 * @param messageMs how long the request message may take to arrive
 */
export function admission(options: () => ServeGrpcOptions | undefined, messageMs: number): ServerInterceptor {
  return (_method, call) => {
    const over = Promise.withResolvers<void>();
    let ended = false;
    let stopWaiting: () => void = () => undefined;
    const releases: (() => void)[] = [];
    const onEnd = (release: () => void): void => {
      if (ended) release();
      else releases.push(release);
    };
    const admit = async (metadata: Metadata): Promise<void> => {
      const open = options();
      if (open === undefined || open.closing()) throw new UnavailableError("The agent is shutting down.");
      const { accounts, clock } = open;
      const caller = await callerIn(metadata, open);
      const account = accounts.of(caller?.id, call.getConnectionInfo().remoteAddress);
      onEnd(account.call());
      const response = {
        once: (_event: "close", release: () => void) => onEnd(release),
        headersSent: true,
        setHeaders: () => undefined,
      };
      calls.set(metadata, {
        caller,
        admitted: { account, response, clock },
        presence: presenceUntil(over.promise),
      });
      // The call may have been cancelled while its caller was identified.
      if (ended) return;
      stopWaiting = clock.schedule(messageMs, () =>
        call.sendStatus({
          code: status.DEADLINE_EXCEEDED,
          details: `The message of the call did not arrive within ${messageMs / 1_000} s.`,
        }),
      );
    };
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        void (async () => {
          try {
            await admit(metadata);
          } catch (error) {
            call.sendStatus(toStatus(asProtocolError(error, options()?.log ?? silentLog)));
            return;
          }
          next(metadata);
        })();
      })
      .withOnReceiveMessage((message, next) => {
        stopWaiting();
        next(message);
      })
      // Called at the end of every call, also of one that succeeded.
      .withOnCancel(() => {
        ended = true;
        stopWaiting();
        over.resolve();
        for (const release of releases) release();
      })
      .build();
    return new ServerInterceptingCall(
      call,
      new ResponderBuilder().withStart((next) => next(listener)).build(),
    );
  };
}

/** Throws a `StatusError` for a caller who may not use the agent. */
async function callerIn(
  metadata: Metadata,
  { authenticate, card, log }: ServeGrpcOptions,
): Promise<Caller | undefined> {
  if (authenticate === undefined) return undefined;
  const caller =
    metadata.get("authorization").length > 1
      ? undefined
      : await identifyBy(headersOf(metadata), authenticate, log);
  if (caller === "later") throw new UnavailableError("The caller cannot be identified just now; try again.");
  if (caller === undefined) throw new UnauthenticatedError("The caller could not be authenticated.");
  const scope = agentScope(card.name);
  if (!hasScope(caller.scopes, scope)) throw new ForbiddenError(card.name, scope);
  return caller;
}

function headersOf(metadata: Metadata): Parameters<Authenticate>[0] {
  return Object.fromEntries(
    Object.entries(metadata.getMap()).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
