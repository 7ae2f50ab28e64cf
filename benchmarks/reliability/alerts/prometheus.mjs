/** A real Prometheus with the scaled rules of the repository, and what its alerts went through. */
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import {
  freePort,
  RunningProcess,
  startProcess,
  temporaryFolder,
  waitUntil,
} from '../../../gateway/harness/index.mjs';
import { findProgram } from '../../../gateway/harness/setup/system-packages.mjs';
import { Skip } from '../../lib/skip.mjs';
import { MONITORING, msOf, readRules, scaled, scaleRules } from './scaled-rules.mjs';

/** The gateway probes its tiers at most once a second, so more scrapes would show nothing new. */
const LEAST_SCRAPE_MS = 1_000;
/** How long Prometheus counts a series without a new point. */
const COUNTS_FOR = '5m';
const POLL_MS = 200;
/** Lists targets that exist only for a while. */
const ADDED = 'added.json';

/** @typedef {'inactive' | 'pending' | 'firing'} State */
/** @typedef {{ state: State, at: number }} Change at: ms of performance.now() */
/** @typedef {{ job: string, address: string, path?: string, params?: Record<string, string[]>, instance?: string }} Target */

/** @throws Skip with the remedy */
export function needPrometheus() {
  if (findProgram('prometheus')) return;
  throw new Skip('prometheus is not on the PATH: install it, for example with apt-get install prometheus.');
}

/** @returns {string | undefined} the exporter of Redis, under the name of its project or of Debian's package */
export const findRedisExporter = () =>
  ['redis_exporter', 'prometheus-redis-exporter'].find((name) => findProgram(name));

/**
 * @param {readonly Target[]} targets
 * @param {number} factor that divides all durations
 */
export async function startPrometheus(targets, factor) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'rules'));
  for (const { name, file } of readRules())
    writeFileSync(join(folder, 'rules', name), stringify(scaleRules(file, factor)));
  const configFile = join(folder, 'prometheus.yaml');
  writeFileSync(configFile, stringify(configOf(targets, factor)));
  const addedFile = join(folder, ADDED);
  const port = await freePort();
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    // cspell:ignore lookback
    `--query.lookback-delta=${scaled(COUNTS_FOR, factor)}`,
  ];
  const running = await startProcess('prometheus', args, {
    name: 'prometheus',
    ready: 'Server is ready to receive web requests',
  });
  const watch = new AlertWatch(`http://127.0.0.1:${port}`, running);
  return Object.assign(watch, {
    /** Scrapes further targets, in the place of those of an earlier call. @param {readonly Pick<Target, 'job' | 'address'>[]} added */
    alsoScrape(added) {
      const groups = added.map(({ job, address }) => ({ targets: [address], labels: { job } }));
      writeFileSync(addedFile, JSON.stringify(groups));
    },
    async stop() {
      watch.end();
      await running.stop();
    },
  });
}

/** The repository's configuration with other targets and intervals. @param {readonly Target[]} targets @param {number} factor */
function configOf(targets, factor) {
  const { global } = parse(readFileSync(join(MONITORING, 'prometheus.yaml'), 'utf8'));
  const interval = `${Math.max(LEAST_SCRAPE_MS, msOf(global.scrape_interval) / factor)}ms`;
  return {
    global: {
      ...global,
      scrape_interval: interval,
      scrape_timeout: interval,
      evaluation_interval: interval,
    },
    rule_files: ['rules/*.rules.yaml'],
    scrape_configs: [
      ...targets.map(({ job, address, path, params, instance }, i) => ({
        job_name: `${job} ${i}`,
        ...(path && { metrics_path: path }),
        ...(params && { params }),
        static_configs: [{ targets: [address], labels: { job, ...(instance && { instance }) } }],
      })),
      { job_name: 'added', file_sd_configs: [{ files: [ADDED], refresh_interval: '1s' }] },
    ],
  };
}

/** Polls the alerts of a Prometheus and keeps every change of their states. Emits `change`. */
export class AlertWatch extends EventEmitter {
  /** @type {Map<string, Change[]>} */
  #changes = new Map();
  #timer;

  /** @param {string} url @param {RunningProcess} running */
  constructor(url, running) {
    super();
    this.setMaxListeners(0);
    this.url = url;
    this.running = running;
    this.#timer = setInterval(() => this.#poll().catch(() => {}), POLL_MS);
  }

  async #poll() {
    const { alerts } = await this.#get('/api/v1/alerts');
    this.see(alerts, performance.now());
  }

  async #get(path) {
    const response = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(5_000) });
    return /** @type {any} */ (await response.json()).data;
  }

  /** @param {readonly { labels: { alertname: string }, state: State }[]} alerts active ones @param {number} at */
  see(alerts, at) {
    /** @type {Map<string, State>} */
    const now = new Map([...this.#changes.keys()].map((name) => [name, 'inactive']));
    for (const { labels, state } of alerts)
      if (now.get(labels.alertname) !== 'firing') now.set(labels.alertname, state);
    for (const [name, state] of now) {
      if (this.stateOf(name) === state) continue;
      this.#changes.set(name, [...(this.#changes.get(name) ?? []), { state, at }]);
      this.emit('change', name, state);
    }
  }

  /** @param {string} name @returns {State} */
  stateOf = (name) => this.#changes.get(name)?.at(-1)?.state ?? 'inactive';

  /** When the alert first had one of the states after a time. @param {string} name @param {readonly State[]} states @param {number} after */
  firstSince = (name, states, after) =>
    this.#changes.get(name)?.find(({ state, at }) => at >= after && states.includes(state))?.at;

  /** @param {string} name @param {State} state @param {number} timeoutMs */
  until = (name, state, timeoutMs) =>
    waitUntil(`${name} is ${state}`, () => this.stateOf(name) === state, {
      timeoutMs,
      intervalMs: timeoutMs,
      wakeOn: [this, 'change'],
    });

  /** The values of an instant query. @param {string} expr @returns {Promise<number[]>} */
  async query(expr) {
    const { result } = await this.#get(`/api/v1/query?query=${encodeURIComponent(expr)}`);
    return result.map(({ value }) => Number(value[1]));
  }

  end() {
    clearInterval(this.#timer);
  }
}
