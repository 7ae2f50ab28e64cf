// Whether libraries that compute on NVIDIA GPUs find in this image the CUDA and cuDNN that they were made for. A
// library made for another major version loads nowhere, and what it belongs to would fail on the first GPU it meets.
// Runs while an image is built, on its base image, with readelf of binutils:
//
//   node check-cuda.mjs --libraries FOLDER [--opens NAME,...] [--image FOLDER] [--report FILE]
//
//   --libraries  what is looked at: all shared libraries of this folder
//   --opens      names that they open while they run, which no ELF header lists
//   --image      root of the image's file system (/)
//   --report     file for what was found, besides standard output
//
// Exits with 1 and a sentence when something does not fit.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Parts of CUDA, each with the library whose major version is that of the part. The other libraries of CUDA
 * count their own versions (libcurand.so.10 belongs to CUDA 11, 12 and 13), so only their presence is checked. libcuda
 * belongs to the driver, which the host brings when the container starts.
 */
const PARTS = { CUDA: 'libcudart', cuDNN: 'libcudnn' };
const OF_CUDA = /^lib(?:cudart|cudnn|cublas|cublasLt|cufft|curand|cusolver|cusparse|nvrtc)\.so\.\d/;
/** Where CUDA's images and Debian's and Ubuntu's packages put libraries. */
const FOLDERS = [
  'usr/lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'usr/local/cuda/lib64',
  'usr/local/cuda/targets/x86_64-linux/lib',
  'usr/local/cuda/targets/sbsa-linux/lib',
];

/**
 * @param {string} folder
 * @returns {string[]} names of the libraries that those in the folder list as needed, each once
 */
export function neededBy(folder) {
  const files = readdirSync(folder).filter((name) => /\.so(?:\.\d+)*$/.test(name));
  const headers = files.map((name) =>
    execFileSync('readelf', ['--dynamic', '--wide', join(folder, name)], { encoding: 'utf8' }),
  );
  const names = headers.flatMap((text) =>
    [...text.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** @param {string} image root of its file system @returns {string[]} names of CUDA's libraries in it */
function cudaIn(image) {
  const folders = FOLDERS.map((folder) => join(image, folder)).filter((folder) => existsSync(folder));
  return [...new Set(folders.flatMap((folder) => readdirSync(folder)))].filter((name) => OF_CUDA.test(name));
}

/**
 * @param {readonly string[]} needed names of libraries
 * @param {readonly string[]} present names of CUDA's libraries in the image
 * @returns {string} what fits, in one line
 * @throws {Error} one sentence about what does not
 */
export function compare(needed, present) {
  const found = Object.entries(PARTS).map(([part, library]) => {
    const wanted = majors(needed, library);
    const there = majors(present, library);
    if (wanted.length !== 1) {
      throw new Error(
        `The libraries ${wanted.length ? `disagree about ${part} (${wanted.join(' and ')})` : `do not say which ${part} they want`}: nothing can be compared with the base image.`,
      );
    }
    if (!there.includes(wanted[0] ?? '')) {
      throw new Error(
        `The libraries were made for ${part} ${wanted[0]}, and the base image has ${there.length ? `${part} ${there.join(' and ')}` : `no ${part}`}: build on a base image with ${part} ${wanted[0]}.`,
      );
    }
    return `${part} ${wanted[0]}`;
  });
  const missing = needed.filter((name) => OF_CUDA.test(name) && !present.includes(name));
  if (missing.length > 0) throw new Error(`The base image lacks ${missing.join(', ')}.`);
  return `${found.join(' and ')}, as the base image has them`;
}

/** @param {readonly string[]} names @param {string} library @returns {string[]} its major versions */
function majors(names, library) {
  const versions = names.flatMap((name) =>
    name.startsWith(`${library}.so.`) ? [name.slice(library.length + 4)] : [],
  );
  return [...new Set(versions.map((version) => version.split('.')[0] ?? ''))];
}

function main() {
  const { values } = parseArgs({
    options: {
      libraries: { type: 'string' },
      opens: { type: 'string', default: '' },
      image: { type: 'string', default: '/' },
      report: { type: 'string' },
    },
  });
  if (!values.libraries) throw new Error('Say with --libraries which folder to look at.');
  const needed = [...neededBy(values.libraries), ...values.opens.split(',').filter(Boolean)];
  const fits = compare(needed, cudaIn(values.image));
  console.log(fits);
  if (values.report) writeFileSync(values.report, `${fits}\n`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
