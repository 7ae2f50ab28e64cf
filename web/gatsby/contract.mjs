/**
 * Sources the API contract (gateway/contract) into GraphQL, so that pages never repeat a name, a
 * number or a description of the API.
 */
import { readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { sourceExamples } from './examples.mjs';
import { sourceFacts } from './facts.mjs';

/**
 * A file of the contract, the type of its nodes, and the field for an entry's id, because Gatsby owns a node's `id`.
 * An object becomes one node, or with `keyField` one node for each member.
 * @type {readonly { file: string, type: string, idField?: string, keyField?: string }[]}
 */
const SOURCES = [
  { file: 'brand', type: 'ContractBrand' },
  { file: 'limits', type: 'ContractLimits' },
  { file: 'products', type: 'ContractProduct', idField: 'productId' },
  { file: 'plans', type: 'ContractPlan' },
  { file: 'events', type: 'ContractEvent', idField: 'eventType' },
  { file: 'account-events', type: 'ContractAccountEvent', idField: 'eventType' },
  { file: 'errors', type: 'ContractError', keyField: 'code' },
];

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceContract(api) {
  await sourceFacts(api);
  for (const { file, type, idField, keyField } of SOURCES) {
    const entries = entriesOf(await readContractFile(file), keyField);
    createNodes(api, type, idField ? entries.map((entry) => ({ ...entry, [idField]: entry.id })) : entries);
  }
  await sourceExamples(api);
}

/** @param {any} content @param {string | undefined} keyField @returns {Record<string, unknown>[]} */
function entriesOf(content, keyField) {
  if (Array.isArray(content)) return content;
  if (!keyField) return [content];
  return Object.entries(content).map(([key, { reasons = {}, ...entry }]) => ({
    ...entry,
    [keyField]: key,
    reasons: Object.entries(reasons).map(([name, message]) => ({ name, message })),
  }));
}
