/** Reads the data of the API reference from the contract and from its words. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNodes } from '../create-nodes.mjs';
import { readContract } from './contract-files.mjs';
import { operationReader } from './operations.mjs';
import { readTemplates, receiverSamples, samplesOf } from './samples.mjs';

/** @typedef {Awaited<ReturnType<typeof readReference>>} Reference */

/**
 * @param {{ content: string, contract?: string }} folders of the site's words, and of the contract where it is another
 * @throws Error if contract and samples do not match
 */
export async function readReference(folders) {
  /** @type {import('./words.mjs').Words} */
  const words = JSON.parse(await readFile(join(folders.content, 'reference.json'), 'utf8'));
  const templates = await readTemplates(join(folders.content, 'samples'));
  const contract = await readContract(folders.contract);
  const reader = operationReader(contract, words);
  return {
    words,
    operations: reader
      .readOperations()
      .map((operation) => ({ ...operation, samples: samplesOf(operation, templates, words) })),
    webhooks: reader
      .readWebhooks()
      .map((webhook) => ({ ...webhook, ...eventOf(contract.events, webhook.eventType) })),
    headers: reader.readHeaders(),
    webhookHeaders: reader.readWebhookHeaders(),
    schemas: reader.readSchemas(),
    receivers: receiverSamples(contract, words),
    errors: Object.entries(contract.errors).map(([code, error]) => ({
      code,
      ...error,
      reasons: reasonsOf(error),
    })),
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
  const reference = await readReference({ content: CONTENT });
  createNodes(api, 'ContractOperation', reference.operations);
  createNodes(api, 'ContractWebhook', reference.webhooks);
  createNodes(api, 'ContractHeader', reference.headers);
  createNodes(api, 'ContractWebhookHeader', reference.webhookHeaders);
  createNodes(api, 'ContractSchema', reference.schemas);
  createNodes(api, 'WebhookReceiver', reference.receivers);
}
