/** @vladmandic/human on the WebAssembly backend of TFJS, with the requested modules only. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../lib/material.mjs';
import { decode, fetchFiles, require, wasmFolder } from './pixels.mjs';

/**
 * @param {{ modules: string[] }} options names of human's face modules beside the detector
 * @returns {Promise<(image: Buffer) => Promise<unknown>>}
 */
export async function load({ modules }) {
  fetchFiles();
  const folder = packageFolder('@vladmandic/human');
  const { Human } = require(join(folder, 'dist', 'human.node-wasm.js'));
  /** @param {string} name */
  const moduleSetting = (name) => ({ enabled: modules.includes(name) });
  const off = { enabled: false };
  const human = new Human({
    backend: 'wasm',
    wasmPath: wasmFolder(),
    modelBasePath: `${pathToFileURL(join(folder, 'models')).href}/`,
    debug: false,
    // All images differ, so no result may be reused for the next image.
    cacheSensitivity: 0,
    filter: off,
    face: {
      enabled: true,
      detector: { maxDetected: 20, skipFrames: 0, skipTime: 0 },
      mesh: moduleSetting('mesh'),
      iris: moduleSetting('iris'),
      description: { ...moduleSetting('description'), skipFrames: 0, skipTime: 0 },
      emotion: { ...moduleSetting('emotion'), skipFrames: 0, skipTime: 0 },
      antispoof: { ...moduleSetting('antispoof'), skipFrames: 0, skipTime: 0 },
      liveness: { ...moduleSetting('liveness'), skipFrames: 0, skipTime: 0 },
    },
    body: off,
    hand: off,
    object: off,
    gesture: off,
    segmentation: off,
  });
  await human.load();
  return async (image) => {
    const { data, shape } = await decode(image);
    const tensor = human.tf.tensor3d(data, shape, 'float32');
    const result = await human.detect(tensor);
    human.tf.dispose(tensor);
    if (result.error) throw new Error(`human: ${result.error}`);
    return result.face.map((face) => ({
      score: face.score,
      mesh: face.mesh?.length ?? 0,
      embedding: face.embedding?.length ?? 0,
      age: face.age,
      emotions: face.emotion?.length ?? 0,
      real: face.real,
      live: face.live,
    }));
  };
}
