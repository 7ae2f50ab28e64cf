// Preloaded into every process of a start by a test: an inference tier that may use a GPU dies as a broken driver kills
// it, once it has named its device.
if (process.argv[1]?.endsWith('inference/dist/main.js') && process.env.INFERENCE_DEVICE !== 'cpu') {
  process.stdout.write('{"level":30,"device":"webgpu","workers":2,"msg":"starting workers"}\n', () =>
    process.kill(process.pid, 'SIGSEGV'),
  );
}
