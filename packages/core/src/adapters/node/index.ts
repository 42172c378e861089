export type { Resolve } from "./checked-connections.ts";
export { guardedFetch, type GuardOptions } from "./guarded-fetch.ts";
export { makeFolder } from "./make-folder.ts";
export { nodeFetch } from "./node-fetch.ts";
export { replaceFile } from "./replace-file.ts";
