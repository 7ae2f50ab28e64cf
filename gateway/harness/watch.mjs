// Observes processes and metrics from outside.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux counts the CPU time of other processes in ticks (USER_HZ, fixed for user space). */
const TICKS_PER_SECOND = 100;
/** Bounds the observer's memory in soaks of several days. */
const MAX_SAMPLES = 100_000;

/** Whether this system shows processes in /proc, which the functions below read. */
export const canWatchProcesses = () => existsSync('/proc/self/fd');

/** CPU time of a process with all its threads so far, in seconds. @param {number} pid */
export function cpuSecondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain anything; after it, fields 14 and 15 of proc(5) are utime and stime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process, now and at its peak. @param {number} pid */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (/** @type {string} */ name) =>
    Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1]) / 1024;
  return { rssMiB: mib('VmRSS'), peakMiB: mib('VmHWM') };
}

/** File descriptors that a process holds. @param {number} pid */
export const descriptorsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/**
 * @param {string} url of a tier's metrics
 * @param {{ timeoutMs?: number }} [options]
 */
export async function readMetrics(url, { timeoutMs = 10_000 } = {}) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  return new Metrics(await response.text());
}

/** Metrics in Prometheus's text format. */
export class Metrics {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /**
   * The sum of all series of a metric whose labels match; 0 where there is none.
   * @param {string} name
   * @param {Readonly<Record<string, string>>} [labels]
   */
  sum(name, labels = {}) {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    let sum = 0;
    for (const [, metric, labelText = '', value] of this.text.matchAll(/^(\w+)(?:\{([^}]*)\})? (\S+)/gm)) {
      const labelled = labelText.split(',');
      if (metric === name && wanted.every((label) => labelled.includes(label))) sum += Number(value);
    }
    return sum;
  }
}

/**
 * @template {object} [M={}]
 * @typedef {{ atMs: number, cpuSeconds: Record<string, number>, rssMb: Record<string, number> } & M} Sample
 *   atMs: since 1970; cpuSeconds and rssMb (10^6 bytes) by process
 */

/**
 * Samples processes at a steady interval until it is stopped.
 * @template {object} [M={}]
 * @param {Record<string, number>} pids by name
 * @param {{ everyMs?: number, measure?: () => Promise<M> }} [options] measure: further values of each sample
 */
export function startSampler(pids, { everyMs = 1000, measure = async () => /** @type {M} */ ({}) } = {}) {
  /** @type {Sample<M>[]} */
  const samples = [];
  const watched = { ...pids };
  const stopping = new AbortController();
  const finished = (async () => {
    const { signal } = stopping;
    while (await delay(everyMs, true, { signal }).catch(() => false)) {
      const more = await measure();
      const sample = {
        atMs: Date.now(),
        cpuSeconds: /** @type {Record<string, number>} */ ({}),
        rssMb: /** @type {Record<string, number>} */ ({}),
        ...more,
      };
      for (const [name, pid] of Object.entries(watched)) {
        try {
          sample.cpuSeconds[name] = cpuSecondsOf(pid);
          sample.rssMb[name] = (memoryOf(pid).rssMiB * 2 ** 20) / 1e6;
        } catch {
          delete watched[name]; // it has ended
        }
      }
      if (samples.length < MAX_SAMPLES) samples.push(sample);
    }
  })();
  return {
    samples,
    /** Adds a process that started later. @param {string} name @param {number} pid */
    watch(name, pid) {
      watched[name] = pid;
    },
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
