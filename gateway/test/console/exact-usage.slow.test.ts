/**
 * Usage under load: two gateways on one Redis, several keys, failures and repetitions among the requests.
 *
 * Slow: hundreds of concurrent calls have to be counted exactly.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/http/app';
import { endOf, monthOf } from '../../src/services/metering/months';
import { connectRedis } from '../../src/stores/redis';
import { keepOpen, realServices } from '../services';
import { noFaces, tierThatDetects } from '../stand-in';
import { ConsoleGateway } from './console-gateway';

const month = monthOf(Date.now());
const requestsPerKey = 90;
const inBatch = 4;

interface Reply {
  readonly data: { readonly results: readonly { readonly status: number }[] };
}

test('the console, the ledger, its verification and the invoice have the same figures as the responses', async () => {
  let now = Date.now();
  let calls = 0;
  // One analysis of five fails, on either gateway.
  const detect = async () => (++calls % 5 === 0 ? Promise.reject(new Error('a defect')) : (noFaces as never));
  const console = await ConsoleGateway.start(() => now, { detect });
  const redis = await connectRedis({ url: console.gateway.redisUrl, cluster: false }, () => {});
  const second = createServer(keepOpen, createApp(realServices(redis, tierThatDetects(detect)))).listen(
    0,
    '127.0.0.1',
  );
  await once(second, 'listening');
  try {
    const { browser, accountId } = await console.person('load@example.com');
    const path = `/accounts/${accountId}`;
    const most = 1_000_000;
    await console.gateway.services.keys.updateAccount(accountId, {
      plan: 'growth',
      overrides: {
        burst: { limit: most, windowSeconds: 1 },
        concurrency: most,
        quota: { imageAnalysis: 300 },
      },
    });
    const modes = ['live', 'live', 'live', 'test'] as const;
    const urls = [console.gateway.url, `http://127.0.0.1:${(second.address() as AddressInfo).port}`];
    const succeeded = { live: 0, test: 0 };
    const image = 'data:image/jpeg;base64,/9j/4AAQSkZJRg==';

    async function call(bearer: string, mode: 'live' | 'test', i: number) {
      const isBatch = i % 3 === 0;
      const operations = Array.from({ length: inBatch }, (_, n) => ({
        id: `${n}`,
        operation: 'detect',
        body: { image },
      }));
      const post = async (url: string) => {
        const response = await fetch(`${url}/${isBatch ? 'batch' : 'detect'}`, {
          method: 'POST',
          body: JSON.stringify(isBatch ? { operations } : { image }),
          headers: {
            authorization: `Bearer ${bearer}`,
            'content-type': 'application/json',
            'idempotency-key': `${bearer.slice(-8)}-${i}`,
          },
        });
        return { status: response.status, body: (await response.json()) as Reply };
      };
      const { status, body } = await post(urls[i % 2] as string);
      if (status !== 200) return;
      succeeded[mode] += isBatch ? body.data.results.filter(({ status }) => status === 200).length : 1;
      // A repetition at the other gateway is not billed again.
      if (!isBatch && i % 4 === 0) await post(urls[(i + 1) % 2] as string);
    }

    await Promise.all(
      modes.map(async (mode, k) => {
        const { apiKey } = await browser.data('POST', `${path}/keys`, { name: `key ${k}`, mode });
        await Promise.all(Array.from({ length: requestsPerKey }, (_, i) => call(apiKey, mode, i)));
      }),
    );

    expect(succeeded.live).toBeGreaterThan(300);
    for (const mode of ['live', 'test'] as const) {
      const used = { livenessDetection: 0, imageAnalysis: succeeded[mode] };
      const read = () => browser.data('GET', `${path}/usage?mode=${mode}`);
      let usage = await read();
      // The gateway releases what failed operations reserved after its response.
      while (usage.productGroups.imageAnalysis.reserved > 0) usage = await read();
      expect(usage.productGroups.imageAnalysis).toMatchObject({ used: succeeded[mode], reserved: 0 });
      const [detection] = usage.products;
      const sum = (days: number[]) => days.reduce((all, units) => all + units, 0);
      expect([detection.used, sum(detection.daily)]).toEqual([succeeded[mode], succeeded[mode]]);
      expect(await browser.data('GET', `${path}/usage/verification?mode=${mode}`)).toMatchObject({
        matches: true,
        counters: used,
        ledger: used,
      });
    }
    const exported = await fetch(`${console.gateway.url}/console/api${path}/ledger`, {
      headers: { cookie: browser.cookie ?? '' },
    });
    const ledger = (await exported.text()).trim().split('\n');
    const commits = ledger.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'commit');
    for (const mode of ['live', 'test'] as const)
      expect(commits.filter((entry) => entry.mode === mode)).toHaveLength(succeeded[mode]);

    const { overageCost } = await browser.data('GET', `${path}/usage`);
    now = endOf(month) + 2 * 86_400_000;
    await console.run('invoices');
    now = Date.now();
    const { lines } = await browser.data('GET', `${path}/invoices/${month}`);
    const [, , analyses] = lines;
    expect(analyses).toMatchObject({
      used: succeeded.live,
      quantity: succeeded.live - 300,
      amount: overageCost,
    });
  } finally {
    second.closeAllConnections();
    second.close();
    redis.disconnect();
    await console.stop();
  }
});
