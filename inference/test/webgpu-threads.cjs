// Two threads that load a model on WebGPU, run it and close it, three times each, at the same time: what crashes the
// process without a lock. Prints the output of each run. Argument: the model's ModelSpec as JSON.
const { join } = require('node:path');
const { isMainThread, parentPort, Worker, workerData } = require('node:worker_threads');

const built = join(__dirname, '..', 'dist', 'backends');

if (isMainThread) {
  const { lockMemoryFor } = require(join(built, 'thread-lock.js'));
  const workerData = { spec: JSON.parse(process.argv[2]), lockMemory: lockMemoryFor('webgpu') };
  for (let thread = 0; thread < 2; thread++) {
    new Worker(__filename, { workerData }).on('message', (output) => console.log(JSON.stringify(output)));
  }
} else {
  const { createBackend } = require(join(built, 'create.js'));
  const { spec, lockMemory } = workerData;
  const { width, height, channels } = spec.input;
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 7) % 256);
  parentPort.once('message', () => {}); // keeps the thread alive while it waits for the lock
  void (async () => {
    const backend = await createBackend({ name: 'onnx', device: 'webgpu', deviceId: 0, lockMemory });
    for (let round = 0; round < 3; round++) {
      const model = await backend.load(spec);
      const outputs = await model.run(pixels, 1);
      parentPort.postMessage(Object.values(outputs).map((values) => [...values]));
      await model.close();
    }
    parentPort.close();
  })();
}
