/**
 * Preloaded into the inference tier (`node --require`, inherited by its worker threads): appends one JSON line for each
 * `session.run` to the file BENCH_RECORD, so that the raw work of a request can be repeated without the service.
 */
const { appendFileSync } = require('node:fs');
/** @type {any} */
const Module = require('node:module');

const file = process.env.BENCH_RECORD ?? '';
const original = Module._load;
const patched = new WeakSet();

/** @param {any} runtime the module onnxruntime-node */
function patch(runtime) {
  const { InferenceSession } = runtime;
  const create = InferenceSession.create.bind(InferenceSession);
  InferenceSession.create = async (/** @type {any} */ source, /** @type {any} */ ...rest) => {
    const session = await create(source, ...rest);
    const run = session.run.bind(session);
    session.run = (/** @type {any} */ feeds, /** @type {any} */ ...others) => {
      const inputs = Object.fromEntries(
        Object.entries(feeds).map(([name, tensor]) => [name, { type: tensor.type, dims: [...tensor.dims] }]),
      );
      if (typeof source === 'string') appendFileSync(file, `${JSON.stringify({ model: source, inputs })}\n`);
      return run(feeds, ...others);
    };
    return session;
  };
}

// Wait until the tier itself loads the runtime: the main thread does not need it.
Module._load = function load(/** @type {string} */ name, /** @type {any} */ ...rest) {
  const loaded = original.call(this, name, ...rest);
  if (file && name === 'onnxruntime-node' && !patched.has(loaded)) {
    patched.add(loaded);
    patch(loaded);
  }
  return loaded;
};
