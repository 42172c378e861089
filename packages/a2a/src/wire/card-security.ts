import { SecurityRequirement, SecurityScheme, type AgentCard } from "@a2a-js/sdk";
import { InputError } from "@troupe/core";

/** A way to authenticate, in the form in which it stands on a card (ProtoJSON). */
export type SecuritySchemeJson =
  | { readonly httpAuthSecurityScheme: HttpAuthJson }
  | { readonly apiKeySecurityScheme: ApiKeyJson }
  | { readonly openIdConnectSecurityScheme: Described & { readonly openIdConnectUrl: string } }
  | { readonly oauth2SecurityScheme: Described & { readonly flows: { readonly [flow: string]: unknown } } }
  | { readonly mtlsSecurityScheme: Described };

interface Described {
  readonly description?: string;
}

interface HttpAuthJson extends Described {
  /** Of the Authorization header, such as `Bearer`. */
  readonly scheme: string;
  /** Such as `JWT`; a hint for people. */
  readonly bearerFormat?: string;
}

interface ApiKeyJson extends Described {
  readonly location: "header" | "query" | "cookie";
  readonly name: string;
}

/** What a caller must show, as the card says it. Enforcing it is the business of `authenticate`. */
export interface CardSecurity {
  readonly schemes: { readonly [name: string]: SecuritySchemeJson };
  /** One of them is enough; all schemes of one are needed, each with these scopes. */
  readonly requirements: readonly { readonly [scheme: string]: readonly string[] }[];
}

/** For the card. Throws an `InputError` when a requirement names a scheme that is not there. */
export function securityOf(
  security: CardSecurity | undefined,
): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  const { schemes = {}, requirements = [] } = security ?? {};
  for (const name of requirements.flatMap((requirement) => Object.keys(requirement)))
    if (!Object.hasOwn(schemes, name))
      throw new InputError(
        "input.invalid",
        `The card requires the security scheme "${name}", which is not among its schemes: ${Object.keys(schemes).join(", ") || "none"}.`,
      );
  return {
    securitySchemes: Object.fromEntries(
      Object.entries(schemes).map(([name, scheme]) => [name, SecurityScheme.fromJSON(scheme)]),
    ),
    securityRequirements: requirements.map((requirement) =>
      SecurityRequirement.fromJSON({
        schemes: Object.fromEntries(Object.entries(requirement).map(([name, list]) => [name, { list }])),
      }),
    ),
  };
}
