/** A server as a process of its own: says where it listens, and what it has taken whenever it is asked. */
export function report(url) {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    process.send({ cpu: user + system, rss, heapUsed });
  });
  process.on("disconnect", () => process.exit(0));
  process.send({ url });
}
