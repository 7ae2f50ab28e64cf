// The overview: service-level objectives, traffic, latency and rejected requests.

import { build, chart, figure } from './builder.mjs';

const ours = 'namespace=~"$namespace"';
const gateway = `${ours},instance=~"$instance"`;
const served = 'operation!~"none|health.*|serviceIncidents|incidentFeed|openapi|admin .*"';

/** Targets of the specification, in seconds; each is the bound of a bucket. */
export const TARGETS = { detect: 1, moderate: 0.5, compare: 2, liveness: 3 };

/** @param {keyof typeof TARGETS} operation */
function latency(operation) {
  const histogram =
    operation === 'liveness'
      ? `presenza_gateway_liveness_verdict_seconds_bucket{${gateway}}`
      : `presenza_gateway_request_seconds_bucket{${gateway},operation="${operation}",status="200"}`;
  return chart({
    title: operation === 'liveness' ? 'Liveness verdict' : `Latency of ${operation}`,
    description: `From the request's first byte to the response's last. The line is the p95 target: ${TARGETS[operation]} s.`,
    unit: 's',
    width: 6,
    bound: { at: TARGETS[operation] },
    queries: [0.5, 0.95, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(${histogram}[$__rate_interval])))`,
      legend: `p${quantile * 100}`,
    })),
  });
}

export const overview = build({
  name: 'overview',
  title: 'Presenza / Overview',
  description: 'The objectives: 99.9 % of requests in 30 days, 95 % of responses within their target.',
  instancesOf: 'presenza_gateway_build_info',
  rows: [
    {
      title: 'What was promised',
      panels: [
        figure({
          title: 'Availability, 30 days',
          description:
            'Fraction of the requests without a server error (5xx). Needs 30 days of retention in Prometheus.',
          unit: 'percentunit',
          bound: { at: 0.999, bad: 'below' },
          max: 1,
          queries: [
            {
              expr: `1 - sum(sum_over_time(presenza:errors:rate5m{${ours}}[30d])) / sum(sum_over_time(presenza:requests:rate5m{${ours}}[30d]))`,
              legend: 'availability',
            },
          ],
        }),
        figure({
          title: 'Error budget left',
          description:
            'Share that is left of the 0.1 % of requests that may fail in 30 days. Below 0: deploy fixes only.',
          unit: 'percentunit',
          bound: { at: 0.25, bad: 'below' },
          queries: [
            {
              expr: `1 - sum(sum_over_time(presenza:errors:rate5m{${ours}}[30d])) / sum(sum_over_time(presenza:requests:rate5m{${ours}}[30d])) / 0.001`,
              legend: 'left',
            },
          ],
        }),
        ...Object.keys(TARGETS).map((operation) =>
          figure({
            title: `${operation} in time, 1 day`,
            description: 'Fraction of the responses within the target; the objective is 95 %.',
            unit: 'percentunit',
            bound: { at: 0.95, bad: 'below' },
            max: 1,
            queries: [
              {
                expr: `1 - max(presenza:late_ratio:1d{${ours},operation="${operation}"})`,
                legend: operation,
              },
            ],
          }),
        ),
        chart({
          title: 'Burn rate of the error budget',
          description:
            '1: the budget lasts exactly 30 days. Pages at 14.4 (1 h and 5 min) and 6 (6 h and 30 min).',
          unit: 'short',
          width: 12,
          bound: { at: 6 },
          queries: ['5m', '1h', '6h', '3d'].map((window) => ({
            expr: `max(presenza:error_ratio:${window}{${ours}}) / 0.001`,
            legend: window,
          })),
        }),
        chart({
          title: 'Late responses, 1 h',
          description:
            'Fraction of the responses over their target. The budget is 5 %; pages at 30 % over 6 h and 72 % over 1 h.',
          unit: 'percentunit',
          width: 12,
          bound: { at: 0.05 },
          queries: [
            { expr: `max by (operation) (presenza:late_ratio:1h{${ours}})`, legend: '{{operation}}' },
          ],
        }),
      ],
    },
    {
      title: 'Traffic',
      panels: [
        chart({
          title: 'Requests by operation',
          description: 'All responses, including rejections; without health checks and operators.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (operation) (rate(presenza_gateway_request_seconds_count{${gateway},${served}}[$__rate_interval]))`,
              legend: '{{operation}}',
            },
          ],
        }),
        chart({
          title: 'Responses by status',
          description: '499: the client left before the response.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (status) (rate(presenza_gateway_request_seconds_count{${gateway},${served}}[$__rate_interval]))`,
              legend: '{{status}}',
            },
          ],
        }),
        chart({
          title: 'Refusals by code and reason',
          description:
            'By the codes of the error catalogue. SERVICE_UNAVAILABLE overload: capacity is short.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (code, reason) (rate(presenza_gateway_refusals_total{${gateway}}[$__rate_interval])) > 0`,
              legend: '{{code}} {{reason}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Latency',
      panels: /** @type {(keyof typeof TARGETS)[]} */ (Object.keys(TARGETS)).map(latency),
    },
    {
      title: 'What runs',
      panels: [
        chart({
          title: 'Tiers, as gateways see them',
          description:
            'Fraction of the gateways that reach Redis (store), the Redis of the session keys and the inference tier.',
          unit: 'percentunit',
          max: 1,
          bound: { at: 1, bad: 'below' },
          queries: [{ expr: `avg by (tier) (presenza_gateway_tier_up{${gateway}})`, legend: '{{tier}}' }],
        }),
        chart({
          title: 'Versions',
          description: 'Gateways by the version they serve: two during a rolling update.',
          unit: 'short',
          queries: [
            { expr: `count by (version) (presenza_gateway_build_info{${ours}})`, legend: '{{version}}' },
          ],
        }),
        chart({
          title: 'Requests by plan',
          description: 'none: health checks, wrong keys, calls with a session token.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (plan) (rate(presenza_gateway_request_seconds_count{${gateway},${served}}[$__rate_interval]))`,
              legend: '{{plan}}',
            },
          ],
        }),
      ],
    },
  ],
});
