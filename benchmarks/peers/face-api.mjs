/** @vladmandic/face-api on TFJS's WebAssembly backend: SSD detector, 68 landmarks, descriptor of every face. */
import { join } from 'node:path';
import { packageFolder } from '../lib/material.mjs';
import { decode, require, wasmFolder } from './pixels.mjs';

/** @returns {Promise<(image: Buffer) => Promise<unknown>>} */
export async function load() {
  const folder = packageFolder('@vladmandic/face-api');
  require('@tensorflow/tfjs-backend-wasm').setWasmPaths(wasmFolder());
  const faceApi = require(join(folder, 'dist', 'face-api.node-wasm.js'));
  const { tf, nets } = faceApi;
  await tf.setBackend('wasm');
  await tf.ready();
  for (const net of [nets.ssdMobilenetv1, nets.faceLandmark68Net, nets.faceRecognitionNet]) {
    await net.loadFromDisk(join(folder, 'model'));
  }
  const options = new faceApi.SsdMobilenetv1Options({ minConfidence: 0.5, maxResults: 100 });
  return async (image) => {
    const { data, shape } = await decode(image);
    const tensor = tf.tensor3d(data, shape, 'int32');
    const faces = await faceApi.detectAllFaces(tensor, options).withFaceLandmarks().withFaceDescriptors();
    tf.dispose(tensor);
    return faces.map((face) => ({
      score: face.detection.score,
      landmarks: face.landmarks.positions.length,
      embedding: face.descriptor.length,
    }));
  };
}
