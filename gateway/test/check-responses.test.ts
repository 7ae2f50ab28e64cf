/** In development, a response that breaks the contract is noticed before a client does. */
import type { DetectReply } from '@presenza/inference/wire';
import { expectEnvelope, StandIn, tierThatDetects } from './stand-in';

const face = { confidence: 0.9, boundingBox: { left: 0, top: 0, width: 1, height: 1 } };
const replying = (faces: readonly object[]) => ({
  inference: tierThatDetects(async () => ({ faces, timings: { totalMs: 1 } }) as unknown as DetectReply),
});

test.each([
  ['a value out of range', [{ ...face, confidence: 2 }]],
  ['a field left out', [{ confidence: 1 }]],
  ['more faces than there may be', Array(101).fill(face)],
])('%s is INTERNAL_ERROR, with the fault in the log', async (_name, faces) => {
  const standIn = await StandIn.start(replying(faces));
  expectEnvelope(await standIn.connect().detect().reply(), 'INTERNAL_ERROR');
  const line = standIn.log.find(({ msg }) => msg === 'request failed');
  expect(JSON.stringify(line)).toContain('the response violates the contract');
  await standIn.stop();
});

test('valid responses pass unchanged; errors and unknown paths are checked too', async () => {
  const standIn = await StandIn.start(replying([face]));
  expect((await standIn.connect().detect().reply()).status).toBe(200);
  expectEnvelope(await standIn.connect().detect('{}').reply(), 'INVALID_PARAMETERS');
  expectEnvelope(await standIn.connect().send('GET /nothing HTTP/1.1').reply(), 'NOT_FOUND');
  await standIn.stop();
});

test('in production it is sent unchanged', async () => {
  const standIn = await StandIn.start({ ...replying([{ ...face, confidence: 2 }]), checkResponses: false });
  expect((await standIn.connect().detect().reply()).status).toBe(200);
  await standIn.stop();
});
