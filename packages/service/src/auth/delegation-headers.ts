import type { CallHeaders } from "@troupe/a2a/client";

import { audienceOf } from "./audience.ts";
import type { DelegationIssuer } from "./delegation-issuer.ts";

/**
 * Headers for what an agent asks of others in somebody's name: a token for that call, for those whose
 * card asks for one. It is for the address the agent is configured by, so that one which gives itself
 * another's name, or leads to another, got nothing that opens anything there. What a person brought goes nowhere.
 */
export function delegationHeaders(issuer: Pick<DelegationIssuer, "tokenFor">): CallHeaders {
  return async ({ url, agent, authenticates, caller }) => {
    const audience = audienceOf(url);
    if (!authenticates || agent === undefined || caller === undefined || audience === undefined) return {};
    return { Authorization: `Bearer ${await issuer.tokenFor({ caller, agent, audience })}` };
  };
}
