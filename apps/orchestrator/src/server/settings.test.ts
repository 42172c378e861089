import { unknownKeys, unknownVariables, type SettingMeta } from "@troupe/service";
import { expect, it } from "vitest";
import type { z } from "zod";

import { settings } from "./settings.ts";

it("has no setting that another server of the same file would report as unknown", () => {
  const all = Object.entries<z.ZodType>(settings.shape).map(([key, schema]) => {
    const { env = "", secret = false } = (schema.meta() ?? {}) as SettingMeta;
    return { key, variables: secret ? [env, `${env}_FILE`] : [env] };
  });
  const file = Object.fromEntries(all.map(({ key }) => [key, "x"]));
  const env = Object.fromEntries(all.flatMap(({ variables }) => variables).map((name) => [name, "x"]));
  expect(unknownKeys(file, { servers: [] })).toEqual([]);
  expect(unknownVariables(env)).toEqual([]);
});
