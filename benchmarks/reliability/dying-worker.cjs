/** Preloaded into the inference tier (`--require`): at SIGUSR2 each of its worker threads dies of an uncaught error. */
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
