// The inference tier: queue, batches and stages, models, workers, dropped work, memory and GPUs.

import { build, chart, figure } from './builder.mjs';

const ours = 'namespace=~"$namespace",instance=~"$instance"';

/** @param {string} title @param {string} description @param {string} stage */
const stage = (title, description, stage) =>
  chart({
    title,
    description,
    unit: 's',
    width: 6,
    queries: [
      {
        expr: `histogram_quantile(0.95, sum by (operation, le) (rate(presenza_inference_stage_seconds_bucket{${ours},stage="${stage}"}[$__rate_interval])))`,
        legend: '{{operation}}',
      },
    ],
  });

export const inference = build({
  name: 'inference',
  title: 'Presenza / Inference',
  description: 'Queue, batches, stages, models, workers, drops, memory and GPUs of the inference tier.',
  instancesOf: 'presenza_inference_info',
  rows: [
    {
      title: 'What computes',
      panels: [
        figure({
          title: 'Processes',
          description: 'By device. One on the processor among GPUs found no usable GPU.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `count by (backend, device, precision, embedding) (presenza_inference_info{${ours}})`,
              legend: '{{backend}} {{device}} {{precision}} {{embedding}}',
            },
          ],
        }),
        figure({
          title: 'Workers',
          description: 'Threads that compute, by device.',
          unit: 'short',
          width: 8,
          queries: [{ expr: `sum by (device) (presenza_inference_workers{${ours}})`, legend: '{{device}}' }],
        }),
        figure({
          title: 'Workers replaced in 24 h',
          description: 'Because their budget was used up; failed: the successor did not start.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `sum by (reason) (increase(presenza_inference_workers_recycled_total{${ours}}[24h]))`,
              legend: '{{reason}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Queue',
      panels: [
        chart({
          title: 'Length',
          description:
            'Images or faces that wait, in each process; 256 is full by default. Scaling follows it.',
          unit: 'short',
          bound: { at: 128 },
          queries: [
            {
              expr: `sum by (instance) (presenza_inference_queue_length{${ours}})`,
              legend: '{{instance}}',
            },
          ],
        }),
        chart({
          title: 'Longest wait',
          description: 'Detection has 1 s from end to end.',
          unit: 's',
          bound: { at: 1 },
          queries: [
            {
              expr: `max by (operation) (presenza_inference_queue_oldest_seconds{${ours}})`,
              legend: '{{operation}}',
            },
          ],
        }),
        chart({
          title: 'Not computed',
          description:
            'full and deadline: refused at the door. expired: was too late. abandoned: the client left.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (operation, reason) (rate(presenza_inference_dropped_total{${ours}}[$__rate_interval]))`,
              legend: '{{operation}} {{reason}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Work',
      panels: [
        chart({
          title: 'Requests by outcome',
          description:
            'refused: the image lacks what the request asks for. invalid: not a usable image. error: a defect.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (operation, outcome) (rate(presenza_inference_requests_total{${ours}}[$__rate_interval]))`,
              legend: '{{operation}} {{outcome}}',
            },
          ],
        }),
        chart({
          title: 'Mean batch',
          description:
            'Images or faces in a run of each model. 1 to 2 are right on a processor; a GPU wants more.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (model) (rate(presenza_inference_model_items_total{${ours}}[$__rate_interval])) / sum by (model) (rate(presenza_inference_model_runs_total{${ours}}[$__rate_interval]))`,
              legend: '{{model}}',
            },
          ],
        }),
        chart({
          title: 'Time in models',
          description: 'Seconds of work in each second, by the part that a model plays.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (model) (rate(presenza_inference_model_seconds_total{${ours}}[$__rate_interval]))`,
              legend: '{{model}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Stages, 95th percentile',
      panels: [
        stage('Queue', 'Wait for a worker, for each item.', 'queue'),
        stage('Service', 'An item, from hand-over to result: decoding, models, post-processing.', 'service'),
        stage('Model', 'An item, in models alone: its part of each run.', 'model'),
        stage('Total', 'A request, from its last byte to its response.', 'total'),
      ],
    },
    {
      title: 'Memory',
      panels: [
        chart({
          title: 'Resident memory',
          description: 'The memory of each process settles within hours; a straight line is a leak.',
          unit: 'bytes',
          width: 12,
          queries: [
            {
              expr: `process_resident_memory_bytes{${ours}} and on (namespace, job, instance) presenza_inference_info`,
              legend: '{{instance}}',
            },
          ],
        }),
        chart({
          title: 'Bodies in flight',
          description: 'Bytes of requests that are read or wait.',
          unit: 'bytes',
          width: 12,
          queries: [{ expr: `presenza_inference_body_bytes{${ours}}`, legend: '{{instance}}' }],
        }),
      ],
    },
    {
      title: 'GPUs',
      panels: [
        chart({
          title: 'Memory used',
          description: 'By DCGM. Over 90 % the next larger batch may not fit.',
          unit: 'percentunit',
          width: 6,
          max: 1,
          bound: { at: 0.9 },
          queries: [
            {
              expr: 'DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)',
              legend: '{{Hostname}} {{gpu}}',
            },
          ],
        }),
        chart({
          title: 'Busy',
          description: 'Fraction of the time that a kernel ran.',
          unit: 'percent',
          width: 6,
          max: 100,
          queries: [{ expr: 'DCGM_FI_DEV_GPU_UTIL', legend: '{{Hostname}} {{gpu}}' }],
        }),
        chart({
          title: 'Temperature',
          description: 'Cards slow down at 85 to 95 degrees.',
          unit: 'celsius',
          width: 6,
          bound: { at: 85 },
          queries: [{ expr: 'DCGM_FI_DEV_GPU_TEMP', legend: '{{Hostname}} {{gpu}}' }],
        }),
        chart({
          title: 'Last Xid error',
          description: 'Its number in the driver; 0: none.',
          unit: 'short',
          width: 6,
          bound: { at: 1 },
          queries: [{ expr: 'DCGM_FI_DEV_XID_ERRORS', legend: '{{Hostname}} {{gpu}}' }],
        }),
      ],
    },
  ],
});
