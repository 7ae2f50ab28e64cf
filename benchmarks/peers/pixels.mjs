/** Shared by the peers: decoding with sharp, and files in place of the web server that they expect. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { packageFolder } from '../lib/material.mjs';

export const require = createRequire(import.meta.url);

/** Folder of the WebAssembly files, as `setWasmPaths` wants it. */
export const wasmFolder = () => `${join(packageFolder('@tensorflow/tfjs-backend-wasm'), 'dist')}/`;

/**
 * @param {Buffer} bytes
 * @returns {Promise<{ data: Buffer, shape: [number, number, number] }>} rows of RGB, and height, width, channels
 */
export async function decode(bytes) {
  const { data, info } = await sharp(bytes)
    .rotate()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, shape: [info.height, info.width, 3] };
}

/** Lets `fetch` read `file:` URLs, through which models are loaded. */
export function fetchFiles() {
  const original = globalThis.fetch;
  /** @type {typeof fetch} */
  globalThis.fetch = async (input, init) => {
    const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    if (!address.startsWith('file:')) return original(input, init);
    const type = address.endsWith('.json') ? 'application/json' : 'application/octet-stream';
    const body = Uint8Array.from(await readFile(fileURLToPath(address)));
    return new Response(body, { headers: { 'content-type': type } });
  };
}
