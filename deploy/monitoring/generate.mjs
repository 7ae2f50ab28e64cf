// `node deploy/monitoring/generate.mjs`: generates Grafana's dashboards from `dashboards/`, and PrometheusRule objects
// for the Prometheus operator from `rules/`. With `--check` it writes nothing and fails if a file is outdated. The
// output is committed, since Grafana, Compose and kustomize read plain files without Node, and reviews show the
// changes.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { gateway } from './dashboards/gateway.mjs';
import { inference } from './dashboards/inference.mjs';
import { overview } from './dashboards/overview.mjs';
import { redis } from './dashboards/redis.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const RULES = join(HERE, 'rules');
const NOTE = '# Made by deploy/monitoring/generate.mjs from rules/*.rules.yaml: change those.\n';

export const dashboards = [overview, gateway, inference, redis];

/** @returns {Map<string, string>} content by path below this folder */
export function generated() {
  /** @type {[string, string][]} */
  const files = dashboards.map((dashboard) => [
    `generated/${dashboard.uid}.json`,
    `${JSON.stringify(dashboard, null, 2)}\n`,
  ]);
  return new Map([...files, ['generated/prometheus-rules.yaml', prometheusRules()]]);
}

/** One object for each file, so that one can be left out; labelled as the others of this namespace. */
function prometheusRules() {
  const objects = readdirSync(RULES)
    .filter((name) => name.endsWith('.rules.yaml'))
    .sort()
    .map((name) => ({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: {
        name: `presenza-${name.replace('.rules.yaml', '')}`,
        labels: { 'app.kubernetes.io/name': 'presenza', 'app.kubernetes.io/component': 'monitoring' },
      },
      spec: parse(readFileSync(join(RULES, name), 'utf8')),
    }));
  return NOTE + objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n');
}

/** @returns {string[]} paths of files that are not what would be written */
function stale() {
  return [...generated()]
    .filter(([path, content]) => {
      try {
        return readFileSync(join(HERE, path), 'utf8') !== content;
      } catch {
        return true;
      }
    })
    .map(([path]) => path);
}

function write() {
  mkdirSync(join(HERE, 'generated'), { recursive: true });
  for (const [path, content] of generated()) writeFileSync(join(HERE, path), content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) write();
  else if (stale().length > 0) {
    console.error(`Not up to date: ${stale().join(', ')}. Run node deploy/monitoring/generate.mjs.`);
    process.exitCode = 1;
  }
}
