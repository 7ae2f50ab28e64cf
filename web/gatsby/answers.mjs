/**
 * Sources, for each product, the operation that it is, and the part of an example answer that pages show beside a
 * drawing of the same numbers.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { highlight } from './highlight.mjs';

const { resolve } = createRequire(import.meta.url);

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
  imageModeration: {
    example: 'moderate-response',
    shown: ({ detectedElements }) => ({ detectedElements }),
    faces: () => [],
  },
};

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceAnswers({ actions, createNodeId, createContentDigest }) {
  const [products, openapi] = await Promise.all([readContract('products'), readContract('openapi')]);
  for (const { id: productId, operationIds } of products) {
    const { example, shown, faces } = /** @type {Excerpt} */ (EXCERPTS[productId]);
    const { data } = await readContract(`examples/${example}`);
    const answer = {
      productId,
      operation: describeOperation(openapi, operationIds[0]),
      html: highlight(JSON.stringify(shown(data), null, 2), 'json'),
      faces: faces(data),
    };
    actions.createNode({
      ...answer,
      id: createNodeId(`ProductAnswer ${productId}`),
      internal: { type: 'ProductAnswer', contentDigest: createContentDigest(answer) },
    });
  }
}

/** @param {string} name @returns {Promise<any>} */
const readContract = async (name) =>
  JSON.parse(await readFile(resolve(`@presenza/contract/${name}.json`), 'utf8'));

/** `POST /v1/detect`: under the server that has a version. @param {any} openapi @param {string} operationId */
function describeOperation({ servers, paths }, operationId) {
  const { url } = servers.at(-1);
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      if (operation.operationId === operationId) return `${method.toUpperCase()} ${url}${path}`;
  throw new Error(`openapi.json has no operation named ${operationId}.`);
}
