// The command line of the test.

import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Stop } from '../../../../gateway/harness/cli/stop.mjs';

/** The images of the release. The manifests name them `presenza/gateway` and so on. */
export const IMAGES = /** @type {const} */ (['gateway', 'inference', 'web']);

/**
 * @typedef {(typeof IMAGES)[number]} ImageName
 * @typedef {Partial<Record<ImageName, string>>} Images full names that replace those of the manifests
 *
 * @typedef {object} Options
 * @property {string} namespace
 * @property {string} [context] of kubectl
 * @property {string} [registry] in place of `presenza/`
 * @property {string} [version] tag of all images
 * @property {string} [previous] tag of the release to upgrade from
 * @property {Images} images
 * @property {string} [redis] full name of the Redis image
 * @property {readonly string[]} only names of scenarios; none: all
 * @property {readonly string[]} require names of scenarios that may not be skipped
 * @property {number} perSecond requests of each account
 * @property {string} publicAddress
 * @property {string} [output] file for the result
 * @property {boolean} keep
 * @property {boolean} list
 * @property {boolean} help
 */

export const HELP = `Tests Presenza on the cluster that kubectl points at, in namespaces of its own.

  npm run test:cluster -- [OPTIONS]

  --context NAME      context of kubectl (the current one)
  --namespace NAME    must not exist (presenza-test- and random letters)
  --registry PREFIX   images are PREFIX/gateway and so on (presenza)
  --version TAG       tag of the images (that of the manifests)
  --image NAME=IMAGE  full name of gateway, inference, web or redis; repeatable
  --previous TAG      tag of the release before, for the scenario \`upgrade\`
  --only NAME,...     runs these scenarios only
  --require NAME,...  fails if one of these scenarios is skipped
  --per-second N      requests of each of two accounts (1.5)
  --public-address A  IPv4 address that responds on ports 443 and 80, for the egress of webhooks (1.1.1.1)
  --output FILE       writes the result as JSON (.data/cluster-test.json)
  --keep              leaves the namespaces for a look at them
  --list              lists the scenarios`;

/**
 * @param {readonly string[]} args
 * @returns {Options}
 * @throws {Stop} with a sentence
 */
export function readOptions(args) {
  const { values } = parse(args);
  const images = namesOf(values.image ?? []);
  const { redis, ...tierImages } = images;
  const perSecond = Number(values['per-second'] ?? 1.5);
  if (!(perSecond > 0 && perSecond <= 50)) throw new Stop('--per-second takes a number up to 50.');
  const namespace = values.namespace ?? `presenza-test-${randomBytes(3).toString('hex')}`;
  // The other namespaces have this name and a word.
  if (!/^[a-z][a-z0-9-]{0,50}[a-z0-9]$/.test(namespace)) {
    throw new Stop('--namespace takes lower-case letters, digits and hyphens, 52 at most.');
  }
  return {
    namespace,
    images: tierImages,
    perSecond,
    only: listOf(values.only),
    require: listOf(values.require),
    publicAddress: values['public-address'] ?? '1.1.1.1',
    keep: values.keep ?? false,
    list: values.list ?? false,
    help: values.help ?? false,
    ...(redis !== undefined && { redis }),
    ...(values.context !== undefined && { context: values.context }),
    ...(values.registry !== undefined && { registry: values.registry.replace(/\/$/, '') }),
    ...(values.version !== undefined && { version: values.version }),
    ...(values.previous !== undefined && { previous: values.previous }),
    ...(values.output !== undefined && { output: values.output }),
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  const string = { type: /** @type {const} */ ('string') };
  const boolean = { type: /** @type {const} */ ('boolean') };
  try {
    return parseArgs({
      args: [...args],
      options: {
        context: string,
        namespace: string,
        registry: string,
        version: string,
        previous: string,
        only: string,
        require: string,
        'per-second': string,
        'public-address': string,
        output: string,
        image: { ...string, multiple: true },
        keep: boolean,
        list: boolean,
        help: boolean,
      },
    });
  } catch (error) {
    throw new Stop(`${error instanceof Error ? error.message : error}. See --help.`);
  }
}

/** @param {string} [names] with commas between them */
const listOf = (names = '') => names.split(',').filter((name) => name !== '');

/** @param {readonly string[]} pairs such as web=example.com/web:1 */
function namesOf(pairs) {
  /** @type {Images & { redis?: string }} */
  const images = {};
  for (const pair of pairs) {
    const [, name = '', image = ''] = /^([a-z]+)=(\S+)$/.exec(pair) ?? [];
    if (name !== 'redis' && !IMAGES.includes(/** @type {ImageName} */ (name))) {
      throw new Stop(`--image takes NAME=IMAGE, with gateway, inference, web or redis as NAME: ${pair}`);
    }
    images[/** @type {ImageName | 'redis'} */ (name)] = image;
  }
  return images;
}
