// The status of one HTTP request on its own connection: probes must not keep a tier's connections open.

import { request } from 'node:http';

/**
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string, timeoutMs?: number }} [options]
 * @returns {Promise<number>}
 */
export function statusOf(url, { method = 'GET', headers = {}, body, timeoutMs = 20_000 } = {}) {
  return new Promise((resolve, reject) => {
    const message = request(url, { method, headers, agent: false, timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    message.once('timeout', () => message.destroy(new Error('no response in time')));
    message.once('error', reject);
    message.end(body);
  });
}
