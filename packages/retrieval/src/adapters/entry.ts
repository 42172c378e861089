/**
 * The address of a module that runs as a thread or process of its own, and the flags it needs: from
 * sources Node strips the types itself, from `dist` it is plain JavaScript.
 */
export function entryOf(name: string): { readonly url: URL; readonly execArgv: readonly string[] } {
  const fromSource = import.meta.url.endsWith(".ts");
  return {
    url: new URL(`./${name}${fromSource ? ".ts" : ".js"}`, import.meta.url),
    execArgv: fromSource ? ["--conditions=troupe-source"] : [],
  };
}
