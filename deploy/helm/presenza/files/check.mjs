// The program of `helm test`: fails unless the gateways and the site respond within a minute, and the gateways reach every
// tier. It sends no key and prints no secret.

const patienceMs = 60_000;
const pauseMs = 1_000;
const timeoutMs = 5_000;

const [operations, api, site] = process.argv.slice(-3);

/**
 * Describes the fault of a URL; undefined if it responds as it should.
 * @param {string} url
 * @param {(body: any) => string | undefined} [fault]
 * @returns {Promise<string | undefined>}
 */
async function faultOf(url, fault = () => undefined) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const body = await response.json();
    return response.ok ? fault(body) : `status ${response.status}: ${JSON.stringify(body)}`;
  } catch (/** @type {any} */ error) {
    return error.cause?.message || error.message;
  }
}

/** @param {string} name @param {string} url @param {(body: any) => string | undefined} [fault] */
async function check(name, url, fault) {
  const end = Date.now() + patienceMs;
  let problem = await faultOf(url, fault);
  while (problem && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    problem = await faultOf(url, fault);
  }
  console.log(`${name}: ${problem ?? 'ok'}`);
  return problem === undefined;
}

const results = await Promise.all([
  check('tiers', `${operations}/readyz`, ({ degraded }) =>
    degraded.length > 0 ? `unavailable: ${degraded.join(', ')}` : undefined,
  ),
  check('API', `${api}/health`, ({ success }) => (success ? undefined : 'no success')),
  check('site', `${site}/api-config.json`),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
