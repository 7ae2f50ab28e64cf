// Checks built images by their use: size, user, no shell and no npm, and the services of compose.yaml with a detection
// through gateway and inference tier. Needs deploy/docker/.env of secrets.mjs, and free ports 8080 and 8000:
//
//   node deploy/docker/check-images.mjs [--engine docker|podman] [--only-images]
//
// Compose is `docker compose`, or `podman-compose` with Podman. PRESENZA_VERSION and COMPOSE_FILE work as with Compose.

import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PHOTO = `${ROOT}web/gatsby/demos/images/ada-2.webp`;
/** Uncompressed, in bytes. README.md states the sizes. */
export const LIMITS = { gateway: 200e6, web: 200e6, inference: 380e6 };
const USER = '10001:10001';
const API = 'http://127.0.0.1:8080';
const SITE = 'http://127.0.0.1:8000';

/** Runs inside an image: finds programs that do not belong there, and tries whether its files can be changed. */
async function lookAround() {
  const { accessSync, constants, readdirSync } = await import('node:fs');
  const may = (/** @type {string} */ path, /** @type {number} */ mode) => {
    try {
      accessSync(path, mode);
      return true;
    } catch {
      return false;
    }
  };
  const unwantedNames = /^(?:(?:ba|da|a|z)?sh|busybox|npm|npx|corepack|apt|apt-get|dpkg|perl|python3?)$/;
  const unwanted = [];
  const folders = ['/'];
  for (let at = folders.pop(); at; at = folders.pop()) {
    if (/^\/(?:proc|sys|dev)\//.test(at)) continue;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = at + entry.name;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (unwantedNames.test(entry.name) && may(path, constants.X_OK)) unwanted.push(path);
    }
  }
  console.log(JSON.stringify({ unwanted, writable: may('/app', constants.W_OK), uid: process.getuid?.() }));
}

/**
 * @param {keyof typeof LIMITS} name
 * @param {{ size: number, user: string, unwanted: string[], writable: boolean, uid: number }} image
 * @returns {string[]} what is wrong with it
 */
export function faultsOf(name, { size, user, unwanted, writable, uid }) {
  const faults = [];
  if (size > LIMITS[name]) faults.push(`has ${megabytes(size)}, more than ${megabytes(LIMITS[name])}`);
  if (user !== USER || uid !== 10_001) faults.push(`runs as ${user || 'root'} (${uid}), not as ${USER}`);
  if (unwanted.length > 0) faults.push(`contains ${unwanted.join(', ')}`);
  if (writable) faults.push('lets its process write to /app');
  return faults;
}

const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;

/** @param {string} engine @param {string} version */
function checkImages(engine, version) {
  const run = (/** @type {string[]} */ ...args) => execFileSync(engine, args, { encoding: 'utf8' });
  const faults = [];
  for (const name of /** @type {(keyof typeof LIMITS)[]} */ (Object.keys(LIMITS))) {
    const image = `presenza/${name}:${version}`;
    const [size, user = ''] = run('image', 'inspect', '--format', '{{.Size}} {{.Config.User}}', image)
      .trim()
      .split(' ');
    const limits = ['--read-only', '--cap-drop', 'ALL', '--network', 'none', '--tmpfs', '/tmp'];
    const code = `(${lookAround})()`;
    const seen = JSON.parse(run('run', '--rm', ...limits, image, 'node', '-e', code));
    console.log(`${image}: ${megabytes(Number(size))}`);
    for (const fault of faultsOf(name, { ...seen, size: Number(size), user })) {
      faults.push(`${image} ${fault}.`);
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** @param {string} engine */
async function checkServices(engine) {
  const [program = '', ...first] = engine === 'docker' ? ['docker', 'compose'] : ['podman-compose'];
  // A project of its own, since its volumes are removed at the end.
  const project = ['--project-name', 'presenza-check'];
  const compose = (/** @type {string[]} */ ...args) =>
    execFileSync(program, [...first, ...project, ...args], {
      cwd: HERE,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const admin = (/** @type {string[]} */ ...args) =>
    JSON.parse(compose('exec', '-T', 'gateway', 'node', 'dist/admin/cli.js', ...args, '--json'));
  try {
    compose('up', '-d', '--no-build', '--wait');
    const { accountId } = admin('accounts', 'create', '--name', 'Check', '--plan', 'basic');
    const { apiKey } = admin('keys', 'create', '--account', accountId, '--mode', 'live');
    const form = new FormData();
    form.set('image', new Blob([readFileSync(PHOTO)]), 'photo.webp');
    const response = await fetch(`${API}/detect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    });
    const { data } = /** @type {{ data?: { faceCount: number } }} */ (await response.json());
    if (data?.faceCount !== 1)
      throw new Error(`/detect responded with ${response.status}, without one face.`);
    const page = await fetch(SITE);
    if (!page.ok) throw new Error(`The site responded with ${page.status}.`);
    console.log('A detection and a page were served.');
  } finally {
    compose('down', '--volumes');
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'docker' },
      'only-images': { type: 'boolean', default: false },
    },
  });
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  checkImages(values.engine, process.env.PRESENZA_VERSION ?? version);
  if (!values['only-images']) await checkServices(values.engine);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
