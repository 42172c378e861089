import { startRestate, type RestateServer } from "./restate-server.ts";

export interface RestateCluster {
  readonly nodes: readonly RestateServer[];
  readonly ingressUrl: readonly string[];
  readonly adminUrl: readonly string[];
  stop(): Promise<void>;
}

/** Partitions of the cluster, few because every node runs on one machine here. */
const PARTITIONS = "6";

/**
 * Three nodes that replicate what they store to two of them, so that any one may be lost. There is no object
 * store for snapshots: nothing of a log is trimmed, so that a node can always be brought up to date from it.
 */
export async function startCluster(): Promise<RestateCluster> {
  const common = {
    RESTATE_CLUSTER_NAME: "troupe",
    RESTATE_DEFAULT_REPLICATION: "2",
    RESTATE_DEFAULT_NUM_PARTITIONS: PARTITIONS,
    RESTATE_WORKER__DURABILITY_MODE: "none",
  };
  const first = await startRestate({ nodeName: "node-1", settings: common });
  const joining = {
    ...common,
    RESTATE_AUTO_PROVISION: "false",
    RESTATE_METADATA_CLIENT__ADDRESSES: `["${first.fabricUrl}"]`,
  };
  const others = await Promise.all(
    ["node-2", "node-3"].map((nodeName) => startRestate({ nodeName, settings: joining })),
  );
  const nodes = [first, ...others];
  return {
    nodes,
    ingressUrl: nodes.map((node) => node.ingressUrl),
    adminUrl: nodes.map((node) => node.adminUrl),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
