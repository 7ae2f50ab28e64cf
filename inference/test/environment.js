// ONNX Runtime's native part must be loaded once per process, but Jest loads modules anew for every test file.
// This environment loads it outside of Jest's module registry and hands it to the tests.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    process.env.ORT_DISABLE_TELEMETRY = '1'; // main.ts of the tier does the same
    this.global.onnxruntime = require('onnxruntime-node');
    // The runtime checks its inputs with instanceof against the classes of its own realm.
    for (const type of [Float32Array, BigInt64Array, Int32Array]) this.global[type.name] = type;
  }
};
