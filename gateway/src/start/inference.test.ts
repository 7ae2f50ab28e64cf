import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpInferenceClient } from '../services/inference/inference-client';
import { wireVersion } from '../services/inference/wire-version';
import { connectInference } from './inference';

let version: string;
let tier: Server;
let client: HttpInferenceClient;
const log = { warn: jest.fn(), debug: jest.fn() };

beforeAll(async () => {
  tier = createServer((_req, res) => res.setHeader('X-Wire-Version', version).end('{}'));
  tier.listen(0, '127.0.0.1');
  await once(tier, 'listening');
  client = connectInference(`http://127.0.0.1:${(tier.address() as AddressInfo).port}`, () => {}, log);
});
afterAll(() => {
  client.close();
  tier.close();
});

const probe = async (tierVersion: string) => {
  version = tierVersion;
  await client.ready();
};

test('the log warns once of each period in which the tier speaks another major version', async () => {
  await probe(wireVersion);
  expect(log.warn).not.toHaveBeenCalled();
  await probe('2.0');
  await probe('2.0');
  expect(log.warn).toHaveBeenCalledTimes(1);
  const message = expect.stringContaining('The inference tier speaks version 2.0');
  expect(log.warn).toHaveBeenCalledWith({ err: expect.objectContaining({ message }) }, expect.any(String));
  expect(log.debug).toHaveBeenCalledTimes(1);
  await probe(wireVersion);
  await probe('2.0');
  expect(log.warn).toHaveBeenCalledTimes(2);
});
