// Redis, through redis_exporter: memory, durability, replication and load.

import { build, chart } from './builder.mjs';

const ours = 'namespace=~"$namespace",instance=~"$instance"';

export const redis = build({
  name: 'redis',
  title: 'Presenza / Redis',
  description: 'Memory, durability, replication and work of Redis, the store of record.',
  instancesOf: 'redis_up',
  rows: [
    {
      title: 'Memory',
      panels: [
        chart({
          title: 'Of maxmemory',
          description: 'At 100 % it refuses to write, and the gateways treat it as unavailable.',
          unit: 'percentunit',
          max: 1,
          bound: { at: 0.75 },
          queries: [
            {
              expr: `redis_memory_used_bytes{${ours}} / (redis_memory_max_bytes{${ours}} > 0)`,
              legend: '{{instance}}',
            },
          ],
        }),
        chart({
          title: 'Used',
          description: 'A million units a month make 1.6 GB of ledger in 400 days.',
          unit: 'bytes',
          queries: [{ expr: `redis_memory_used_bytes{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Evicted and expired keys',
          description:
            'Evicted has to be 0: maxmemory-policy noeviction. Expiring is sessions and idempotency keys.',
          unit: 'ops',
          queries: [
            {
              expr: `rate(redis_evicted_keys_total{${ours}}[$__rate_interval])`,
              legend: 'evicted {{instance}}',
            },
            {
              expr: `rate(redis_expired_keys_total{${ours}}[$__rate_interval])`,
              legend: 'expired {{instance}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Durability',
      panels: [
        chart({
          title: 'Append-only file',
          description: '1: on, written, rewritten. Anything at 0 loses data at the next restart.',
          unit: 'short',
          max: 1,
          bound: { at: 1, bad: 'below' },
          queries: [
            { expr: `redis_aof_enabled{${ours}}`, legend: 'on {{instance}}' },
            { expr: `redis_aof_last_write_status{${ours}}`, legend: 'written {{instance}}' },
            { expr: `redis_aof_last_bgrewrite_status{${ours}}`, legend: 'rewritten {{instance}}' },
          ],
        }),
        chart({
          title: 'Size of the append-only file',
          description: 'It shrinks with each rewrite.',
          unit: 'bytes',
          queries: [{ expr: `redis_aof_current_size_bytes{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Replication',
          description: 'Replicas of each primary, and whether each replica is connected.',
          unit: 'short',
          queries: [
            { expr: `redis_connected_slaves{${ours}}`, legend: 'replicas of {{instance}}' },
            { expr: `redis_master_link_up{${ours}}`, legend: 'link of {{instance}}' },
          ],
        }),
      ],
    },
    {
      title: 'Work',
      panels: [
        chart({
          title: 'Commands',
          description: 'One thread does them all: about 100,000 a second is the end, fewer for scripts.',
          unit: 'ops',
          queries: [
            {
              expr: `rate(redis_commands_processed_total{${ours}}[$__rate_interval])`,
              legend: '{{instance}}',
            },
          ],
        }),
        chart({
          title: 'Time in commands',
          description:
            'Fraction of a second, by command. evalsha is metering. All together at 1: it is saturated.',
          unit: 'percentunit',
          bound: { at: 1 },
          queries: [
            {
              expr: `topk(8, sum by (cmd) (rate(redis_commands_duration_seconds_total{${ours}}[$__rate_interval])))`,
              legend: '{{cmd}}',
            },
          ],
        }),
        chart({
          title: 'Clients',
          description: 'Connections, and those refused because maxclients were there.',
          unit: 'short',
          queries: [
            { expr: `redis_connected_clients{${ours}}`, legend: 'connected {{instance}}' },
            {
              expr: `rate(redis_rejected_connections_total{${ours}}[$__rate_interval])`,
              legend: 'refused per second {{instance}}',
            },
          ],
        }),
      ],
    },
  ],
});
