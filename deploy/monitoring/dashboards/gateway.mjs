// The gateway: requests in flight, event loop and memory, dependencies, ledger, webhooks and liveness.

import { build, chart } from './builder.mjs';

const ours = 'namespace=~"$namespace",instance=~"$instance"';
/** Node's own metrics have the same names in every process: this keeps those of gateways. */
const ofGateways = 'and on (namespace, job, instance) presenza_gateway_build_info';

/** @param {string} dependency @param {number} target seconds */
const dependency = (dependency, target) =>
  chart({
    title: `Calls to ${dependency}`,
    description: `99th percentile by operation. The line is at ${target * 1000} ms.`,
    unit: 's',
    bound: { at: target },
    queries: [
      {
        expr: `histogram_quantile(0.99, sum by (operation, le) (rate(presenza_gateway_dependency_seconds_bucket{${ours},dependency="${dependency}"}[$__rate_interval])))`,
        legend: '{{operation}}',
      },
    ],
  });

export const gateway = build({
  name: 'gateway',
  title: 'Presenza / Gateway',
  description: 'Admission, event loop, what the gateways wait for, metering, webhooks and liveness.',
  instancesOf: 'presenza_gateway_build_info',
  rows: [
    {
      title: 'Admission',
      panels: [
        chart({
          title: 'Requests in flight',
          description: 'Each gateway takes up to GATEWAY_MAX_REQUESTS, 512 by default.',
          unit: 'short',
          bound: { at: 512 },
          queries: [{ expr: `presenza_gateway_requests_in_flight{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Analyses let in',
          description:
            'How many each gateway lets in at once, learned from refusals of the inference tier; no line until the first.',
          unit: 'short',
          queries: [{ expr: `presenza_gateway_adaptive_limit{${ours}} < Inf`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Bodies in flight',
          description: 'Each gateway takes up to GATEWAY_MAX_BODY_BYTES_IN_FLIGHT, 256 MiB by default.',
          unit: 'bytes',
          bound: { at: 256 * 2 ** 20 },
          queries: [{ expr: `presenza_gateway_body_bytes_in_flight{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Keys, by how they fared',
          description: 'refused: do not work. limited: refused unseen, since their address tried too many.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (outcome) (rate(presenza_gateway_authentications_total{${ours}}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Process',
      panels: [
        chart({
          title: 'Event loop, busy',
          description:
            'Fraction of the time since the last scrape. Above 85 %, waiting grows faster than work.',
          unit: 'percentunit',
          max: 1,
          bound: { at: 0.85 },
          queries: [{ expr: `presenza_gateway_event_loop_utilization{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Event loop, lag',
          description: '99th percentile; alerts at 100 ms.',
          unit: 's',
          bound: { at: 0.1 },
          queries: [
            { expr: `nodejs_eventloop_lag_p99_seconds{${ours}} ${ofGateways}`, legend: '{{instance}}' },
          ],
        }),
        chart({
          title: 'Memory',
          description: 'Resident memory of each process. It settles within hours; a straight line is a leak.',
          unit: 'bytes',
          queries: [{ expr: `process_resident_memory_bytes{${ours}} ${ofGateways}`, legend: '{{instance}}' }],
        }),
      ],
    },
    {
      title: 'Dependencies',
      panels: [
        dependency('redis', 0.05),
        dependency('inference', 1),
        chart({
          title: 'Calls that did not end well',
          description: 'By dependency and outcome.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (dependency, outcome) (rate(presenza_gateway_dependency_seconds_count{${ours},outcome!="ok"}[$__rate_interval]))`,
              legend: '{{dependency}} {{outcome}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Metering',
      panels: [
        chart({
          title: 'How far the ledger is behind',
          description:
            'Age of the oldest commit in the journal of each gateway. Grows while Redis is unavailable, and falls to 0 within seconds of its return.',
          unit: 's',
          bound: { at: 300 },
          queries: [{ expr: `presenza_gateway_journal_oldest_seconds{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Commits in the journals',
          description:
            'At about 150,000 in one gateway it is full, and no plan is served while Redis is unavailable.',
          unit: 'short',
          bound: { at: 75_000 },
          queries: [{ expr: `presenza_gateway_journal_pending{${ours}}`, legend: '{{instance}}' }],
        }),
        chart({
          title: 'Rejected commits',
          description: 'Bytes that can never be counted: served and not billed.',
          unit: 'bytes',
          bound: { at: 1 },
          queries: [{ expr: `presenza_gateway_journal_rejected_bytes{${ours}}`, legend: '{{instance}}' }],
        }),
      ],
    },
    {
      title: 'Webhooks',
      panels: [
        chart({
          title: 'Attempts by outcome',
          description:
            'failed: will be retried; dead: no attempts left; gone: the endpoint responded with 410.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `sum by (outcome) (rate(presenza_gateway_webhook_attempts_total{${ours}}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        }),
        chart({
          title: 'Oldest that could go out',
          description: 'The queue is shared by all gateways. More than some seconds: nobody delivers.',
          unit: 's',
          width: 6,
          bound: { at: 300 },
          queries: [
            { expr: `max(presenza_gateway_webhook_oldest_waiting_seconds{${ours}})`, legend: 'oldest' },
          ],
        }),
        chart({
          title: 'Backlog and dead letters',
          description: 'Backlog: deliveries between two attempts included. Dead letters: of 7 days.',
          unit: 'short',
          width: 6,
          bound: { at: 10_000 },
          queries: [
            { expr: `max(presenza_gateway_webhook_backlog{${ours}})`, legend: 'backlog' },
            { expr: `max(presenza_gateway_webhook_dead_letters{${ours}})`, legend: 'dead letters' },
            {
              expr: `sum(increase(presenza_gateway_webhook_endpoints_disabled_total{${ours}}[1h]))`,
              legend: 'endpoints disabled in 1 h',
            },
          ],
        }),
        chart({
          title: 'How long receivers take',
          description: '95th percentile by outcome; an attempt may take 15 s.',
          unit: 's',
          width: 6,
          queries: [
            {
              expr: `histogram_quantile(0.95, sum by (outcome, le) (rate(presenza_gateway_webhook_attempt_seconds_bucket{${ours}}[$__rate_interval])))`,
              legend: '{{outcome}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Console',
      panels: [
        chart({
          title: 'Mails by outcome',
          description: 'sent: the mail server took it; kept: for operators; dropped: too many waited.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (outcome) (increase(presenza_gateway_mails_total{${ours}}[30m]))`,
              legend: '{{outcome}} in 30 min',
            },
          ],
        }),
        chart({
          title: 'Requests missing in the logs of accounts',
          description: 'full: Redis is too slow; store: Redis failed. The requests themselves are served.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (reason) (rate(presenza_gateway_request_log_drops_total{${ours}}[$__rate_interval]))`,
              legend: '{{reason}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Liveness',
      panels: [
        chart({
          title: 'Sessions by outcome',
          description: 'Ended sessions. Many that fail: an attack, or a change that broke checks.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `sum by (outcome) (rate(presenza_gateway_liveness_sessions_total{${ours}}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        }),
        chart({
          title: 'Verdicts, 95th percentile',
          description: 'From a capture to its verdict, by outcome. The line is the target.',
          unit: 's',
          width: 6,
          bound: { at: 3 },
          queries: [
            {
              expr: `histogram_quantile(0.95, sum by (outcome, le) (rate(presenza_gateway_liveness_verdict_seconds_bucket{${ours}}[$__rate_interval])))`,
              legend: '{{outcome}}',
            },
          ],
        }),
        chart({
          title: 'Frames by guidance',
          description: 'unseen: the inference tier had no time within a second.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `sum by (guidance) (rate(presenza_gateway_liveness_frames_total{${ours}}[$__rate_interval]))`,
              legend: '{{guidance}}',
            },
          ],
        }),
        chart({
          title: 'Frames refused for their nonce',
          description: 'stale: a slow line. repeated, foreign: no page of ours sends these.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `sum by (reason) (rate(presenza_gateway_liveness_frames_refused_total{${ours}}[$__rate_interval]))`,
              legend: '{{reason}}',
            },
          ],
        }),
      ],
    },
  ],
});
