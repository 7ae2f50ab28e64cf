/** Changes after a backup that a restore undoes: keys that are created and revoked, sessions that are created and erased. */
import { admin } from '../../../gateway/harness/index.mjs';

/** @typedef {import('../../../gateway/harness/index.mjs').Service} Service */

/** @param {string} url @param {string} token @param {string} [method] @returns {Promise<{ status: number, data: any }>} */
async function ask(url, token, method = 'GET') {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  return { status: response.status, data: text === '' ? undefined : JSON.parse(text).data };
}

/** @param {Service} service @param {string} apiKey @returns {Promise<string>} id */
async function createSession({ url }, apiKey) {
  const { status, data } = await ask(`${url}/liveness`, apiKey, 'POST');
  if (status !== 200) throw new Error(`A session could not be created: ${status}`);
  return data.sessionId;
}

/** Creates what the backup contains. @param {Service} service */
export async function beginTrials(service) {
  const { accountId, apiKey } = await service.createAccount();
  const revoked = await service.admin('keys', 'create', '--account', accountId, '--mode', 'live');
  const kept = await createSession(service, apiKey);
  const erased = await createSession(service, apiKey);
  return { accountId, apiKey, revoked, kept, erased, created: { apiKey: '', session: '' } };
}

/** Changes it after the backup. @param {Service} service @param {Awaited<ReturnType<typeof beginTrials>>} trials */
export async function changeTrials(service, trials) {
  const { accountId, apiKey, revoked, erased } = trials;
  await service.admin('keys', 'revoke', '--account', accountId, '--key', revoked.keyId);
  const { status } = await ask(`${service.url}/liveness/${erased}`, apiKey, 'DELETE');
  if (status >= 300) throw new Error(`A session could not be erased: ${status}`);
  trials.created.apiKey = (
    await service.admin('keys', 'create', '--account', accountId, '--mode', 'live')
  ).apiKey;
  trials.created.session = await createSession(service, apiKey);
}

/**
 * Asks again after the restore.
 * @param {Service} service @param {Awaited<ReturnType<typeof beginTrials>>} trials @param {string} redisUrl
 */
export async function triedAfter({ url }, { accountId, apiKey, revoked, kept, erased, created }, redisUrl) {
  const ofKey = async (/** @type {string} */ key) => (await ask(`${url}/usage`, key)).status;
  const ofSession = async (/** @type {string} */ id) => (await ask(`${url}/liveness/${id}`, apiKey)).status;
  const observed = {
    'Key from before': await ofKey(apiKey),
    'Key created since': await ofKey(created.apiKey),
    'Key revoked since': await ofKey(revoked.apiKey),
    'Session from before': await ofSession(kept),
    'Session created since': await ofSession(created.session),
    'Session erased since': await ofSession(erased),
    'New session': (await ask(`${url}/liveness`, apiKey, 'POST')).status,
  };
  const again = ['keys', 'revoke', '--account', accountId, '--key', revoked.keyId];
  // A replica has the revocation, and a key cannot be revoked twice.
  await admin(again, { REDIS_URL: redisUrl }).catch(() => {});
  return { ...observed, 'Key revoked again': await ofKey(revoked.apiKey) };
}

/** @param {Record<string, number>} observed @param {{ hasReplica: boolean, losesKeys: boolean }} loss @returns {string[]} what differs */
export function surprisesIn(observed, { hasReplica, losesKeys }) {
  const expected = {
    'Key from before': 200,
    'Key created since': hasReplica ? 200 : 401,
    'Key revoked since': hasReplica ? 401 : 200,
    'Session from before': losesKeys ? 404 : 200,
    'Session created since': hasReplica ? 200 : 404,
    'Session erased since': 404,
    'New session': 200,
    'Key revoked again': 401,
  };
  return Object.entries(expected).flatMap(([what, status]) =>
    observed[what] === status ? [] : [`${what}: ${observed[what]}, not ${status}`],
  );
}
