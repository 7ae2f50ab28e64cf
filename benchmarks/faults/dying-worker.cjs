/**
 * Preloaded into the inference tier (`--require`): at SIGUSR2 each of its worker threads dies of an error that nobody
 * catches, between two of its tasks or while it waits for one. Nothing in the product knows of it.
 */
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const channel = new BroadcastChannel('rehearsal');
if (isMainThread) {
  process.on('SIGUSR2', () => channel.postMessage('die'));
} else {
  channel.onmessage = () => {
    setImmediate(() => {
      throw new Error('rehearsed death of a worker');
    });
  };
}
channel.unref();
