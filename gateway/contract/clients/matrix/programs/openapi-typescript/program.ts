/** Makes each call with openapi-fetch and the types that openapi-typescript writes. Prints each step that passes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './client/schema';

const { API_URL, API_KEY, IMAGE = '' } = process.env;
const image = `data:image/jpeg;base64,${readFileSync(IMAGE, 'base64')}`;
const client = createClient<paths, 'application/json'>({
  baseUrl: API_URL,
  headers: { authorization: `Bearer ${API_KEY}` },
});
type Schemas = components['schemas'];

const steps = {
  async detect() {
    const { data } = await client.POST('/detect', { body: { image, attributes: ['all'] } });
    const { landmarks, emotions } = data!.data.faces[0].attributes!;
    assert(landmarks!.length > 30);
    const first: Schemas['EmotionType'] = emotions![0].type;
    assert.equal(typeof first, 'string');
  },
  async compare() {
    const body = { sourceImage: image, targetImage: image, similarityThreshold: 0.9 };
    const { data } = await client.POST('/compare', { body });
    assert(data!.data.matchedFaces[0].similarity > 0.9);
  },
  async moderate() {
    const body = { image, confidenceThreshold: 0, categories: ['Explicit'] };
    const { data } = await client.POST('/moderate', { body });
    assert.equal(data!.data.detectedElements[0].type, 'Explicit');
  },
  async batch() {
    const operations: Schemas['BatchOperation'][] = [
      { operation: 'detect', body: { image } },
      { operation: 'compare', body: { sourceImage: image, targetImage: image } },
      { operation: 'moderate', body: {} },
    ];
    const { data } = await client.POST('/batch', { body: { operations } });
    const [first, second, third] = data!.data.results;
    assert.equal(first.data!.faces!.length, first.data!.faceCount);
    assert(second.data!.matchedFaces![0].similarity > 0.9);
    assert.equal(third.error!.reason, 'missing');
  },
  async liveness() {
    const created = await client.POST('/liveness', { body: { metadata: { userId: '7' } } });
    const { sessionId } = created.data!.data;
    const { data } = await client.GET('/liveness/{sessionId}', { params: { path: { sessionId } } });
    assert.equal(data!.data.status, 'created');
    assert.deepEqual(data!.data.metadata, { userId: '7' });
  },
  async pages() {
    await client.POST('/liveness', {});
    const ids = new Set<string>();
    let page: Schemas['LivenessList'] | undefined;
    do {
      const query = { limit: 1, cursor: page?.nextCursor };
      page = (await client.GET('/liveness', { params: { query } })).data!.data;
      for (const { sessionId } of page.items) ids.add(sessionId);
    } while (page.hasMore);
    assert(ids.size >= 2);
  },
  async error() {
    const body = { image: 'data:image/bmp;base64,Qk0=' };
    const { error, response } = await client.POST('/detect', { body });
    assert.deepEqual(
      [response.status, error!.error.code, error!.error.reason],
      [400, 'INVALID_IMAGE', 'format'],
    );
  },
  async usage() {
    const { data } = await client.GET('/usage');
    assert(data!.data.productGroups.imageAnalysis.used >= 5);
  },
};

async function main() {
  for (const [name, step] of Object.entries(steps)) {
    await step();
    process.stdout.write(`${name}\n`);
  }
}
void main();
