import { silentLog, type Log, type Model, type ModelRequest } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { Clock } from "@troupe/stream";

import { anthropicModel } from "../anthropic/anthropic-model.ts";
import { openaiCompatibleModel } from "../openai/openai-compatible-model.ts";
import {
  startFakeAnthropic,
  startFakeOpenai,
  type FakeModelServer,
  type FakeServerOptions,
} from "../testing/index.ts";

export const KEY = "sk-test-0123456789abcdef";

export interface Settings {
  readonly clock?: Clock;
  readonly apiKey?: string;
  readonly maxRetries?: number;
  readonly vision?: boolean;
  readonly log?: Log;
}

export interface Adapter {
  readonly name: "anthropic" | "openai-compatible";
  readonly startFake: (options?: FakeServerOptions) => Promise<FakeModelServer>;
  readonly model: (server: { readonly url: string }, settings?: Settings) => Model;
}

/** Both adapters with their real SDKs. */
export const adapters: readonly Adapter[] = [
  {
    name: "anthropic",
    startFake: startFakeAnthropic,
    model: ({ url }, { clock = virtualClock(), apiKey = KEY, ...rest } = {}) =>
      anthropicModel({ baseURL: url, clock, apiKey, log: silentLog, random: () => 0, ...rest }),
  },
  {
    name: "openai-compatible",
    startFake: startFakeOpenai,
    model: ({ url }, { clock = virtualClock(), apiKey = KEY, ...rest } = {}) =>
      openaiCompatibleModel({
        baseURL: url,
        model: "any-model",
        clock,
        apiKey,
        log: silentLog,
        random: () => 0,
        ...rest,
      }),
  },
];

export function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "You are a test.", messages: [{ role: "user", text: "Hello" }], tools: [], ...over };
}

export const never = new AbortController().signal;

/** A clock whose sleeps end at once and are written down. */
export function sleeplessClock(): Clock & { readonly sleeps: readonly number[] } {
  const sleeps: number[] = [];
  return {
    ...virtualClock(),
    sleeps,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      sleeps.push(ms);
    },
  };
}
