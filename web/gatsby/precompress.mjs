/** The last step of a build writes Brotli and gzip copies of text files for the server. */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesIn } from './files-in.mjs';

const COMPRESSIBLE = /\.(?:css|html|js|json|md|svg|txt|xml)$/;
/** Every page loads these files and browsers cache them: they deserve the slow, best compression. */
const SHARED = /\.(?:css|js)$/;
const COPY = /\.(?:br|gz)$/;
const UNFINISHED = '.part';

/** @returns {import('gatsby').IAdapter} */
export function precompress() {
  return { name: 'precompress', adapt: () => compressFolder('public') };
}

/** @param {string} folder */
async function compressFolder(folder) {
  const files = await filesIn(folder);
  const texts = new Set(files.filter((file) => COMPRESSIBLE.test(file)));
  // Gatsby removes deleted pages, but not their copies.
  const orphans = files.filter(
    (file) => file.endsWith(UNFINISHED) || (COPY.test(file) && !texts.has(file.replace(COPY, ''))),
  );
  await Promise.all(orphans.map((file) => rm(file)));
  await Promise.all([...texts].map(compressFile));
}

/** @param {string} file */
async function compressFile(file) {
  if (await isCompressed(file)) return;
  const content = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [constants.BROTLI_PARAM_QUALITY]: SHARED.test(file) ? constants.BROTLI_MAX_QUALITY : 9,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeWhole(`${file}.br`, br), writeWhole(`${file}.gz`, gz)]);
}

/**
 * Renames a complete file, so that an interrupted build leaves no partial copy.
 * @param {string} file
 * @param {Buffer} content
 */
async function writeWhole(file, content) {
  await writeFile(file + UNFINISHED, content);
  await rename(file + UNFINISHED, file);
}

/** Whether the copies are newer than the file. @param {string} file */
async function isCompressed(file) {
  const [source, ...copies] = await Promise.all(
    [file, `${file}.br`, `${file}.gz`].map((name) => stat(name).catch(() => undefined)),
  );
  return source !== undefined && copies.every((copy) => copy !== undefined && copy.mtimeMs > source.ctimeMs);
}
