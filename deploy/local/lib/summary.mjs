// What the person sees once the API runs: addresses, a key and a request that works as pasted.

import { SAMPLE_PHOTO } from './paths.mjs';

/**
 * @param {{ urls: import('./local-tiers.mjs').Urls, key: string, keyFile: string, adminTokenFile: string | undefined }} of
 *   adminTokenFile undefined: the token came from the environment
 * @returns {string}
 */
export function summary({ urls, key, keyFile, adminTokenFile }) {
  return `
  API       ${urls.gateway}
  Site      ${urls.site} (follows once it is built)
  Metrics   ${urls.metrics}/metrics (gateway)  ${urls.inference}/metrics (inference)
  API key   ${key}
            kept in ${keyFile}
  Admin     ${urls.admin}
            token ${adminTokenFile ? `kept in ${adminTokenFile}` : 'as ADMIN_TOKEN says'}

Detect the faces of a photograph (paste into another terminal):

${detectCommand({ gatewayUrl: urls.gateway, key })}`;
}

/**
 * The photograph goes through a pipe, since one argument of a command may not be that long; `base64` is called in
 * the one way that Linux and macOS share. Works in bash, dash and zsh, in any folder.
 * @param {{ gatewayUrl: string, key: string, photo?: string }} options
 */
export function detectCommand({ gatewayUrl, key, photo = SAMPLE_PHOTO }) {
  return [
    `printf '{"image":"data:image/jpeg;base64,%s"}' "$(base64 < ${quote(photo)} | tr -d '\\n')"`,
    `curl -s -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' --data-binary @- ${gatewayUrl}/detect`,
  ].join(' | ');
}

/** @param {string} text */
function quote(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
