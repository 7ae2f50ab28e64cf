/**
 * Keeps web pages away from the ports that only processes and operators of a deployment may use. A page reaches such a
 * port through the browser of a person on that network: directly, or as its own origin, once the page's DNS name resolves
 * to an address of that network (DNS rebinding). CommonJS, because both tiers load it with require.
 */
const { isIP } = require('node:net');
const { bounds } = require('./bounds.json');

/** A host, in brackets if it is an IPv6 address, and an optional port (RFC 9110, 7.2). */
const hostForm = /^(?:\[(?<address>[^\]]+)\]|(?<name>[^:[\]]+))(?::\d*)?$/;

/** @param {string} text names with commas between them @returns {ReadonlySet<string>} */
exports.hostNames = (text) =>
  new Set(
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  );

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {ReadonlySet<string>} names lower case, besides localhost
 * @returns {string | undefined} a sentence that says why the request may come from a foreign web page
 */
exports.foreignRequest = ({ headers, method }, names) => {
  const { host, origin } = headers;
  // Only HTTP/1.0 may omit it, and no browser does.
  if (host !== undefined && !isAllowed(host, names)) {
    return 'The Host header names no address and no name of this port';
  }
  if (origin !== undefined && hostOf(origin) !== host?.toLowerCase()) {
    return 'The Origin header names a foreign web page';
  }
  const site = headers['sec-fetch-site'];
  // A link to this port sends no data, and the page with the link cannot read the response.
  const isLink = method === 'GET' && headers['sec-fetch-dest'] === 'document';
  if (site !== undefined && site !== 'none' && site !== 'same-origin' && !isLink) {
    return 'The Sec-Fetch-Site header names a foreign web page';
  }
  return undefined;
};

/** Rebinding needs a name, so each address passes. @param {string} host @param {ReadonlySet<string>} names */
function isAllowed(host, names) {
  const { address = '', name = '' } = hostForm.exec(host)?.groups ?? {};
  if (isIP(address) === 6 || isIP(name) === 4) return true;
  const plain = name.toLowerCase().replace(/\.$/, '');
  return plain === 'localhost' || names.has(plain);
}

/** @param {string} origin */
const hostOf = (origin) => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Options of `createServer`: when a server disconnects clients that are slow or idle. */
exports.serverTimeouts = Object.freeze({
  headersTimeout: 1_000 * bounds.headersSeconds.value,
  requestTimeout: 1_000 * bounds.requestSeconds.value,
  keepAliveTimeout: bounds.keepAliveMs.value,
  // Node checks the timeouts only this often.
  connectionsCheckingInterval: 1_000,
});
