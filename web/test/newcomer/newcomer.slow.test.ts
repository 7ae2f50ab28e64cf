/**
 * A newcomer without the repository comes from the home page to a first call.
 *
 * Slow: it starts a whole service, signs up in a browser and installs a package.
 */
import { type Service, startService } from '../../../gateway/harness/index.mjs';
import { launchChromium } from '../../../gateway/test/browsers/chromium';
import type { Engine } from '../../../gateway/test/browsers/engine';
import { sharedTierUrl } from '../../../gateway/test/shared-tier';
import { makeFirstCall } from './newcomer';

let service: Service;
beforeAll(async () => {
  service = await startService({
    site: true,
    inferenceUrl: sharedTierUrl(),
    gatewayEnv: { CONSOLE: 'on' },
  });
});
afterAll(() => service?.stop());

let engine: Engine;
beforeAll(async () => {
  engine = await launchChromium();
});
afterAll(() => engine?.close());

test('code installed from the address of the site makes the first call', async () => {
  const { printed } = await makeFirstCall(engine, service, 'newcomer@example.com');
  expect(JSON.parse(printed)).toMatchObject({ hasFace: true, faceCount: expect.any(Number) });
});
