/** Preloaded into a process (`--require`): it takes 300 KiB of memory each second and releases none. */
const leaked = [];
setInterval(() => leaked.push(Buffer.alloc(300 * 1024, 1)), 1_000).unref();
