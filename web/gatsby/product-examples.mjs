/**
 * Sources the operation of each product with an excerpt of a response, which pages show beside a figure of the same
 * numbers: the engine's results for demo images, and for liveness an example of the contract.
 */
import { readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { highlight } from './highlight.mjs';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceProductExamples(api) {
  const [products, openapi, session] = await Promise.all(
    ['products', 'openapi', 'examples/liveness-session-response'].map(readContractFile),
  );
  const { status, result } = session.data;
  createNodes(
    api,
    'ProductExample',
    products.map((/** @type {any} */ { id: productId, operationIds }) => ({
      productId,
      operation: describeOperation(openapi, operationIds[0]),
      html: productId === 'livenessVerification' ? toHtml({ status, result }) : undefined,
    })),
  );
}

/** The excerpts that show results of the engine. */
export const productExampleResolvers = {
  ProductExample: {
    html: {
      type: 'String!',
      resolve: async (
        /** @type {{ html?: string, productId: string }} */ { html, productId },
        /** @type {unknown} */ _,
        /** @type {any} */ { nodeModel },
      ) => html ?? toHtml(await RESULTS[productId]?.(nodeModel)),
    },
  },
};

/** Reads what the API responds for the demo images, by product. @type {Record<string, (nodeModel: any) => Promise<object>>} */
const RESULTS = {
  faceDetection: async (nodeModel) => {
    const { faces } = await findOne(nodeModel, 'DemoImage', { name: 'hopper-photo' });
    return {
      faceCount: faces.length,
      faces: faces.map((/** @type {any} */ { confidence, boundingBox, occluded }) => ({
        confidence,
        boundingBox,
        occluded,
      })),
    };
  },
  faceComparison: async (nodeModel) => {
    const [print, { similarity }] = await Promise.all([
      findOne(nodeModel, 'DemoImage', { name: 'hopper-document' }),
      findOne(nodeModel, 'DemoSimilarity', { source: 'hopper-photo', target: 'hopper-document' }),
    ]);
    const [{ confidence, boundingBox }] = print.faces;
    return { matchedFaces: [{ confidence, boundingBox, similarity }] };
  },
  imageModeration: async (nodeModel) => {
    const [{ thresholds }, { elements }] = await Promise.all([
      findOne(nodeModel, 'ContractLimits', {}),
      findOne(nodeModel, 'DemoImage', { name: 'scissors' }),
    ]);
    return { detectedElements: detectedAt(elements, thresholds.moderationConfidenceDefault) };
  },
};

/** @param {any} nodeModel @param {string} type @param {Record<string, string>} values of its fields */
function findOne(nodeModel, type, values) {
  const filter = Object.fromEntries(Object.entries(values).map(([name, eq]) => [name, { eq }]));
  return nodeModel.findOne({ type, query: { filter } });
}

/**
 * @typedef {{ type: string, confidence: number, subTypes?: Element[] | null }} Element
 * @param {readonly Element[]} elements @param {number} threshold
 * @returns {Element[]}
 */
const detectedAt = (elements, threshold) =>
  elements
    .filter(({ confidence }) => confidence >= threshold)
    .map(({ type, confidence, subTypes }) => ({
      type,
      confidence,
      ...(subTypes?.length && { subTypes: detectedAt(subTypes, threshold) }),
    }));

/** Numbers have three decimals. @param {unknown} value */
const toHtml = (value) => highlight(JSON.stringify(value, rounded, 2), 'json');

/** @param {string} _ @param {unknown} value */
const rounded = (_, value) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value);

/** `POST /detect`: the path as in the API reference. @param {any} openapi @param {string} operationId */
function describeOperation({ paths }, operationId) {
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      if (operation.operationId === operationId) return `${method.toUpperCase()} ${path}`;
  throw new Error(`openapi.json has no operation ${operationId}.`);
}
