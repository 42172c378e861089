/** A name may mislead: `SORT_KEY=name` must not blank every "name" of a log. */
const MIN_LENGTH = 8;
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS|TASKS_URL)$/i;

/**
 * The secrets an environment holds, judged by the names of its variables: for whoever keeps the
 * output of a process whose settings it does not know.
 *
 * @param readSecret reads a file that a `<NAME>_FILE` names; undefined where it cannot be read
 */
export function secretsOf(
  env: { readonly [name: string]: string | undefined },
  readSecret: (path: string) => string | undefined,
): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const found = SECRET_NAME.test(name)
      ? value
      : SECRET_NAME.test(name.replace(/_FILE$/, "")) && value !== ""
        ? (readSecret(value)?.trim() ?? "")
        : "";
    return found.length < MIN_LENGTH ? [] : [found];
  });
}
