/** Clients see internal failures only as the error envelope. */
import type { InferenceCall } from '../src/services/inference/inference-client';
import { expectEnvelope, StandIn, tierThatDetects } from './stand-in';

test('an error that the error handler itself fails on is INTERNAL_ERROR', async () => {
  const endless = new Error('boom');
  endless.cause = endless;
  const standIn = await StandIn.start({ inference: tierThatDetects(() => Promise.reject(endless)) });
  expectEnvelope(await standIn.connect().detect().reply(), 'INTERNAL_ERROR');
  await standIn.stop();
});

test('the deadline ends the work and is DEADLINE_EXCEEDED', async () => {
  const untilAborted = (_image: Buffer, { deadline: { signal } }: InferenceCall) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const standIn = await StandIn.start({ inference: tierThatDetects(untilAborted), deadlineMs: 20 });
  expectEnvelope(await standIn.connect().detect().reply(), 'DEADLINE_EXCEEDED');
  await standIn.stop();
});

test('work is cancelled when the client disconnects', async () => {
  let begun: (call: InferenceCall) => void = () => {};
  const call = new Promise<InferenceCall>((resolve) => {
    begun = resolve;
  });
  const standIn = await StandIn.start({
    inference: tierThatDetects((_image, given) => {
      begun(given);
      return new Promise((_, reject) =>
        given.deadline.signal.addEventListener('abort', () => reject(given.deadline.signal.reason)),
      );
    }),
  });
  const connection = standIn.connect().detect();
  const { signal } = (await call).deadline;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  connection.socket.destroy();
  await aborted;
  await standIn.stop();
  expect(standIn.log).toEqual([expect.objectContaining({ msg: 'request', status: 499 })]);
});
