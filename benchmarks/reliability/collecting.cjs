/**
 * Preloaded into a tier (`--require`): at SIGUSR2 each of its threads collects all garbage and returns unused memory, as V8
 * does when memory is scarce. The memory that is left shows a slope of a few MiB; between two collections of its own, a
 * tier grows by 100 MiB and more.
 */
const { Session } = require('node:inspector');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const session = new Session();
session.connect();
const collect = () => session.post('HeapProfiler.collectGarbage');

const channel = new BroadcastChannel('collecting');
if (isMainThread) {
  process.on('SIGUSR2', () => {
    channel.postMessage('collect');
    collect();
  });
} else {
  channel.onmessage = collect;
}
channel.unref();
