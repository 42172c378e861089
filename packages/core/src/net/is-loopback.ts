/** Only this machine can reach it: `localhost`, `::1` with or without brackets, or any 127.x.x.x. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
