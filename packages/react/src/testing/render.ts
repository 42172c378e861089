import { page } from "./page.ts";
import { act, createElement, StrictMode, type FunctionComponent } from "react";
import { createRoot } from "react-dom/client";

import { settle } from "./manual-frames.ts";

export interface Rendered<T> {
  /** What the hook returned last. */
  readonly current: T;
  /** How often the component was rendered. */
  readonly renders: number;
  /** Does something, and lets everything that follows from it happen. */
  act(doing?: () => void): Promise<void>;
  unmount(): Promise<void>;
  mount(): Promise<void>;
}

/** Renders a hook with a real renderer; `read` makes what it returns. */
export async function renderHook<T>(
  use: () => T,
  options: { readonly strict?: boolean } = {},
): Promise<Rendered<T>> {
  const seen: { current?: T; renders: number } = { renders: 0 };
  const Probe: FunctionComponent = () => {
    seen.current = use();
    seen.renders++;
    return null;
  };
  const root = createRoot(page.createElement("div"));
  const show = async (there: boolean): Promise<void> =>
    await act(async () => {
      const probe = there ? createElement(Probe) : null;
      root.render(options.strict === true ? createElement(StrictMode, null, probe) : probe);
      await settle();
    });
  await show(true);
  return {
    get current() {
      return seen.current as T;
    },
    get renders() {
      return seen.renders;
    },
    act: async (doing = () => undefined) =>
      await act(async () => {
        doing();
        await settle();
      }),
    unmount: () => show(false),
    mount: () => show(true),
  };
}
