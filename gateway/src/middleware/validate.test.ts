import { ApiError } from '../errors';
import { checkBody } from './validate';

const image = Buffer.from([0xff, 0xd8, 0xff]);
const refusal = (schema: string, body: unknown) => {
  try {
    checkBody(schema, body);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return (error as ApiError).body.reason;
  }
};

test.each([
  ['detect-request.json', { image }],
  ['detect-request.json', { image: 'x', attributes: 'all' }],
  ['detect-request.json', { image: '' }],
  ['compare-request.json', { sourceImage: image, targetImage: 'x', similarityThreshold: 0.5 }],
  ['liveness-request.json', { imageToCompare: image }],
])('%s takes bytes and texts for an image: %j', (schema, body) => {
  expect(refusal(schema, body)).toBeUndefined();
});

test.each([
  ['detect-request.json', { image: 5 }, 'type'],
  ['detect-request.json', { image: { type: 'Buffer', data: [255] } }, 'type'],
  ['detect-request.json', { image, attributes: image }, 'value'],
  ['detect-request.json', { image, other: image }, 'unknown'],
  ['moderate-request.json', { image, categories: [image] }, 'type'],
  ['moderate-request.json', { image, confidenceThreshold: image }, 'type'],
  ['compare-request.json', { sourceImage: image }, 'missing'],
])('%s obeys every other rule: %j', (schema, body, reason) => {
  expect(refusal(schema, body)).toBe(reason);
});
