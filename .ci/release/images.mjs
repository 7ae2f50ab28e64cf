// The images of a release: each processor builds every image once and pushes it without a tag; the checks run on the digest
// that was pushed; and only digests that passed them get a tag and a signature. The workflows `release` and `cluster` run
// these commands, in a shell that is logged in to the registry:
//
//   node .ci/release/images.mjs build                build and push; prints NAME@DIGEST of each image
//   node .ci/release/images.mjs pull NAME@DIGEST...   pull, under the names of deploy/docker/compose.yaml
//   node .ci/release/images.mjs sign NAME@DIGEST...   join the digests of all processors under one tag, and sign it
//
// Variables: REGISTRY, PRESENZA_VERSION, and for the build REVISION, SITE_URL and REPOSITORY_URL.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// cspell:ignore containerimage
/** The key of the digest in the metadata that buildx writes. */
const DIGEST = 'containerimage.digest';
const NAMES = ['gateway', 'inference', 'web'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} program @param {readonly string[]} args @returns {string} stdout */
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** @param {string} name @throws {Error} with a sentence */
function variable(name) {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} must be set.`);
  return value;
}

/** Builds an image and pushes it by its digest, which no tag names yet. @param {string} name @returns {string} NAME@DIGEST */
function build(name) {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-image-'));
  const metadata = join(folder, 'metadata.json');
  const { SITE_URL = '', REPOSITORY_URL = '' } = process.env;
  const settings = {
    VERSION: variable('PRESENZA_VERSION'),
    REVISION: variable('REVISION'),
    SITE_URL: SITE_URL || 'http://127.0.0.1:8000',
    REPOSITORY_URL,
  };
  try {
    run(
      'docker',
      'buildx',
      'build',
      '--file',
      `deploy/docker/${name}.Dockerfile`,
      ...Object.entries(settings).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      '--provenance',
      'mode=max',
      '--sbom',
      'true',
      '--metadata-file',
      metadata,
      '--output',
      `type=image,name=${variable('REGISTRY')}/${name},push-by-digest=true,push=true`,
      '.',
    );
    return `${name}@${JSON.parse(readFileSync(metadata, 'utf8'))[DIGEST]}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} text NAME@DIGEST @throws {Error} with a sentence */
function parse(text) {
  const [, name = '', digest = ''] = /^([a-z]+)@(sha256:[0-9a-f]{64})$/.exec(text) ?? [];
  if (!NAMES.includes(name)) throw new Error(`${text} is not an image of a release with its digest.`);
  return { name, reference: `${variable('REGISTRY')}/${name}@${digest}` };
}

/** @param {readonly string[]} images NAME@DIGEST */
function pull(images) {
  for (const { name, reference } of images.map(parse)) {
    run('docker', 'pull', reference);
    run('docker', 'tag', reference, `presenza/${name}:${variable('PRESENZA_VERSION')}`);
  }
}

/**
 * @param {readonly string[]} images NAME@DIGEST of every processor
 * @returns {string[]} NAME@DIGEST of what was signed
 */
function sign(images) {
  const version = variable('PRESENZA_VERSION');
  const checked = images.map(parse);
  const missing = NAMES.filter((name) => !checked.some((image) => image.name === name));
  if (missing.length > 0) throw new Error(`No digest of ${missing.join(', ')} was given.`);
  return NAMES.map((name) => {
    const parts = checked.filter((image) => image.name === name).map(({ reference }) => reference);
    const tag = `${variable('REGISTRY')}/${name}:${version}`;
    run('docker', 'buildx', 'imagetools', 'create', '--tag', tag, ...parts);
    const manifest = run('docker', 'buildx', 'imagetools', 'inspect', tag, '--format', '{{json .Manifest}}');
    const { digest } = JSON.parse(manifest);
    run('cosign', 'sign', '--yes', '--recursive', `${variable('REGISTRY')}/${name}@${digest}`);
    return `${name}@${digest}`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command = '', ...images] = process.argv.slice(2);
  try {
    if (command === 'build') console.log(NAMES.map(build).join(' '));
    else if (command === 'pull') pull(images);
    else if (command === 'sign') console.log(sign(images).join(' '));
    else throw new Error('The commands are build, pull and sign.');
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
