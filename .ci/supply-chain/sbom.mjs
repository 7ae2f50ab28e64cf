// `npm run sbom`: writes a software bill of materials for each image (CycloneDX 1.5, JSON) to .data/sbom. The files are
// never committed. They describe the images that this checkout builds, and belong beside those images.
//
// npm lists the production packages of the whole repository. This script selects those that each image needs, and adds
// the hashes of the lockfile and the models. Gatsby only builds the site: the bill of the web tier lists the packages
// that run in a visitor's browser or in the site's server.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseArguments } from '../../gateway/harness/cli/arguments.mjs';
import { CHECKOUT_STATE, ROOT } from '../../gateway/harness/cli/paths.mjs';
import { runMain } from '../../gateway/harness/cli/stop.mjs';
import { readModels, readPackages } from './inventory.mjs';

/** Dependencies of the web workspace that run once it is built. A test compares them with the imports of its code. */
export const WEB_AT_RUN_TIME = [
  'helmet',
  'send',
  'accepts',
  'mime-types',
  'react',
  'react-dom',
  '@mdx-js/react',
  '@radix-ui/react-dialog',
  '@radix-ui/react-dropdown-menu',
  '@radix-ui/react-toast',
  'lucide-react',
  'minisearch',
  'openapi-fetch',
  '@tanstack/react-query',
  '@fontsource-variable/inter',
  '@fontsource/jetbrains-mono',
  'uqr',
  // Gatsby's own part in the browser.
  '@gatsbyjs/reach-router',
  'gatsby-link',
  'gatsby-react-router-scroll',
  'gatsby-script',
];

/**
 * @typedef {{ 'bom-ref': string, type: string, name: string, version?: string, hashes?: object[],
 *   [field: string]: unknown }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ metadata: Record<string, unknown>, components: Component[], dependencies: Dependency[],
 *   [field: string]: unknown }} Bom
 */

/** @type {Readonly<Record<'gateway' | 'inference' | 'web', { roots?: string[], models: boolean }>>} */
const TIERS = {
  gateway: { models: false },
  inference: { models: true },
  web: { roots: WEB_AT_RUN_TIME, models: false },
};

/** @returns {Bom} the bill of all production packages, as npm lists them */
export function npmBom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const cli = process.env.npm_execpath;
  const [command, before] =
    cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', /** @type {string[]} */ ([])];
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] };
  return JSON.parse(
    String(
      execFileSync(
        command,
        [...before, ...args],
        /** @type {import('node:child_process').ExecFileSyncOptions} */ (options),
      ),
    ),
  );
}

/**
 * @param {Bom} whole as `npmBom` returns it
 * @param {keyof typeof TIERS} tier
 * @returns {Bom}
 */
export function tierBom(whole, tier) {
  const { roots, models } = TIERS[tier];
  // npm 10 lists a package once for each place it is installed in, but a bom-ref must be unique.
  const components = new Map(whole.components.map((component) => [component['bom-ref'], component]));
  const edges = new Map(whole.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const self = [...components.keys()].find((ref) => ref.startsWith(`@presenza/${tier}@`));
  if (!self) throw new Error(`npm lists no workspace @presenza/${tier}.`);
  const direct = roots
    ? roots.map((name) => refOf(name, edges.get(self) ?? [], components))
    : edges.get(self);
  const reached = reach([...(direct ?? [])], edges, roots !== undefined);
  const sealed = hashesByRef();
  const parts = [...reached].sort().flatMap((ref) => {
    const { hashes, ...component } = /** @type {Component} */ (components.get(ref));
    const componentHashes = sealed.get(`${component.name}@${component.version}`) ?? hashes;
    // npm names a workspace after its folder.
    const name = ref.startsWith('@presenza/') ? ref.slice(0, ref.lastIndexOf('@')) : component.name;
    return [{ ...component, name, ...(componentHashes && { hashes: componentHashes }) }];
  });
  const catalogue = models ? readModels().map(modelComponent) : [];
  const { name: _name, version } = /** @type {Component} */ (components.get(self));
  return {
    ...whole,
    metadata: {
      ...whole.metadata,
      component: { 'bom-ref': self, type: 'application', name: `presenza/${tier}`, version },
    },
    components: [...parts, ...catalogue],
    dependencies: [
      {
        ref: self,
        dependsOn: [...new Set([...(direct ?? []), ...catalogue.map((model) => model['bom-ref'])])],
      },
      ...[...reached].sort().map((ref) => ({
        ref,
        dependsOn: [...new Set(edges.get(ref) ?? [])].filter((next) => reached.has(next)),
      })),
    ],
  };
}

/**
 * @param {string} name
 * @param {string[]} near refs to prefer among several versions
 * @param {Map<string, Component>} components
 */
function refOf(name, near, components) {
  const isOf = (/** @type {string} */ ref) => components.get(ref)?.name === name;
  const ref = near.find(isOf) ?? [...components.keys()].find(isOf);
  if (!ref) throw new Error(`npm lists no package ${name}.`);
  return ref;
}

/** Packages of Gatsby's part in the browser that only the build uses, with their dependencies. */
const BUILDS = /^(gatsby-page-utils|@types\/[\w-]+)@/;

/** @param {string[]} from @param {Map<string, string[]>} edges @param {boolean} atRunTime whether builders are left out */
function reach(from, edges, atRunTime) {
  const reached = new Set(from);
  for (const ref of reached) {
    for (const next of edges.get(ref) ?? []) if (!atRunTime || !BUILDS.test(next)) reached.add(next);
  }
  return reached;
}

/** The lockfile's hashes in hexadecimal, as CycloneDX wants them; npm leaves most out. */
function hashesByRef() {
  return new Map(
    readPackages().flatMap(({ name, version, integrity }) => {
      const [, alg, base64] = /^sha(\d+)-([^\s?]+)/.exec(integrity ?? '') ?? [];
      if (!alg || !base64) return [];
      const content = Buffer.from(base64, 'base64').toString('hex');
      return [[`${name}@${version}`, [{ alg: `SHA-${alg}`, content }]]];
    }),
  );
}

/** @param {import('./inventory.mjs').Model} model @returns {Component} */
function modelComponent({ id, task, description, license, trainingData, origin }) {
  return {
    'bom-ref': `model:${id}`,
    type: 'machine-learning-model',
    name: id,
    description,
    licenses: [{ license: { name: license } }],
    modelCard: {
      modelParameters: {
        task,
        datasets: [{ type: 'dataset', name: 'Training data', description: trainingData }],
      },
    },
    properties: [{ name: 'presenza:origin', value: origin.name }],
    components: origin.files.map(({ path, sha256 }) => ({
      'bom-ref': `model:${id}/${path}`,
      type: 'file',
      name: `${origin.name}/${path}`,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    })),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  runMain(async () => {
    refuseArguments('npm run sbom');
    const folder = join(CHECKOUT_STATE, 'sbom');
    mkdirSync(folder, { recursive: true });
    const whole = npmBom();
    for (const tier of /** @type {(keyof typeof TIERS)[]} */ (Object.keys(TIERS))) {
      const bom = tierBom(whole, tier);
      const file = join(folder, `${tier}.cdx.json`);
      writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
      console.log(`${file}: ${bom.components.length} components`);
    }
    return 0;
  });
}
