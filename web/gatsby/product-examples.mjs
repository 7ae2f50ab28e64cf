/**
 * Sources the operation of each product with an excerpt of a response, which pages show beside a drawing of the same
 * numbers. The response is an example of the contract or the engine's result for the first demo image.
 */
import { readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { highlight } from './highlight.mjs';

/** @typedef {{ example: string, shown: (data: any) => unknown, faces: (data: any) => unknown[] }} Excerpt */

/** By product: the example, the shown part of its data, and the faces in the drawing. */
/** @type {Readonly<Record<string, Excerpt>>} */
const EXCERPTS = {
  livenessVerification: {
    example: 'liveness-session-response',
    shown: ({ status, result }) => ({ status, result }),
    faces: () => [],
  },
  faceComparison: {
    example: 'compare-response',
    shown: ({ matchedFaces: [{ quality, warnings, ...face }] }) => ({ matchedFaces: [face] }),
    faces: ({ sourceImageFace, matchedFaces, unmatchedFaces }) => [
      sourceImageFace,
      ...matchedFaces,
      ...unmatchedFaces,
    ],
  },
  faceDetection: {
    example: 'detect-response',
    shown: ({ faceCount, faces: [{ quality, ...face }] }) => ({ faceCount, faces: [face] }),
    faces: ({ faces }) => faces,
  },
};

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceProductExamples(api) {
  const [products, openapi] = await Promise.all([readContractFile('products'), readContractFile('openapi')]);
  const examples = products.map(async (/** @type {any} */ { id: productId, operationIds }) => {
    const excerpt = EXCERPTS[productId];
    const data = excerpt && (await readContractFile(`examples/${excerpt.example}`)).data;
    return {
      productId,
      operation: describeOperation(openapi, operationIds[0]),
      html: excerpt && toHtml(excerpt.shown(data)),
      faces: excerpt?.faces(data) ?? [],
    };
  });
  createNodes(api, 'ProductExample', await Promise.all(examples));
}

/** Image moderation has no example in the contract: its excerpt is the engine's result for the first demo image. */
export const productExampleResolvers = {
  ProductExample: {
    html: {
      type: 'String!',
      resolve: async (
        /** @type {{ html?: string }} */ { html },
        /** @type {unknown} */ _,
        /** @type {any} */ context,
      ) => html ?? toHtml({ detectedElements: await findDetected(context) }),
    },
  },
};

/** The elements that the API reports at its default threshold. @param {any} context */
async function findDetected({ nodeModel }) {
  const [limits, images] = await Promise.all([
    nodeModel.findOne({ type: 'ContractLimits', query: {} }),
    nodeModel.findAll({
      type: 'DemoImage',
      query: { filter: { kind: { eq: 'object' } }, sort: { fields: ['position'], order: ['ASC'] }, limit: 1 },
    }),
  ]);
  const [image] = images.entries;
  const threshold = limits.thresholds.moderationConfidenceDefault;
  return detectedAt(image.elements, threshold);
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
      confidence: Math.round(confidence * 100) / 100,
      ...(subTypes?.length && { subTypes: detectedAt(subTypes, threshold) }),
    }));

/** @param {unknown} value */
const toHtml = (value) => highlight(JSON.stringify(value, null, 2), 'json');

/** `POST /v1/detect`: the path under the versioned server. @param {any} openapi @param {string} operationId */
function describeOperation({ servers, paths }, operationId) {
  const { url } = servers[0];
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      if (operation.operationId === operationId) return `${method.toUpperCase()} ${url}${path}`;
  throw new Error(`openapi.json has no operation ${operationId}.`);
}
