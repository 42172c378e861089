import type { Middleware } from "./middleware.ts";

type Hook<K extends Exclude<keyof Middleware, "name" | "tools">> = NonNullable<Middleware[K]>;

/** The hooks of a list by kind, so that a kind nobody has costs one look at an empty list. */
export interface Hooks {
  readonly beforeModel: readonly Hook<"beforeModel">[];
  readonly onModelError: readonly Hook<"onModelError">[];
  readonly beforeTools: readonly Hook<"beforeTools">[];
  readonly fillArguments: readonly Hook<"fillArguments">[];
  readonly beforeTool: readonly Hook<"beforeTool">[];
}

export function hooksOf(middleware: readonly Middleware[]): Hooks {
  return {
    beforeModel: middleware.flatMap((one) => one.beforeModel?.bind(one) ?? []),
    onModelError: middleware.flatMap((one) => one.onModelError?.bind(one) ?? []),
    beforeTools: middleware.flatMap((one) => one.beforeTools?.bind(one) ?? []),
    fillArguments: middleware.flatMap((one) => one.fillArguments?.bind(one) ?? []),
    beforeTool: middleware.flatMap((one) => one.beforeTool?.bind(one) ?? []),
  };
}

/** Hands a value from hook to hook. At once, unless one of them makes it wait. */
export function fold<H, T>(
  hooks: readonly H[],
  value: T,
  apply: (hook: H, value: T) => T | Promise<T>,
): T | Promise<T> {
  let folded = value;
  let done = 0;
  for (const hook of hooks) {
    done++;
    const next = apply(hook, folded);
    if (next instanceof Promise) {
      const rest = hooks.slice(done);
      return next.then((so) => fold(rest, so, apply));
    }
    folded = next;
  }
  return folded;
}
