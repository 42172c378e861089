import { spawn } from "node:child_process";

type Env = { readonly [name: string]: string | undefined };

/** The command that opens a file on this desktop; undefined without one, such as over ssh. */
export function openCommand(platform: NodeJS.Platform, env: Env): string | undefined {
  const has = (name: string): boolean => (env[name] ?? "") !== "";
  const display = has("DISPLAY") || has("WAYLAND_DISPLAY");
  if (has("SSH_CONNECTION") && !display) return undefined;
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer.exe";
  return display ? "xdg-open" : undefined;
}

/** Opens a file and does not wait for the program that shows it; false when nothing can open it. */
export async function openFile(path: string, env: Env): Promise<boolean> {
  const command = openCommand(process.platform, env);
  if (command === undefined) return false;
  return new Promise((resolve) => {
    const child = spawn(command, [path], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
