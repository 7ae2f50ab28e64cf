/** Sources the API reference into GraphQL: operations, webhooks, headers, schemas and samples. */
import { fileURLToPath } from 'node:url';
import { readReference } from './read-reference.mjs';

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceReference({ actions, createNodeId, createContentDigest }) {
  const { operations, webhooks, headers, webhookHeaders, schemas, receivers } = await readReference({
    content: CONTENT,
  });
  /** @param {string} type @param {readonly object[]} entries */
  const create = (type, entries) => {
    entries.forEach((entry, position) => {
      actions.createNode({
        ...entry,
        position,
        id: createNodeId(`${type} ${position}`),
        internal: { type, contentDigest: createContentDigest({ entry, position }) },
      });
    });
  };
  create('ContractOperation', operations);
  create('ContractWebhook', webhooks);
  create('ContractHeader', headers);
  create('ContractWebhookHeader', webhookHeaders);
  create('ContractSchema', schemas);
  create('WebhookReceiver', receivers);
}
