import { expect, it, onTestFinished, vi } from "vitest";

import { animationFrames } from "./animation-frames.ts";

it("draws with the page's frames, by a timer while it is hidden, and not when called off", () => {
  vi.useFakeTimers();
  const frames = new Map<number, () => void>();
  vi.stubGlobal("requestAnimationFrame", (fn: () => void) => {
    frames.set(frames.size + 1, fn);
    return frames.size;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.delete(id));
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const drawn: string[] = [];
  animationFrames(() => drawn.push("frame"));
  frames.get(1)?.();
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual(["frame"]);
  const stop = animationFrames(() => drawn.push("called off"));
  stop();
  animationFrames(() => drawn.push("hidden"));
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual(["frame", "hidden"]);
  vi.stubGlobal("requestAnimationFrame", undefined);
  animationFrames(() => drawn.push("no page"));
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual(["frame", "hidden", "no page"]);
});
