/** nsfwjs on TFJS's WebAssembly backend, with one of the models that it ships. */
import { decode, require, wasmFolder } from './pixels.mjs';

/**
 * @param {{ model: string }} options
 * @returns {Promise<(image: Buffer) => Promise<Record<string, number>>>} probabilities by class
 */
export async function load({ model }) {
  const tf = require('@tensorflow/tfjs');
  require('@tensorflow/tfjs-backend-wasm').setWasmPaths(wasmFolder());
  await tf.setBackend('wasm');
  await tf.ready();
  const size = model === 'InceptionV3' ? 299 : 224;
  const nsfw = await require('nsfwjs').load(model, { size });
  return async (image) => {
    const { data, shape } = await decode(image);
    const tensor = tf.tensor3d(data, shape, 'int32');
    const classes = await nsfw.classify(tensor, 5);
    tensor.dispose();
    return Object.fromEntries(classes.map(({ className, probability }) => [className, probability]));
  };
}
