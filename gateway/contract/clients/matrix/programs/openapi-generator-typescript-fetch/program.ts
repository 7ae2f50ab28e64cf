/** Makes each call with the client that openapi-generator (typescript-fetch) writes. Prints each step that passes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as api from './client/index';

const { API_URL, API_KEY, IMAGE = '' } = process.env;
const image = `data:image/jpeg;base64,${readFileSync(IMAGE, 'base64')}`;
const client = new api.Configuration({ basePath: API_URL, accessToken: API_KEY });

const steps = {
  async detect() {
    const detectRequest: api.DetectRequest = { image, attributes: new Set([api.FaceAttributeName.All]) };
    const { data } = await new api.FaceDetectionApi(client).detectFaces({ detectRequest });
    const { landmarks, emotions } = data.faces[0].attributes!;
    assert(landmarks!.length > 30);
    assert(Object.values(api.EmotionType).includes(emotions![0].type));
  },
  async compare() {
    const compareRequest = { sourceImage: image, targetImage: image, similarityThreshold: 0.9 };
    const { data } = await new api.FaceComparisonApi(client).compareFaces({ compareRequest });
    assert(data.matchedFaces[0].similarity > 0.9);
  },
  async moderate() {
    const moderateRequest = { image, confidenceThreshold: 0, categories: new Set(['Explicit']) };
    const { data } = await new api.ImageModerationApi(client).moderateImage({ moderateRequest });
    assert.equal(data.detectedElements[0].type, 'Explicit');
  },
  async batch() {
    const operations = [
      { operation: api.BatchOperationName.Detect, body: { image } },
      { operation: api.BatchOperationName.Compare, body: { sourceImage: image, targetImage: image } },
      { operation: api.BatchOperationName.Moderate, body: {} },
    ];
    const { data } = await new api.BatchApi(client).runBatch({ batchRequest: { operations } });
    const [first, second, third] = data.results;
    assert.equal(first.data!.faces!.length, first.data!.faceCount);
    assert(second.data!.matchedFaces![0].similarity > 0.9);
    assert.equal(third.error!.reason, 'missing');
  },
  async liveness() {
    const sessions = new api.LivenessApi(client);
    const { data } = await sessions.createLivenessSession({ livenessRequest: { metadata: { userId: '7' } } });
    const session = (await sessions.getLivenessSession({ sessionId: data.sessionId })).data;
    assert.equal(session.status, api.LivenessStatus.Created);
    assert.deepEqual(session.metadata, { userId: '7' });
  },
  async pages() {
    const sessions = new api.LivenessApi(client);
    await sessions.createLivenessSession();
    const ids = new Set<string>();
    let page: api.LivenessList | undefined;
    do {
      ({ data: page } = await sessions.listLivenessSessions({ limit: 1, cursor: page?.nextCursor }));
      for (const { sessionId } of page.items) ids.add(sessionId);
    } while (page.hasMore);
    assert(ids.size >= 2);
  },
  async error() {
    const detectRequest = { image: 'data:image/bmp;base64,Qk0=' };
    const refusal = await new api.FaceDetectionApi(client)
      .detectFaces({ detectRequest })
      .catch((thrown) => thrown);
    assert(refusal instanceof api.ResponseError);
    const { error } = api.ErrorResponseFromJSON(await refusal.response.json());
    assert.deepEqual([refusal.response.status, error.code, error.reason], [400, 'INVALID_IMAGE', 'format']);
  },
  async usage() {
    const { data } = await new api.UsageApi(client).getUsage();
    assert(data.productGroups.imageAnalysis.used >= 5);
  },
};

async function main() {
  for (const [name, step] of Object.entries(steps)) {
    await step();
    process.stdout.write(`${name}\n`);
  }
}
void main();
