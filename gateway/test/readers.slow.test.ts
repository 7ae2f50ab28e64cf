/**
 * Clients that request long responses and read them slowly or not at all.
 *
 * Slow: slow readers hold connections until the gateway closes them.
 */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { LineWriter } from '../src/async/line-writer';
import { Admission } from '../src/services/limits/admission';
import { json, StandIn, tierThatDetects } from './stand-in';

const image = 'data:image/jpeg;base64,/9j/';
const batch = JSON.stringify({
  operations: Array.from({ length: 64 }, () => ({ operation: 'detect', body: { image } })),
});
/** More in one response than the sockets of both sides hold together. */
const faces = Array.from({ length: 10_000 }, () => ({ filler: 'x'.repeat(100) }));

/** Resolves once the gateway has disconnected a client that requests a batch and reads nothing. */
async function disconnectUnread(accept: string): Promise<Admission['inFlight']> {
  const admission = new Admission({ maxRequests: 1, maxBodyBytes: 2 ** 26 });
  const inference = tierThatDetects(async () => ({ faces, timings: {} }) as never);
  const standIn = await StandIn.start({ admission, inference, deadlineMs: 200, checkResponses: false });
  const closed = new Promise<void>((resolve) =>
    standIn.server.once('request', (_req, res) => res.once('close', resolve)),
  );
  const client = standIn.connect();
  client.socket.pause();
  client.send('POST /batch HTTP/1.1', { ...json, Accept: accept, 'Content-Length': batch.length }, batch);
  await closed;
  await admission.empty();
  client.socket.destroy();
  await standIn.stop();
  return admission.inFlight;
}

test('a client that does not read a batch is disconnected soon after the deadline and frees its capacity', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  // Both wait for the same seconds.
  const inFlight = await Promise.all(['application/x-ndjson', 'application/json'].map(disconnectUnread));
  process.off('warning', onWarning);
  expect(inFlight).toEqual(Array(2).fill({ requests: 0, bodyBytes: 0 }));
  expect(warnings).toEqual([]);
});

test('writers that share a slow reader wait for it in order', async () => {
  const written: string[] = [];
  const slow = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(line, _encoding, done) {
      written.push(line);
      setImmediate(done);
    },
  });
  const writer = new LineWriter(slow);
  const all = Array.from({ length: 32 }, (_, i) => writer.write(`${i}`));
  await all[0];
  expect(slow.listenerCount('drain')).toBeLessThanOrEqual(1);
  await Promise.all(all);
  expect(written).toEqual(Array.from({ length: 32 }, (_, i) => `${i}`));
  expect(slow.listenerCount('close') + slow.listenerCount('error')).toBe(0);
});

test('a reader that disconnects blocks no writer', async () => {
  const stuck = new Writable({ highWaterMark: 1, write: () => {} });
  const writer = new LineWriter(stuck);
  const lines = [writer.write('a'), writer.write('b')];
  stuck.destroy();
  await once(stuck, 'close');
  await expect(Promise.all(lines)).resolves.toEqual([undefined, undefined]);
});
