// Preloaded into every process of a start by a test: an inference tier that may use a GPU dies as a broken driver kills it.
if (process.argv[1]?.endsWith('inference/dist/main.js') && process.env.INFERENCE_DEVICE !== 'cpu') {
  process.kill(process.pid, 'SIGSEGV');
}
