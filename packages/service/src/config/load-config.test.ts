import { describe, expect, it } from "vitest";
import { z } from "zod";

import { loadConfig } from "./load-config.ts";
import { jsonSetting, portNumber, setting, toggle } from "./setting.ts";

const schema = z.object({
  port: setting(portNumber.default(8090), { env: "PORT", flag: "port" }),
  key: setting(z.string().min(8).optional(), { env: "KEY", secret: true }),
  debug: setting(toggle.default(false), { env: "DEBUG" }),
  servers: setting(jsonSetting(z.record(z.string(), z.url())).default({}), { env: "SERVERS" }),
});

const readSecret = (path: string): string => {
  throw new Error(`nobody asked for ${path}`);
};

describe("loadConfig", () => {
  it("takes flags over environment over file over defaults, and says which", () => {
    const file = { port: 3, debug: true };
    const load = (flags: { port?: string }, env: { PORT?: string }) =>
      loadConfig(schema, { flags, env, file, readSecret });
    expect(load({ port: "1" }, { PORT: "2" }).value.port).toBe(1);
    expect(load({}, { PORT: "2" }).value.port).toBe(2);
    expect(load({}, {}).value).toMatchObject({ port: 3, debug: true });
    expect(loadConfig(schema, { readSecret }).value.port).toBe(8090);
    expect(load({ port: "1" }, {}).settings.map((s) => [s.key, s.origin])).toEqual([
      ["port", "flag"],
      ["key", "unset"],
      ["debug", "config file"],
      ["servers", "default"],
    ]);
  });

  it("reads a secret from a file and never shows it", () => {
    const loaded = loadConfig(schema, { env: { KEY_FILE: "/run/key" }, readSecret: () => "sesame-open\n" });
    expect(loaded.value.key).toBe("sesame-open");
    expect(JSON.stringify(loaded.settings)).not.toContain("sesame");
    expect(loaded.settings[1]).toMatchObject({ origin: "secret file", shown: "***" });
  });

  it("reports every problem at once, quoting the input but not the secret", () => {
    const load = () =>
      loadConfig(schema, { env: { PORT: "ninety", KEY: "short", SERVERS: "{", DEBUG: "maybe" }, readSecret });
    expect(load).toThrow(expect.objectContaining({ code: "input.invalid" }));
    expect(load).toThrow('port (PORT): "ninety"');
    expect(load).toThrow("servers (SERVERS)");
    expect(load).toThrow('debug (DEBUG): "maybe" - write on or off');
    expect(load).toThrow("key (KEY): the secret given");
    expect(load).not.toThrow("short");
  });

  it("shows no password of an address, in force or refused", () => {
    const url = "http://me:sesame-open@models.example/v1";
    const { settings } = loadConfig(schema, { env: { SERVERS: JSON.stringify({ a: url }) }, readSecret });
    expect(settings[3]?.shown).toBe('{"a":"http://***@models.example/v1"}');
    const load = () => loadConfig(schema, { env: { PORT: url, SERVERS: url }, readSecret });
    expect(load).toThrow('port (PORT): "http://***@models.example/v1"');
    expect(load).not.toThrow("sesame");
  });

  it("says which secret file cannot be read", () => {
    const load = () =>
      loadConfig(schema, {
        env: { KEY_FILE: "/nowhere" },
        readSecret: () => {
          throw new Error("ENOENT");
        },
      });
    expect(load).toThrow(/KEY_FILE: "\/nowhere" cannot be read/);
  });

  it("treats an empty environment value as unset", () => {
    expect(loadConfig(schema, { env: { PORT: "" }, readSecret }).value.port).toBe(8090);
  });
});

it("reads a variable by the name it has elsewhere where its own is not set", () => {
  const schema = z.object({
    files: setting(toggle.default(false), { env: "ENABLE_FILES", envAliases: ["ENABLE_FILE"] }),
  });
  const filesWith = (env: { readonly [name: string]: string }) =>
    loadConfig(schema, { env, readSecret: () => "" }).value.files;
  expect(filesWith({ ENABLE_FILE: "true" })).toBe(true);
  expect(filesWith({ ENABLE_FILE: "true", ENABLE_FILES: "false" })).toBe(false);
});
