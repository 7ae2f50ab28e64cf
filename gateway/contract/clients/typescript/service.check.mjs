// Each call of the installed package, against a real service.
import assert from 'node:assert/strict';
import { openAsBlob, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient, PresenzaError } from 'presenza';

const { API_URL, API_KEY, IMAGE } = process.env;
const client = createClient({ baseUrl: API_URL, apiKey: API_KEY });
const photo = readFileSync(IMAGE);

test('detect takes bytes and Blobs', async () => {
  const { data } = await client.detect({ image: photo, attributes: ['all'] });
  assert(data.faces[0].attributes.landmarks.length > 30);
  const { data: same } = await client.detect({ image: await openAsBlob(IMAGE) });
  assert.equal(same.faceCount, data.faceCount);
});

test('compare', async () => {
  const { data } = await client.compare({ sourceImage: photo, targetImage: photo });
  assert(data.matchedFaces[0].similarity > 0.9);
});

test('moderate', async () => {
  const { data } = await client.moderate({ image: photo, confidenceThreshold: 0, categories: ['Explicit'] });
  assert.equal(data.detectedElements[0].type, 'Explicit');
});

test('batch and batchStream', async () => {
  const operations = [
    { operation: 'detect', body: { image: photo } },
    { operation: 'moderate', body: {} },
  ];
  const { data } = await client.batch({ operations });
  assert.deepEqual([data.succeeded, data.failed], [1, 1]);
  const seen = [];
  for await (const { success } of client.batchStream({ operations })) seen.push(success);
  assert.deepEqual(seen.sort(), [false, true]);
});

test('a repeated POST with the same key creates one session; an erased session is not found', async () => {
  const once = { idempotencyKey: crypto.randomUUID() };
  const request = { imageToCompare: photo, metadata: { userId: '7' } };
  const { sessionId } = (await client.createLivenessSession(request, once)).data;
  assert.equal((await client.createLivenessSession(request, once)).data.sessionId, sessionId);
  const { data } = await client.getLivenessSession(sessionId);
  assert.deepEqual([data.status, data.metadata], ['created', { userId: '7' }]);
  const second = (await client.createLivenessSession(request)).data.sessionId;
  const listed = [];
  for await (const session of client.allLivenessSessions({ metadata: 'userId:7', limit: 1 }))
    listed.push(session.sessionId);
  for (const id of [sessionId, second]) assert(listed.includes(id));
  assert.equal((await client.cancelLivenessSession(second)).data.status, 'cancelled');
  await client.deleteLivenessSession(second);
  await client.deleteLivenessSession(sessionId);
  await assert.rejects(client.getLivenessSession(sessionId), (error) => {
    assert(error instanceof PresenzaError);
    assert.deepEqual([error.code, error.status], ['NOT_FOUND', 404]);
    assert.match(error.requestId, /^req_/);
    return true;
  });
});

test('health and usage', async () => {
  assert.equal((await client.health()).success, true);
  assert((await client.usage()).data.productGroups.imageAnalysis.used >= 4);
});
