// The Prometheus of the cluster: makes it scrape a run, and asks it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../../../gateway/harness/cli/paths.mjs';
import { waitUntil } from '../../../../gateway/harness/wait.mjs';

/**
 * @typedef {import('../installation/installation.mjs').Installation} Installation
 */

const MONITORS = join(ROOT, 'deploy/kubernetes/components/monitoring/service-monitors.yaml');
const GROUP = 'monitoring.coreos.com';
// cspell:ignore prometheuses
/** The installations of Prometheus that its operator runs. */
const INSTALLATIONS = `prometheuses.${GROUP}`;
/** An operator takes over new monitors within a minute, and most installations scrape every 30 s. */
const SCRAPED_MS = 180_000;

/**
 * The ServiceMonitors of the component `monitoring` for a run.
 * @param {string} namespace
 * @param {Readonly<Record<string, string>>} labels by which Prometheus selects monitors
 * @returns {any[]}
 */
export const monitorsOf = (namespace, labels) =>
  parseAllDocuments(readFileSync(MONITORS, 'utf8')).map((document) => {
    const monitor = document.toJS();
    return {
      ...monitor,
      metadata: { ...monitor.metadata, namespace, labels: { ...monitor.metadata.labels, ...labels } },
    };
  });

/**
 * Lets a namespace reach the metrics of a run, whose policies name a namespace of the test in its place.
 * @param {string} namespace
 * @param {string} from
 */
export const policyFor = (namespace, from) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'prometheus', namespace },
  spec: {
    podSelector: {
      matchExpressions: [
        { key: 'app.kubernetes.io/component', operator: 'In', values: ['gateway', 'inference'] },
      ],
    },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': from } } }],
        // The ports of the gateway and of the inference tier have these names.
        ports: ['metrics', 'http'].map((port) => ({ protocol: 'TCP', port })),
      },
    ],
  },
});

/** @param {Installation} installation @param {string} home namespace of Prometheus @returns {Promise<any[]>} */
async function objectsFor({ kubectl, namespace }, home) {
  const policy = policyFor(namespace, home);
  // Without the Prometheus Operator, Prometheus finds pods by other means.
  if (!(await kubectl.serves(GROUP))) return [policy];
  const { items } = await kubectl.json(['--namespace', home, 'get', INSTALLATIONS]);
  const labels = items.map((/** @type {any} */ { spec }) => spec.serviceMonitorSelector?.matchLabels ?? {});
  return [policy, ...monitorsOf(namespace, Object.assign({}, ...labels))];
}

/**
 * Makes Prometheus scrape the installation until `act` has ended.
 * @param {Installation} installation
 * @param {string} home namespace of Prometheus
 * @param {() => Promise<void>} act
 */
export async function withScraping(installation, home, act) {
  const { kubectl, namespace } = installation;
  const objects = await objectsFor(installation, home);
  const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  try {
    await kubectl.apply(objects);
    await act();
  } finally {
    await kubectl.uninterrupted.run(['--namespace', namespace, 'delete', '--ignore-not-found', ...names]);
  }
}

/** Prints the response to a query, from inside the cluster. */
const ASK = `fetch(process.argv[1]).then((response) => response.text()).then(console.log)`;

/**
 * Waits until a query has a result.
 * @param {Installation} installation
 * @param {{ serverAddress: string, query: string }} trigger
 * @param {number} [timeoutMs]
 * @returns {Promise<string | undefined>} why it has none after a while
 */
export async function reasonForNoResult(
  { kubectl, outside },
  { serverAddress, query },
  timeoutMs = SCRAPED_MS,
) {
  const url = new URL('/api/v1/query', serverAddress);
  url.searchParams.set('query', query);
  const args = ['--namespace', outside.ingress, 'exec', 'load', '--', 'node', '--eval', ASK, String(url)];
  const ask = async () => {
    const { data, error } = JSON.parse(await kubectl.run(args));
    if (error) throw new Error(error);
    return data.result.length > 0;
  };
  try {
    await waitUntil(`Prometheus has a result for ${query}`, ask, {
      timeoutMs,
      intervalMs: 3_000,
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}
