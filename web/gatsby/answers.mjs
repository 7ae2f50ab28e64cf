/**
 * Sources, for each product, the operation that it is, and the part of an answer that pages show beside a drawing of
 * the same numbers: of the contract's example, or of what our engine answered to the demo's picture.
 */
import { readContractFile } from './contract-file.mjs';
import { highlight } from './highlight.mjs';

/** @typedef {{ example: string, shown: (data: any) => unknown, faces: (data: any) => unknown[] }} Excerpt */

/** By the product's id: the example, what of its data is shown, and which faces a drawing of it holds. */
/** @type {Readonly<Record<string, Excerpt>>} */
const EXCERPTS = {
  livenessVerification: {
    example: 'liveness-session-response',
    shown: ({ status, result }) => ({ status, result }),
    faces: () => [],
  },
  faceComparison: {
    example: 'compare-response',
    shown: ({ matchedFaces: [{ quality, ...face }] }) => ({ matchedFaces: [face] }),
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
export async function sourceAnswers({ actions, createNodeId, createContentDigest }) {
  const [products, openapi] = await Promise.all([readContractFile('products'), readContractFile('openapi')]);
  for (const { id: productId, operationIds } of products) {
    const excerpt = EXCERPTS[productId];
    const data = excerpt && (await readContractFile(`examples/${excerpt.example}`)).data;
    const answer = {
      productId,
      operation: describeOperation(openapi, operationIds[0]),
      html: excerpt && toHtml(excerpt.shown(data)),
      faces: excerpt?.faces(data) ?? [],
    };
    actions.createNode({
      ...answer,
      id: createNodeId(`ProductAnswer ${productId}`),
      internal: { type: 'ProductAnswer', contentDigest: createContentDigest(answer) },
    });
  }
}

/** A product without an example of its own: the answer to the picture that its demo shows first. */
export const answerResolvers = {
  ProductAnswer: {
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

/** As the API answers without a threshold in the request. @param {any} context */
async function findDetected({ nodeModel }) {
  const [limits, pictures] = await Promise.all([
    nodeModel.findOne({ type: 'ContractLimits', query: {} }),
    nodeModel.findAll({
      type: 'DemoImage',
      query: { filter: { kind: { eq: 'object' } }, sort: { fields: ['position'], order: ['ASC'] }, limit: 1 },
    }),
  ]);
  const [picture] = pictures.entries;
  const threshold = limits.thresholds.moderationConfidenceDefault;
  return detectedAt(picture.elements, threshold);
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

/** `POST /v1/detect`: under the server that has a version. @param {any} openapi @param {string} operationId */
function describeOperation({ servers, paths }, operationId) {
  const { url } = servers.at(-1);
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      if (operation.operationId === operationId) return `${method.toUpperCase()} ${url}${path}`;
  throw new Error(`openapi.json has no operation named ${operationId}.`);
}
