/**
 * Preloaded into a tier (`--require`): at SIGUSR2 each of its threads collects all of its garbage and returns unused
 * memory, as V8 does when memory is scarce. Beside the memory that is in use then, a slope of a few MiB is visible; between
 * two of its own collections a tier takes 100 MiB and more.
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
