/** The last step of a build: text files get a Brotli and a gzip copy beside them, for the server to send. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(?:css|html|js|json|md|svg|txt|xml)$/;
const COPY = /\.(?:br|gz)$/;

/** @returns {import('gatsby').IAdapter} */
export function precompress() {
  return { name: 'precompress', adapt: () => compressFolder('public') };
}

/** @param {string} folder */
async function compressFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    // Node 20.9 names the folder `path`, later versions `parentPath`.
    .map(({ name, parentPath, path }) => join(parentPath ?? path, name));
  // Gatsby removes pages that are gone, but does not know of their copies.
  await Promise.all(files.filter((file) => COPY.test(file)).map((file) => rm(file)));
  await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map(compressFile));
}

/** @param {string} file */
async function compressFile(file) {
  const content = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
