/** The files that the site offers, so that nobody needs the repository: example apps, receivers and client libraries. */
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  goPackage,
  javaPackage,
  pythonWheel,
  typescriptPackage,
} from '@presenza/contract/clients/packages/index.mjs';
import { CONTRACT, readContractFile } from '../contract-file.mjs';
import { filesIn } from '../files-in.mjs';
import { tarGz, zip } from './archives.mjs';

/** @typedef {import('./archives.mjs').Files} Files */

/**
 * @typedef {object} Download
 * @property {string} path in the folder of downloads
 * @property {string} [group] the table that lists it; absent for files that only programs read
 * @property {Buffer} content
 */

const COMPONENT = fileURLToPath(new URL('../../component', import.meta.url));
const LICENSE = fileURLToPath(new URL('../../../LICENSE', import.meta.url));
/**
 * Files that tools and people write beside the sources on their machine, some with keys in them. No file that
 * begins with a dot is offered, except `.gitignore`.
 */
const BUILT =
  /(?:^|\/)(?:build|node_modules|xcuserdata|__pycache__)\/|(?:^|\/)\.(?!gitignore$)|(?:^|\/)(?:local|key)\.properties$|\.(?:jks|keystore|p12)$|^php\/checks\.json$/;

/** @returns {Promise<Download[]>} in the order of the tables */
export async function readDownloads() {
  const [license, { version }] = await Promise.all([readFile(LICENSE), readContractFile('package')]);
  const source = async (
    /** @type {string} */ group,
    /** @type {string} */ name,
    /** @type {string} */ folder,
  ) => {
    const files = within(name, { LICENSE: license, ...(await filesOf(join(CONTRACT, folder))) });
    return [
      { group, path: `${name}.tgz`, content: await tarGz(files) },
      { group, path: `${name}.zip`, content: zip(files) },
    ];
  };
  const apps = await Promise.all(
    ['web', 'flutter', 'ios', 'android'].map((app) => source('apps', `face-check-${app}`, `apps/${app}`)),
  );
  const receivers = await source('apps', 'webhook-receivers', 'receivers');
  return [...apps.flat(), ...receivers, ...(await libraries(version))];
}

/** @param {string} version @returns {Promise<Download[]>} */
async function libraries(version) {
  const group = 'libraries';
  const component = await filesOf(COMPONENT, ['package.json', 'README.md', 'LICENSE', 'dist']);
  const published = Object.entries(component).filter(([path]) => !path.startsWith('dist/hosted/'));
  return [
    {
      group,
      path: `presenza-${version}.tgz`,
      content: await tarGz(within('package', await typescriptPackage())),
    },
    { group, path: `presenza-${version}-py3-none-any.whl`, content: zip(pythonWheel()) },
    ...goProxy(group, version),
    {
      group,
      path: `presenza-java-${version}.tgz`,
      content: await tarGz(within('presenza-java', javaPackage())),
    },
    {
      group,
      path: `presenza-liveness-${version}.tgz`,
      content: await tarGz(within('package', Object.fromEntries(published))),
    },
  ];
}

/** The module in the form of a Go module proxy (go.dev/ref/mod#goproxy-protocol). @param {string} group @param {string} version @returns {Download[]} */
function goProxy(group, version) {
  const files = goPackage();
  const name = /^module (.+)$/m.exec(files['go.mod'] ?? '')?.[1];
  const folder = `go/${name}/@v`;
  return [
    {
      group,
      path: `${folder}/v${version}.zip`,
      content: zip(within(`${name}@v${version}`, files)),
    },
    { path: `${folder}/list`, content: Buffer.from(`v${version}\n`) },
    { path: `${folder}/v${version}.info`, content: Buffer.from(JSON.stringify({ Version: `v${version}` })) },
    { path: `${folder}/v${version}.mod`, content: Buffer.from(files['go.mod'] ?? '') },
  ];
}

/** @param {string} folder of the archive @param {Files} files @returns {Files} */
const within = (folder, files) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

/** @param {string} folder @param {readonly string[]} [names] files and folders in it; all by default @returns {Promise<Files>} */
async function filesOf(folder, names) {
  const paths = (await filesIn(folder)).map((file) => relative(folder, file).split(sep).join('/'));
  const chosen = paths.filter(
    (path) => !BUILT.test(path) && (!names || names.includes(/** @type {string} */ (path.split('/')[0]))),
  );
  return Object.fromEntries(
    await Promise.all(chosen.map(async (path) => [path, await readFile(join(folder, path))])),
  );
}
