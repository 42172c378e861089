/** `typ` of a token that an agent makes for one call, so that no other token passes for one. */
export const DELEGATION_TYPE = "troupe-delegation+jwt";

export const DELEGATION_ALGORITHM = "EdDSA";

/** How long one is good for at most. */
export const MAX_DELEGATION_SECONDS = 300;
