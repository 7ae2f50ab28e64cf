// The text that a user sees once the API runs: addresses, a key and a request that works when pasted.

import { readFileSync } from 'node:fs';
import { SAMPLE_PHOTO } from '../../../gateway/harness/cli/paths.mjs';

/**
 * @typedef {object} Shown
 * @property {import('./local-tiers.mjs').Urls} urls
 * @property {string} [key] absent: the output is no terminal, so that logs keep no key
 * @property {string} keyFile
 * @property {string} [adminToken] absent: the output is no terminal
 * @property {string | undefined} adminTokenFile undefined: the token came from the environment
 * @property {string | undefined} consoleUrl undefined: there is no console
 * @property {boolean} hasMailbox whether operators read the console's mails here
 * @property {(path: string) => string} nameOf
 *
 * @param {Shown} of
 * @returns {string}
 */
export function summary({ urls, key, keyFile, adminToken, adminTokenFile, consoleUrl, hasMailbox, nameOf }) {
  const mailbox = `${urls.admin}/mailbox${adminToken === undefined ? '' : `#${adminToken}`}`;
  const mails = hasMailbox ? `\n            its mails arrive at ${mailbox}` : '';
  const console = consoleUrl === undefined ? '' : `  Console   ${consoleUrl}${mails}\n`;
  return `
  API       ${urls.gateway}
  Site      ${urls.site} (starts after the API)
${console}  Metrics   ${urls.metrics}/metrics (gateway)  ${urls.inference}/metrics (inference)
  API key   ${key === undefined ? '' : `${key}\n            `}kept in ${nameOf(keyFile)}
  Admin     ${urls.admin}
            token ${adminTokenFile ? `kept in ${adminTokenFile}` : 'as in ADMIN_TOKEN'}

Detect the faces of a photograph (paste into another terminal):

${detectCommand({ gatewayUrl: urls.gateway, key, keyFile })}
`;
}

/** @typedef {{ success: boolean, data: { faceCount: number }, error: { code: string, message: string } }} DetectResponse */

/**
 * Sends the same photo to the API as a first check.
 * @param {{ gatewayUrl: string, key: string }} options
 * @returns {Promise<string>} the result, as the rest of a sentence
 */
export async function detectSample({ gatewayUrl, key }) {
  const response = await fetch(`${gatewayUrl}/detect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' },
    body: readFileSync(SAMPLE_PHOTO),
  });
  const { success, data, error } = /** @type {DetectResponse} */ (await response.json());
  return success ? `${data.faceCount} faces detected` : `the first detection failed with ${error.code}`;
}

/**
 * The command works in any folder.
 * @param {{ gatewayUrl: string, key: string | undefined, keyFile?: string, photo?: string }} options
 *   keyFile: read if there is no key
 */
export function detectCommand({ gatewayUrl, key, keyFile = '', photo = SAMPLE_PHOTO }) {
  const authorization =
    key === undefined ? `"Authorization: Bearer $(cat ${quote(keyFile)})"` : `'Authorization: Bearer ${key}'`;
  // curl reads commas and semicolons in a name without quotes as separators.
  const file = /^[\w@%+=:./-]+$/.test(photo) ? photo : `"${photo.replace(/[\\"]/g, String.raw`\$&`)}"`;
  return `curl -s ${gatewayUrl}/detect -H ${authorization} -F ${quote(`image=@${file}`)}`;
}

/** @param {string} text */
function quote(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
