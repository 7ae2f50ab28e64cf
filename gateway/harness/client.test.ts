import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RetryingClient } from './client.mjs';

interface Part {
  index: number;
  status: number;
  success: boolean;
  error?: { reason: string };
}

let server: Server;
let client: RetryingClient;
afterEach(() => {
  client.close();
  server.close();
});

const served = (index: number): Part => ({ index, status: 200, success: true });
const failed = (index: number, status: number): Part => ({ index, status, success: false });

/** Sends a batch of two parts to a gateway that responds with each of `responses` in its turn. */
async function pursueBatch(...responses: Part[][]) {
  server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.end(JSON.stringify({ data: { results: responses.shift() } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new RetryingClient([url], 'key', { random: () => 0 });
  const products = ['faceDetection', 'faceDetection'];
  return client.pursue({ key: 'batch', path: '/batch', body: Buffer.from('{}'), products });
}

test('a part of a batch with status 500 counts as a defect, and the batch is retried', async () => {
  const outcome = await pursueBatch([served(0), failed(1, 500)], [served(0), served(1)]);
  expect(outcome).toMatchObject({ defects: 1, succeeded: [true, true], lost: false });
  expect(outcome.attempts.map((attempt) => attempt.failed)).toEqual([true, false]);
});

test('an attempt at a batch is named after the part that has to be retried', async () => {
  const overload = { ...failed(1, 503), error: { reason: 'overload' } };
  const { attempts } = await pursueBatch([served(0), overload], [served(0), failed(1, 422)]);
  expect(attempts.map(({ name }) => name)).toEqual(['200, a part 503 overload', '200']);
});

test('a part that is rejected for good is final and no defect', async () => {
  const outcome = await pursueBatch([served(0), failed(1, 422)]);
  expect(outcome).toMatchObject({ defects: 0, succeeded: [true, false], lost: false });
  expect(outcome.attempts.map((attempt) => attempt.failed)).toEqual([false]);
});
