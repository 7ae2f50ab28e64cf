/** A signed webhook for the tests of the libraries: the documented headers, and the event that they sign. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { parameters } = require('../openapi.json').components;
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

export const webhookExample = () => ({
  secret: /secret (whsec_\S+),/.exec(parameters['X-Presenza-Signature'].description)[1],
  headers: Object.fromEntries(NAMES.map((name) => [name, parameters[name].example])),
  body: JSON.stringify(require('../examples/webhook-event--session-completed.json')),
});
