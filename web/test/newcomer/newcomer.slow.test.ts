/**
 * A newcomer without the repository comes from the home page to a first call.
 *
 * Slow: it starts a whole service, signs up in a browser and installs a package.
 */
import { type Service, startService } from '../../../gateway/harness/index.mjs';
import type { Engine } from '../../../gateway/test/liveness/browsers/engine';
import { sharedTierUrl } from '../../../gateway/test/shared-tier';
import { launchChromiumEngine } from './chromium-engine';
import { makeFirstCall } from './newcomer';

/** More than ten times of what it takes on an idle machine. */
const MAX_SECONDS = 120;

let service: Service;
beforeAll(async () => {
  service = await startService({
    site: true,
    inferenceUrl: sharedTierUrl(),
    gatewayEnv: { CONSOLE: 'on' },
  });
});
afterAll(() => service?.stop());

describe.each([['Chromium', launchChromiumEngine]])('in %s', (_, launch) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await launch();
  });
  afterAll(() => engine?.close());

  test('code installed from the address of the site makes the first call', async () => {
    const { printed, seconds } = await makeFirstCall(engine, service, 'newcomer@example.com');
    expect(JSON.parse(printed)).toMatchObject({ hasFace: true, faceCount: expect.any(Number) });
    expect(seconds).toBeLessThanOrEqual(MAX_SECONDS);
  });
});
