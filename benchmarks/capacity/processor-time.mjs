/** Processor time of processes and of their single threads, seen from outside (Linux, /proc). */
import { readdirSync, readFileSync } from 'node:fs';
import { cpuSecondsOf } from '../lib/process.mjs';
import { sum } from '../lib/stats.mjs';

/** Two numbers of whole ticks (user and system time), of 10 ms each, are off by less than two of them together. */
const COARSE_MS = 20;

/** Milliseconds of a thread so far: the first number of its schedstat, in nanoseconds. @param {string} task */
const threadMs = (task) => Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** @param {number} pid @returns {Map<string, number>} milliseconds by thread; some end while it is read */
function readThreads(pid) {
  /** @type {Map<string, number>} */
  const threads = new Map();
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    try {
      threads.set(tid, threadMs(`/proc/${pid}/task/${tid}`));
    } catch {
      // It ended since it was listed; what it took is in the total.
    }
  }
  return threads;
}

/**
 * Starts to count.
 * @param {number} pid
 * @returns {() => { totalMs: number, mainMs: number, largestMs: number }} what was taken since then: all threads
 *   together, also those that ended; the main thread; the busiest other one
 */
export function countProcessorTime(pid) {
  const [total, threads] = [cpuSecondsOf(pid), readThreads(pid)];
  return () => {
    const taken = [...readThreads(pid)].map(([tid, ms]) => ({ tid, ms: ms - (threads.get(tid) ?? 0) }));
    const others = taken.filter(({ tid }) => tid !== String(pid)).map(({ ms }) => ms);
    return {
      totalMs: totalOf(sum(taken.map(({ ms }) => ms)), 1e3 * (cpuSecondsOf(pid) - total)),
      mainMs: taken.find(({ tid }) => tid === String(pid))?.ms ?? 0,
      largestMs: Math.max(0, ...others),
    };
  };
}

/**
 * Of a process whose threads all live, their sum, which is exact; ticks would be most of what Redis takes for a few
 * requests. Ticks count threads that ended as well: where they say more than they can be off by, some have.
 * @param {number} threadsMs that live, together
 * @param {number} ticksMs of the process
 */
export const totalOf = (threadsMs, ticksMs) => (ticksMs - threadsMs > COARSE_MS ? ticksMs : threadsMs);
