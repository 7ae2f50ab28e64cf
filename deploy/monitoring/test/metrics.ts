/** All metrics: those of our tiers from their registries, those of exporters from the lists below. */
import { Histogram, type Metric, type Registry } from 'prom-client';
import { createMetrics as gatewayMetrics } from '../../../gateway/src/observability/metrics';
import { createWebhookMetrics } from '../../../gateway/src/observability/webhook-metrics';
import { Admission } from '../../../gateway/src/services/limits/admission';
import { createMetrics as inferenceMetrics } from '../../../inference/src/http/metrics';
import { ruleFiles } from './files';

export interface Known {
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly bounds?: readonly number[];
}

/** Labels that Prometheus adds to each series. */
export const everywhere = ['namespace', 'job', 'instance'];

function gatewayRegistry(): Registry {
  const metrics = gatewayMetrics();
  metrics.watchTiers({ tiers: [], unavailable: async () => [] });
  metrics.watchSessionKeys(async () => 0);
  metrics.watchAdmission(new Admission({ maxRequests: 1, maxBodyBytes: 1 }));
  metrics.watchAdaptiveLimit({ value: 1 });
  metrics.watchJournal({ pending: 0, oldestAt: undefined, rejectedBytes: 0 });
  createWebhookMetrics(metrics.registry).watchQueue(async () => ({
    backlog: 0,
    deadLetters: 0,
    dueSince: undefined,
  }));
  return metrics.registry;
}

function inferenceRegistry(): Registry {
  const metrics = inferenceMetrics();
  metrics.watch({
    pool: {
      backend: 'onnx',
      device: 'cpu',
      precision: 'float32',
      embedding: 'sface',
      workers: 1,
      modelThreads: 1,
    },
    scheduler: { queued: {}, oldestWaitMs: {} },
    bytesInFlight: { bytes: 0 },
  });
  return metrics.registry;
}

/** Fields of prom-client's metrics that its types omit. */
type Inside = Metric & { readonly labelNames: readonly string[]; readonly upperBounds?: readonly number[] };

function ofRegistry(registry: Registry): [string, Known][] {
  return registry.getMetricsAsArray().flatMap((object) => {
    const { name } = object as unknown as { name: string };
    const { labelNames: labels, upperBounds } = registry.getSingleMetric(name) as Inside;
    if (!(registry.getSingleMetric(name) instanceof Histogram)) return [[name, { labels }]];
    const histogram: [string, Known][] = [
      [`${name}_bucket`, { labels: [...labels, 'le'], bounds: upperBounds ?? [] }],
      [`${name}_count`, { labels }],
      [`${name}_sum`, { labels }],
    ];
    return histogram;
  });
}

/** github.com/oliver006/redis_exporter, exporter/exporter.go, under its namespace `redis`. */
const redisExporter: Record<string, readonly string[]> = {
  redis_up: [],
  redis_instance_info: ['role', 'redis_version', 'redis_mode', 'maxmemory_policy'],
  redis_memory_used_bytes: [],
  redis_memory_max_bytes: [],
  redis_evicted_keys_total: [],
  redis_expired_keys_total: [],
  redis_aof_enabled: [],
  redis_aof_last_write_status: [],
  redis_aof_last_bgrewrite_status: [],
  redis_aof_current_size_bytes: [],
  redis_master_link_up: ['master_host', 'master_port'],
  redis_connected_slaves: [],
  redis_connected_clients: [],
  redis_rejected_connections_total: [],
  redis_commands_processed_total: [],
  redis_commands_duration_seconds_total: ['cmd'],
  redis_cluster_state: [],
  redis_cluster_slots_fail: [],
};

/** github.com/NVIDIA/dcgm-exporter, etc/default-counters.csv. */
const dcgm = ['FB_USED', 'FB_FREE', 'GPU_TEMP', 'GPU_UTIL', 'XID_ERRORS'].map((name): [string, Known] => [
  `DCGM_FI_DEV_${name}`,
  { labels: ['gpu', 'Hostname'] },
]);

/** github.com/kubernetes/kube-state-metrics, docs/metrics, and the kubelet's own. */
const kubernetes: Record<string, readonly string[]> = {
  kube_pod_container_status_restarts_total: ['pod', 'container'],
  kube_pod_container_status_waiting_reason: ['pod', 'container', 'reason'],
  kube_pod_container_status_last_terminated_reason: ['pod', 'container', 'reason'],
  kube_pod_status_phase: ['pod', 'phase'],
  kube_deployment_status_replicas_available: ['deployment'],
  kube_cronjob_created: ['cronjob'],
  kube_cronjob_status_last_successful_time: ['cronjob'],
  kube_horizontalpodautoscaler_status_current_replicas: ['horizontalpodautoscaler'],
  kube_horizontalpodautoscaler_spec_max_replicas: ['horizontalpodautoscaler'],
  kubelet_volume_stats_available_bytes: ['persistentvolumeclaim'],
  kubelet_volume_stats_capacity_bytes: ['persistentvolumeclaim'],
};

const listed = (names: Record<string, readonly string[]>) =>
  Object.entries(names).map(([name, labels]): [string, Known] => [name, { labels }]);

/** Recording rules produce series, too, with any of the labels that the rules sum by. */
const recorded = ruleFiles
  .flatMap(({ rules }) => rules)
  .flatMap(({ record }): [string, Known][] => (record ? [[record, { labels: ['operation'] }]] : []));

export const known: ReadonlyMap<string, Known> = new Map([
  ...ofRegistry(gatewayRegistry()),
  ...ofRegistry(inferenceRegistry()),
  ...listed(redisExporter),
  ...dcgm,
  ...listed(kubernetes),
  ...recorded,
  ['up', { labels: [] }],
]);
