/** Clients that ask for long answers and read them slowly, or not at all. */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { LineWriter } from '../src/async/line-writer';
import { Admission } from '../src/services/limits/admission';
import { json, StandIn, tierThatDetects } from './stand-in';

const image = 'data:image/jpeg;base64,/9j/';
const batch = JSON.stringify({
  operations: Array.from({ length: 64 }, () => ({ operation: 'detect', body: { image } })),
});
/** More in one answer than the sockets of both sides hold together. */
const faces = Array.from({ length: 10_000 }, () => ({ filler: 'x'.repeat(100) }));

let standIn: StandIn;
afterEach(() => standIn?.stop());

test.each(['application/x-ndjson', 'application/json'])(
  'who does not read an answer of %s is cut off soon after the deadline, and makes room',
  async (accept) => {
    const admission = new Admission({ maxRequests: 1, maxBodyBytes: 2 ** 26 });
    const inference = tierThatDetects(async () => ({ faces, timings: {} }) as never);
    standIn = await StandIn.start({ admission, inference, deadlineMs: 200, checkAnswers: false });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const left = new Promise<void>((resolve) =>
      standIn.server.once('request', (_req, res) => res.once('close', resolve)),
    );
    const client = standIn.connect();
    client.socket.pause();
    client.send('POST /batch HTTP/1.1', { ...json, Accept: accept, 'Content-Length': batch.length }, batch);
    await left;
    await admission.empty();
    expect(admission.inFlight).toEqual({ requests: 0, bodyBytes: 0 });
    client.socket.destroy();
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  },
);

test('writers who share a slow reader wait for it together, in order', async () => {
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

test('a reader that goes away keeps nobody waiting', async () => {
  const stuck = new Writable({ highWaterMark: 1, write: () => {} });
  const writer = new LineWriter(stuck);
  const lines = [writer.write('a'), writer.write('b')];
  stuck.destroy();
  await once(stuck, 'close');
  await expect(Promise.all(lines)).resolves.toEqual([undefined, undefined]);
});
