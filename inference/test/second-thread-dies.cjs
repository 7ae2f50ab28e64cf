// Preloaded into the tier by a test: at SIGUSR2 its worker thread dies, and the one that is started in its place dies
// while it starts. THREADS names a file that counts them.
const { appendFileSync, statSync } = require('node:fs');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const channel = new BroadcastChannel('death');
channel.unref();
if (isMainThread) {
  process.on('SIGUSR2', () => channel.postMessage('die'));
} else {
  appendFileSync(process.env.THREADS, '.');
  if (statSync(process.env.THREADS).size === 2) throw new Error('died while it started');
  channel.onmessage = () => {
    throw new Error('died between two tasks');
  };
}
