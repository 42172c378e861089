import { Agent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket, type LookupFunction } from "node:net";

/** Connections that are kept and used again: whoever may use one is spared the checks it was made under. */
export interface Connections {
  readonly http: Agent;
  readonly https: HttpsAgent;
}

/**
 * For so long a connection waits for its next request. Node's servers close theirs after 5 s: a request
 * sent at that moment would be lost, and nobody could say whether it had been read.
 */
const IDLE_MS = 4_000;

export function keptConnections(options: { readonly lookup?: LookupFunction } = {}): Connections {
  const kept = { ...options, keepAlive: true };
  return { http: forAWhile(new Agent(kept)), https: forAWhile(new HttpsAgent(kept)) };
}

/** An agent's own `timeout` would end requests too that take as long to connect. */
function forAWhile<A extends Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const isKept = keep(socket);
    if (socket instanceof Socket) socket.setTimeout(IDLE_MS);
    return isKept;
  };
  return agent;
}
