import { InputError, suggestNames } from "@troupe/core";
import { shareCollection, type CollectionRule } from "@troupe/service";

import { authIsOn } from "../auth-is-on.ts";
import { collectionNames } from "../collections.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { requireHome } from "../home.ts";
import { harmless } from "../render/harmless.ts";

export interface ShareOptions {
  readonly collection: string;
  readonly owner?: string;
  /** User ids with commas between them, or `everyone`. */
  readonly readers?: string;
}

/** Sets who owns a collection and who may read it; servers that are up keep to it at once. */
export async function share(context: CliContext, options: ShareOptions): Promise<number> {
  requireHome(context.home);
  if (options.owner === undefined && options.readers === undefined)
    throw new InputError("input.invalid", "Say what to set: --owner USER, --readers USERS, or both.");
  const names = await collectionNames(context);
  if (names !== undefined && !names.includes(options.collection))
    throw new InputError(
      "input.not-found",
      `There is no collection "${options.collection}".${suggestNames(options.collection, names)}`,
    );
  const rule = setRule(context, options);
  context.out(harmless(`${options.collection}: ${describeRule(rule)}\n`));
  if (!authIsOn(context))
    context.err(
      "Users are not told apart yet, so everybody may read all: start the servers with TROUPE_AUTH=on.\n",
    );
  return EXIT.completed;
}

/** Throws an `InputError` for ids that no user can have. */
export function setRule(
  { home }: Pick<CliContext, "home">,
  { collection, owner, readers }: ShareOptions,
): CollectionRule {
  return shareCollection({
    home,
    collection,
    ...(owner === undefined ? {} : { owner }),
    ...(readers === undefined ? {} : { readers: readersIn(readers) }),
  });
}

function readersIn(list: string): "everyone" | readonly string[] {
  const users = list
    .split(",")
    .map((user) => user.trim())
    .filter((user) => user !== "");
  if (!users.includes("everyone")) return users;
  if (users.length === 1) return "everyone";
  throw new InputError(
    "input.invalid",
    `--readers "${list}" names everyone and single users. Give one or the other.`,
  );
}

/** `owner ann, readers bob, carl`. */
export function describeRule({ owner, readers }: CollectionRule): string {
  const who = readers === "everyone" ? readers : readers.join(", ") || "nobody else";
  return `owner ${owner}, readers ${who}`;
}
