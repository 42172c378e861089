/** One turn of the event loop: sockets get to send what was written to them. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
