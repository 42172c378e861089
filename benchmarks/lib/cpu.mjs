/** CPU of this process, user and system, for `times` runs one after the other, in microseconds a run. */
export async function cpuPerRun(run, times) {
  const before = process.cpuUsage();
  for (let at = 0; at < times; at++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
