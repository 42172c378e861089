import { afterEach, describe, expect, it } from "vitest";

import { serveHttp, type HttpServer } from "../../testing/serve-http.ts";
import { checkedConnections } from "./checked-connections.ts";
import { following } from "./follow.ts";
import { guardedFetch, type GuardOptions } from "./guarded-fetch.ts";
import { nodeFetch } from "./node-fetch.ts";
import { send } from "./send.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(handle: Parameters<typeof serveHttp>[0]): Promise<HttpServer> {
  const server = await serveHttp(handle);
  closing.push(server.close);
  return server;
}

const inside = () => serve((_request, response) => response.end("inside"));
const refused = { name: "NetworkError", code: "network.refused" };
const portOf = (url: string): string => new URL(url).port;

describe("guardedFetch", () => {
  it.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0177.0.0.1",
    "http://0",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://127\u30020\u30020\u30021",
    "http://%31%32%37.0.0.1",
    "http://localhost",
  ])("does not reach this machine as %s", async (spelling) => {
    const { url, sockets } = await inside();
    await expect(guardedFetch()(`${spelling}:${portOf(url)}/`)).rejects.toMatchObject(refused);
    expect(sockets.size).toBe(0);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://10.0.0.1/",
    "http://[fe80::1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:70/",
    "data:text/plain,x",
    "http://user:secret@93.184.216.34/",
    "no address",
  ])("does not ask for %s", async (address) => {
    await expect(guardedFetch()(address)).rejects.toMatchObject(refused);
  });

  it("says which host and which setting, and not what the name stands for", async () => {
    const resolve = () => Promise.resolve(["10.9.8.7"]);
    const error: unknown = await guardedFetch({ resolve })("http://agents.example/a?key=secret").catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({
      ...refused,
      message: expect.stringMatching(/"agents\.example".*TROUPE_ALLOWED_ORIGINS/) as string,
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/10\.9\.8\.7|secret/);
  });

  it("reaches what is allowed, by any name of this machine, and on no other port", async () => {
    const { url } = await inside();
    const guarded = guardedFetch({ allow: [`http://localhost:${portOf(url)}`] });
    expect(await (await guarded(url)).text()).toBe("inside");
    const other = await inside();
    await expect(guarded(other.url)).rejects.toMatchObject(refused);
    const byRule = guardedFetch({ allow: ({ port }) => port === portOf(other.url) });
    expect(await (await byRule(other.url)).text()).toBe("inside");
    await expect(byRule(url)).rejects.toMatchObject(refused);
  });

  it("follows a redirect only to where it might have gone by itself", async () => {
    const { url, sockets } = await inside();
    const leading = await serve((request, response) => {
      const to = request.url === "/there" ? "/" : `${url.replace("127.0.0.1", "2130706433")}/`;
      if (request.url === "/") response.end("there");
      else response.writeHead(302, { Location: to }).end();
    });
    const guarded = guardedFetch({ allow: [leading.url] });
    expect(await (await guarded(`${leading.url}/there`)).text()).toBe("there");
    await expect(guarded(`${leading.url}/inside`)).rejects.toMatchObject(refused);
    expect(sockets.size).toBe(0);
  });

  it("follows five redirects and no more", async () => {
    let asked = 0;
    const { url } = await serve((_request, response) => {
      asked++;
      response.writeHead(307, { Location: "/" }).end();
    });
    await expect(guardedFetch({ allow: [url] })(url)).rejects.toMatchObject({ code: "network.redirects" });
    expect(asked).toBe(6);
  });

  it("uses no connection that was made without a check", async () => {
    const { url, sockets } = await inside();
    await (await nodeFetch(url)).text();
    await (await guardedFetch({ allow: [url] })(url)).text();
    expect(sockets.size).toBe(1);
    await expect(guardedFetch()(url)).rejects.toMatchObject(refused);
    const resolve = () => Promise.resolve(["127.0.0.1"]);
    await expect(guardedFetch({ resolve })(`http://localhost:${portOf(url)}/`)).rejects.toMatchObject(
      refused,
    );
  });

  it("wants https where it is told to, except of what is allowed", async () => {
    const { url } = await inside();
    const options: GuardOptions = { httpsOnly: true, allow: [url] };
    await expect(guardedFetch(options)("http://93.184.216.34/")).rejects.toMatchObject(refused);
    expect((await guardedFetch(options)(url)).status).toBe(200);
  });

  it("goes through no proxy of the environment but to what is allowed: names would be resolved unchecked", async () => {
    const { url, sockets } = await inside();
    const leading = await serve((request, response) => {
      if (request.url === "/") response.end("there");
      else response.writeHead(302, { Location: request.url === "/there" ? "/" : url }).end();
    });
    process.env["NODE_USE_ENV_PROXY"] = "1";
    try {
      const guarded = guardedFetch({ allow: [leading.url] });
      expect(await (await guarded(`${leading.url}/there`)).text()).toBe("there");
      await expect(guarded(`${leading.url}/inside`)).rejects.toMatchObject(refused);
      expect(sockets.size).toBe(0);
      await expect(guardedFetch()("http://agents.example/")).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining("proxy") as string,
      });
    } finally {
      delete process.env["NODE_USE_ENV_PROXY"];
    }
  });
});

describe("checked connections", () => {
  /** Names and what they stand for, in turn; 127.0.0.1 stands in for an address that is public. */
  function checked(...answers: readonly (readonly string[])[]) {
    const asked: string[] = [];
    const connections = checkedConnections(
      (hostname) => {
        asked.push(hostname);
        return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? []);
      },
      (address) => address === "127.0.0.1",
    );
    closing.push(() => connections.http.destroy());
    return { asked, fetch: following((request) => send(request, connections), 5) };
  }

  it("lead to the addresses that pass, whatever else the name stands for", async () => {
    const { url } = await inside();
    const { fetch } = checked(["127.0.0.2", "::1", "127.0.0.1", "10.0.0.1"]);
    expect(await (await fetch(`http://both.example:${portOf(url)}/`)).text()).toBe("inside");
  });

  it("connect to what was checked: a name that turns is looked up once a connection, and refused then", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { Connection: "close" }).end("inside");
    });
    const address = `http://turning.example:${portOf(server.url)}/`;
    const { asked, fetch } = checked(["127.0.0.1"], ["127.0.0.2"]);
    expect(await (await fetch(address)).text()).toBe("inside");
    expect(asked).toEqual(["turning.example"]);
    await expect(fetch(address)).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(2);
    expect(server.sockets.size).toBe(1);
  });

  it("are used again as they are", async () => {
    const server = await inside();
    const { asked, fetch } = checked(["127.0.0.1"]);
    for (let n = 0; n < 3; n++) await (await fetch(`http://one.example:${portOf(server.url)}/`)).text();
    expect([asked.length, server.sockets.size]).toEqual([1, 1]);
  });

  it("fail as fetch does where a name is unknown", async () => {
    const unknown = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    const guarded = guardedFetch({ resolve: () => Promise.reject(unknown) });
    await expect(guarded("http://nobody.example/")).rejects.toMatchObject({
      name: "TypeError",
      cause: { code: "ENOTFOUND" },
    });
  });
});
