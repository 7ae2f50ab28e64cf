// `npm run set-version -- 1.2.3`: writes the version of a release to every place that carries it. versions.test.ts checks
// that all of them agree, and finds places that are missing here.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';

const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const PACKAGE = '"name": "(?:@presenza/[\\w-]+|presenza)",\\s+"version": "';
const IMAGE = 'presenza/\\w+:(?:\\$\\{PRESENZA_VERSION:-)?';
const BUILD_ARGUMENT = '^ARG VERSION=';
/** In a kustomization. The tags of other images are on lines of their own. */
const NEW_TAG = 'presenza/\\w+,.* newTag: ';

/**
 * Every file that carries the version, with the text in front of it as regular expressions.
 * @type {ReadonlyMap<string, readonly string[]>}
 */
export const PLACES = new Map([
  ['package.json', [PACKAGE]],
  ['package-lock.json', [PACKAGE]],
  ...workspaces.map((/** @type {string} */ folder) => [`${folder}/package.json`, [PACKAGE]]),
  // The health endpoint and the metrics report the version of this document.
  ['gateway/contract/openapi.json', ['^  "info": \\{\\s+"title": ".*",\\s+"version": "']],
  ['gateway/contract/examples/health-response.json', ['"version": "']],
  ['gateway/contract/clients/typescript/package.json', [PACKAGE]],
  ['gateway/contract/clients/python/pyproject.toml', ['^version = "']],
  ['gateway/contract/clients/java/pom.xml', ['<artifactId>presenza</artifactId>\\s+<version>']],
  ['gateway/contract/clients/java/README.md', ['example\\.presenza:presenza:']],
  ['deploy/docker/gateway.Dockerfile', [IMAGE, BUILD_ARGUMENT]],
  ['deploy/docker/inference.Dockerfile', [IMAGE, BUILD_ARGUMENT]],
  ['deploy/docker/web.Dockerfile', [IMAGE, BUILD_ARGUMENT]],
  ['deploy/docker/compose.yaml', [IMAGE]],
  ['deploy/docker/compose.gpu.yaml', [IMAGE]],
  ['deploy/docker/README.md', [IMAGE, 'refs/tags/v']],
  ['deploy/kubernetes/README.md', ['--version ']],
  ['deploy/kubernetes/base/kustomization.yaml', [NEW_TAG, 'app\\.kubernetes\\.io/version: ']],
  ['deploy/kubernetes/overlays/gpu/kustomization.yaml', [NEW_TAG]],
  ['deploy/kubernetes/overlays/local/kustomization.yaml', [IMAGE]],
  ['deploy/kubernetes/overlays/production/kustomization.yaml', [NEW_TAG, '\\?ref=v']],
  ['deploy/helm/presenza/Chart.yaml', ['^version: ', '^appVersion: ']],
  ['deploy/helm/presenza/examples/gpu.yaml', ['image: \\{ tag: ']],
  ['deploy/helm/presenza/examples/production.yaml', ['presenza/\\w+, tag: ']],
]);

/** @param {string} before regular expression @returns a pattern of this text and the version behind it */
export const placePattern = (before) => new RegExp(`(${before})(\\d+\\.\\d+\\.\\d+)`, 'gm');

/** @param {string} version such as 1.2.3 @throws {Error} with a sentence, before it writes anything */
function setVersion(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name a version such as 1.2.3.');
  const changed = [...PLACES].map(([file, places]) => {
    const path = join(ROOT, file);
    let text = readFileSync(path, 'utf8');
    for (const before of places) {
      if (!placePattern(before).test(text)) throw new Error(`${file} has no version behind ${before}.`);
      text = text.replace(placePattern(before), `$1${version}`);
    }
    return { path, text };
  });
  for (const { path, text } of changed) writeFileSync(path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    setVersion(process.argv[2] ?? '');
    console.log(`${PLACES.size} files have version ${process.argv[2]}. Set its date in CHANGELOG.md.`);
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
