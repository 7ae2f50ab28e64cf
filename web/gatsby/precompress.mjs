/** The last step of a build writes Brotli and gzip copies of text files for the server. */
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { filesIn } from './files-in.mjs';
import { inParallel } from './in-parallel.mjs';

const COMPRESSIBLE = /\.(?:css|html|js|json|md|svg|txt|xml)$/;
/** Every page loads these files and browsers cache them: they deserve the slow, best compression. */
const SHARED = /\.(?:css|js)$/;
const COPY = /\.(?:br|gz)$/;
const UNFINISHED = '.part';

/** @returns {import('gatsby').IAdapter} */
export function precompress() {
  return { name: 'precompress', adapt: () => compressFolder('public') };
}

/** Compresses what has no copies of its content yet, and removes the copies of deleted files. @param {string} folder */
export async function compressFolder(folder) {
  const files = await filesIn(folder);
  const texts = new Set(files.filter((file) => COMPRESSIBLE.test(file)));
  // Gatsby removes deleted pages, but not their copies.
  const orphans = files.filter(
    (file) => file.endsWith(UNFINISHED) || (COPY.test(file) && !texts.has(file.replace(COPY, ''))),
  );
  await Promise.all(orphans.map((file) => rm(file)));
  await inParallel(texts, compressFile);
}

/** @param {string} file */
async function compressFile(file) {
  const content = await readFile(file);
  if (await isCompressed(file, content)) return;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [constants.BROTLI_PARAM_QUALITY]: SHARED.test(file) ? constants.BROTLI_MAX_QUALITY : 9,
  };
  await rm(`${file}.gz`, { force: true });
  await writeWhole(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeWhole(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
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

/**
 * Whether an earlier build compressed this content. Builds write most files again without a change. The gzip copy is
 * fast to read, and written last, so it is compared alone.
 * @param {string} file
 * @param {Buffer} content
 */
async function isCompressed(file, content) {
  const original = await access(`${file}.br`)
    .then(() => readFile(`${file}.gz`))
    .then(promisify(gunzip))
    .catch(() => undefined);
  return original?.equals(content) ?? false;
}
