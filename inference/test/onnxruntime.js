// Stands where tests import `onnxruntime-node`; see environment.js.
module.exports = globalThis.onnxruntime;
