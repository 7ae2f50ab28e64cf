/** Bodies that were made to break a parser: each is refused with the right error, and the next request is served. */
import type { ErrorCode } from '../src/errors';
import { expectEnvelope, imageBody, StandIn } from './stand-in';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await StandIn.start();
});
afterAll(() => standIn.stop());

const uri = (rest: string) => `{"image":"data:image/jpeg;base64,${rest}"}`;

const bodies: [name: string, body: string, code: ErrorCode, reason: string][] = [
  ['lists a million deep', '['.repeat(1_000_000), 'INVALID_PARAMETERS', 'json'],
  ['objects a hundred thousand deep', '{"a":'.repeat(100_000), 'INVALID_PARAMETERS', 'json'],
  ['a whole nest of lists', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'INVALID_PARAMETERS', 'body'],
  ['a prototype', '{"__proto__":{"image":"x"}}', 'INVALID_PARAMETERS', 'name'],
  ['a constructor', '{"image":"x","constructor":{}}', 'INVALID_PARAMETERS', 'name'],
  ['a number above all bounds', '1e999', 'INVALID_PARAMETERS', 'body'],
  ['words behind the end', '{"image":"x"} more', 'INVALID_PARAMETERS', 'json'],
  ['two values', '{"image":1,"image":"x"}', 'INVALID_PARAMETERS', 'repeated'],
  ['an infinite number', '{"image":1e999}', 'INVALID_PARAMETERS', 'number'],
  ['half a character', '{"image":"\\ud800"}', 'INVALID_IMAGE', 'dataUri'],
  ['a zero', '{"image":"\\u0000"}', 'INVALID_IMAGE', 'dataUri'],
  ['a zero between base64', uri('/9j/\\u0000'), 'INVALID_IMAGE', 'base64'],
  ['base64 for addresses', uri('_-8A'), 'INVALID_IMAGE', 'base64'],
  ['a space in base64', uri('/9j/ 4AAQ'), 'INVALID_IMAGE', 'base64'],
  ['too much padding', uri('/9j/='), 'INVALID_IMAGE', 'base64'],
  ['padding in the middle', uri('/9==/9j/'), 'INVALID_IMAGE', 'base64'],
  ['bits above the last byte', uri('/9l'), 'INVALID_IMAGE', 'base64'],
  ['no base64', '{"image":"data:image/jpeg,/9j/"}', 'INVALID_IMAGE', 'dataUri'],
  ['a comma in a parameter', '{"image":"data:image/jpeg;a=\\",\\";base64,/9j/"}', 'INVALID_IMAGE', 'dataUri'],
  ['a drawing', '{"image":"data:image/svg+xml;base64,PHN2Zz4="}', 'INVALID_IMAGE', 'format'],
];

test.each(bodies)('%s', async (_name, body, code, reason) => {
  const connection = standIn.connect().detect(body);
  expectEnvelope(await connection.reply(), code, reason);
  expect((await connection.detect(imageBody).reply()).status).toBe(200);
});

test('all of them at once, between good ones', async () => {
  const replies = await Promise.all(
    bodies.flatMap(([, body]) => [body, imageBody]).map((body) => standIn.connect().detect(body).reply()),
  );
  expect(replies.map(({ status }) => status)).toEqual(bodies.flatMap(() => [400, 200]));
});
