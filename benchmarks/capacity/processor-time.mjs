/** Processor time of processes and of their threads, read from outside (Linux, /proc). */
import { readdirSync, readFileSync } from 'node:fs';
import { cpuSecondsOf } from '../../gateway/harness/index.mjs';
import { sum } from '../lib/stats.mjs';

/** Two counters in whole ticks of 10 ms (user and system time) are off by less than two ticks together. */
const COARSE_MS = 20;

/** @param {number} pid @returns {Map<string, number>} milliseconds by thread so far */
function readThreads(pid) {
  const threads = new Map();
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    try {
      // The first number of schedstat, in nanoseconds.
      const [ns] = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').split(' ');
      threads.set(tid, Number(ns) / 1e6);
    } catch {
      // The thread ended in the meantime; the total has its time.
    }
  }
  return threads;
}

/**
 * Starts to count.
 * @param {number} pid
 * @returns {() => { totalMs: number, mainMs: number, largestMs: number }} the time since then: of all threads together,
 *   with those that ended; of the main thread; of the busiest other thread
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
 * The sum of living threads is exact, and ticks are coarse. Ticks also count threads that have ended: where they exceed
 * the sum by more than their error, some have.
 * @param {number} threadsMs of living threads
 * @param {number} ticksMs of the process
 */
export const totalOf = (threadsMs, ticksMs) => (ticksMs - threadsMs > COARSE_MS ? ticksMs : threadsMs);
