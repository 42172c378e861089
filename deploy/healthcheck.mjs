// Exits 0 when the address answers that all is well, such as `node healthcheck.mjs http://127.0.0.1:8100/readyz`.
const [url = "http://127.0.0.1:8100/readyz"] = process.argv.slice(2);
const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
process.exitCode = answer?.ok === true ? 0 : 1;
