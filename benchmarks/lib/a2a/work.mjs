// What both servers are asked to do: it stands as JSON in the message's text.
//
//   { chunks, size, burst, everyMs }   an answer of so many chunks, `burst` at a time; all at once without `burst`
//   { snapshots, bytes }               one artifact that is replaced so many times, so long each time

export function workOf(text) {
  return JSON.parse(text);
}

/** The chunks of an answer at the work's pace. */
export async function* chunksOf({ chunks = 1, size = 20, burst = 0, everyMs = 0 }) {
  const chunk = "x".repeat(size);
  for (let at = 1; at <= chunks; at++) {
    yield chunk;
    if (burst > 0 && at % burst === 0 && at < chunks) await pause(everyMs);
  }
}

/** The states of an artifact that stands for one, each of about `bytes` characters. */
export async function* snapshotsOf({ snapshots, bytes }) {
  for (let at = 0; at < snapshots; at++) {
    yield `${at}`.padEnd(bytes, "x");
    await pause(0);
  }
}

function pause(ms) {
  return new Promise((resolve) => {
    if (ms > 0) setTimeout(resolve, ms);
    else setImmediate(resolve);
  });
}
