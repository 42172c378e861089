export { startRestate, type RestateServer, type RestateServerOptions } from "./restate-server.ts";
export { startCluster, type RestateCluster } from "./restate-cluster.ts";
export { restateBinary } from "./server-binary.ts";
