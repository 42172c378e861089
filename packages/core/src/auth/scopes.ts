/** Every right there is. */
export const ALL_SCOPES = "*";

/** The right to use an agent. */
export function agentScope(agent: string): string {
  return `agent:${agent}`;
}

/** Whether these scopes hold that one. */
export function hasScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(ALL_SCOPES) || scopes.includes(scope);
}

/**
 * What of these scopes goes along in a call to an agent: the right to use it, where it is held, and
 * nothing else. So whoever is called in somebody's name never gets more than they have.
 */
export function narrowScopes(scopes: readonly string[], agent: string): readonly string[] {
  const scope = agentScope(agent);
  return hasScope(scopes, scope) ? [scope] : [];
}
