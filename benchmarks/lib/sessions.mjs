/** Liveness sessions that are made and cancelled over HTTP: events without a camera. */

/**
 * Makes a session and cancels it.
 * @param {string} url of a gateway
 * @param {string} apiKey
 * @returns {Promise<string>} its id, once it is cancelled
 * @throws Error when either is answered otherwise than 200
 */
export async function cancelledSession(url, apiKey) {
  const { sessionId, accessToken } = await post(`${url}/liveness`, apiKey);
  await post(`${url}/liveness/${sessionId}/cancel`, accessToken);
  return sessionId;
}

/** @param {string} url @param {string} token */
async function post(url, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  });
  const { data, error } = /** @type {any} */ (await response.json());
  if (response.status !== 200)
    throw new Error(`${new URL(url).pathname} answered ${response.status} ${error?.code}`);
  return data;
}
