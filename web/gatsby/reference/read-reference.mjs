/** Reads the data of the API reference from the contract and from content/reference.json. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNodes } from '../create-nodes.mjs';
import { readClientPrograms } from './clients.mjs';
import { readContract } from './contract-files.mjs';
import { operationReader } from './operations.mjs';
import { placesOf, readPages } from './pages.mjs';
import { readTemplates, receiverSamples, samplesOf } from './samples.mjs';

/** @typedef {Awaited<ReturnType<typeof readReference>>} Reference */

/**
 * @param {{ content: string, contract?: string }} folders of the site's content, and of a contract other than the repository's
 * @throws Error if contract and samples do not match
 */
export async function readReference(folders) {
  /** @type {import('./fill.mjs').ReferenceTexts} */
  const texts = JSON.parse(await readFile(join(folders.content, 'reference.json'), 'utf8'));
  const templates = await readTemplates(join(folders.content, 'samples'));
  const contract = await readContract(folders.contract);
  const reader = operationReader(contract, texts);
  const parts = {
    operations: reader
      .readOperations()
      .map((operation) => ({ ...operation, samples: samplesOf(operation, templates, texts) })),
    webhooks: reader
      .readWebhooks()
      .map((webhook) => ({ ...webhook, ...eventOf(contract.events, webhook.eventType) })),
    errors: Object.entries(contract.errors).map(([code, error]) => ({
      code,
      ...error,
      reasons: reasonsOf(error),
    })),
  };
  return {
    texts,
    ...parts,
    pages: await readPages(folders.content, parts),
    headers: reader.readHeaders(),
    webhookHeaders: reader.readWebhookHeaders(),
    schemas: reader.readSchemas(),
    programs: await readClientPrograms(),
    receivers: receiverSamples(contract, texts),
    plans: contract.plans,
  };
}

/**
 * The trigger and the content of an event.
 * @param {import('./contract-files.mjs').Json[]} events
 * @param {string} eventType
 */
function eventOf(events, eventType) {
  const event = events.find(({ id }) => id === eventType);
  if (!event) throw new Error(`openapi.json has the webhook ${eventType}, but events.json does not.`);
  const { label, when, finalStatus, carriesResult } = event;
  return { label, when, finalStatus, carriesResult };
}

/** @param {{ reasons?: Record<string, string> }} error */
const reasonsOf = ({ reasons = {} }) => Object.entries(reasons).map(([name, message]) => ({ name, message }));

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceReference(api) {
  const { pages, operations, webhooks, schemas, receivers, programs, ...reference } = await readReference({
    content: CONTENT,
  });
  const place = (/** @type {(item: any) => string[]} */ tagsOf) => (/** @type {object} */ item) => ({
    ...item,
    places: placesOf(pages, ...tagsOf(item)),
  });
  const shown = ({ operationId = '', isSessionCall = false }) =>
    isSessionCall ? ['SessionCalls'] : [`Operation id="${operationId}"`, `Example id="${operationId}"`];
  createNodes(api, 'ContractOperation', operations.map(place(shown)));
  createNodes(api, 'ContractWebhook', webhooks.map(place(() => ['Events', 'EventExamples', 'EventExample'])));
  createNodes(api, 'ContractHeader', reference.headers);
  createNodes(api, 'ContractWebhookHeader', reference.webhookHeaders);
  createNodes(api, 'ContractSchema', schemas.map(place(({ name }) => [`Fields schema="${name}"`])));
  createNodes(api, 'WebhookReceiver', receivers.map(place(() => ['Receivers'])));
  createNodes(api, 'ClientProgram', programs.map(place(({ client }) => [`FirstProgram client="${client}"`])));
  createNodes(
    api,
    'ReferencePage',
    pages.resources.map(({ body, ...page }) => page),
  );
}
