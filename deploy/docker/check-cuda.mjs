// Checks that an image contains the versions of CUDA and cuDNN that GPU libraries were built for. A library for another
// major version does not load, and the failure would appear only on a machine with a GPU. Runs during the build, on the
// base image, with readelf of binutils:
//
//   node check-cuda.mjs --libraries FOLDER [--opens NAME,...] [--image FOLDER] [--report FILE]
//
//   --libraries  folder of the shared libraries to check
//   --opens      names that they open at run time, which no ELF header lists
//   --image      root of the image's file system (/)
//   --report     file for the result, besides standard output
//
// Exits with 1 and a sentence if versions do not match.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Parts of CUDA, each with the library that has the same major version. Other libraries of CUDA have versions of their
 * own (libcurand.so.10 belongs to CUDA 11, 12 and 13), so only their presence is checked. libcuda belongs to the
 * driver, which the host mounts when the container starts.
 */
const PARTS = { CUDA: 'libcudart', cuDNN: 'libcudnn' };
const OF_CUDA = /^lib(?:cudart|cudnn|cublas|cublasLt|cufft|curand|cusolver|cusparse|nvrtc)\.so\.\d/;
/** Folders of libraries in CUDA's images and in packages of Debian and Ubuntu. */
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
  const versions = Object.entries(PARTS).map(([part, library]) => {
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
  return `${versions.join(' and ')}, as the base image has them`;
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
