/** Sources the API reference into GraphQL: operations, webhooks, headers, schemas and samples. */
import { fileURLToPath } from 'node:url';
import { createNodes } from '../create-nodes.mjs';
import { readReference } from './read-reference.mjs';

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
