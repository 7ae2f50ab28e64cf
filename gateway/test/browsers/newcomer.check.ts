/**
 * A newcomer without the repository in each engine: from the home page to a first call, with the code that the site offers.
 * It prints the time that this takes.
 */
import { makeFirstCall } from '../../../web/test/newcomer/newcomer';
import { type Service, startService } from '../../harness/index.mjs';
import { sharedTierUrl } from '../shared-tier';
import { launchChromium } from './chromium';
import { launchFirefox } from './firefox';
import { launchWebKit } from './webkit';

let service: Service;
beforeAll(async () => {
  service = await startService({
    site: true,
    siteHost: 'localhost',
    inferenceUrl: sharedTierUrl(),
    gatewayEnv: { CONSOLE: 'on' },
  });
});
afterAll(() => service?.stop());

test.each([
  ['chromium', launchChromium],
  ['firefox', launchFirefox],
  ['webkit', launchWebKit],
] as const)('%s leads a newcomer to the first call', async (name, launch) => {
  const engine = await launch();
  try {
    const { printed, seconds } = await makeFirstCall(engine, service, `${name}@example.com`);
    expect(JSON.parse(printed)).toMatchObject({ hasFace: true, faceCount: expect.any(Number) });
    process.stdout.write(`${engine.version}: ${seconds.toFixed(1)} s from the home page to the response\n`);
  } finally {
    await engine.close();
  }
});
