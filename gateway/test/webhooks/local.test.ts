/** Receivers on the gateway's own machine: for an account whose operator allows them, and for no other. */
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { type Deployment, deploy, happen, newEvent, until } from './deployment';
import { type Receiver, startReceiver } from './receiver';

let store: RunningServer;
let deployment: Deployment;
let receiver: Receiver;

beforeAll(async () => {
  store = await startRedis();
  deployment = await deploy(store.url, { guard: new AddressGuard({}) });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await deployment.stop();
  await store.stop();
});

/** A new account and whether an operator allows it local receivers. */
async function accountOf(localWebhooks: boolean): Promise<string> {
  const id = await deployment.account();
  await deployment.keys.updateAccount(id, { localWebhooks });
  return id;
}

const local = ['127.0.0.1', '127.8.9.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'a.localhost'];
const never = ['10.0.0.1', '169.254.169.254', '0.0.0.0', '[::]', '[fd00::1]'];

test.each([
  ...local.map((host) => ({ host, developer: true, customer: false })),
  ...never.map((host) => ({ host, developer: false, customer: false })),
  { host: 'shop.example', developer: true, customer: true },
])('an endpoint at $host: developer $developer, customer $customer', async ({ host, ...allowed }) => {
  const url = `https://${host}:9181/accounts`;
  for (const [person, isAllowed] of Object.entries(allowed)) {
    const account = await accountOf(person === 'developer');
    const { endpoint } = await deployment.endpoint(account, 'https://shop.example/hook');
    const results = await Promise.allSettled([
      deployment.endpoint(account, url),
      deployment.admin.update(account, endpoint.id, { url }),
    ]);
    const status = isAllowed ? 'fulfilled' : 'rejected';
    expect([person, ...results.map((result) => result.status)]).toEqual([person, status, status]);
  }
});

test.each(['127.0.0.1', 'localhost'])(
  'events and samples no longer reach http://%s once the permission is withdrawn',
  async (host) => {
    const account = await accountOf(true);
    const { endpoint } = await deployment.endpoint(account, receiver.url.replace('127.0.0.1', host));
    const { id } = endpoint;
    const deliver = async () => {
      const { eventId } = await happen(deployment.redis, newEvent(account));
      return until(
        async () => (await deployment.log.list(account, { limit: 1, eventId })).items[0],
        (record) => record !== undefined && record.attempts > 0,
      );
    };
    expect(await deployment.deliveries.test(account, id)).toMatchObject({ status: 200 });
    expect(await deliver()).toMatchObject({ state: 'delivered' });
    const before = receiver.all.length;
    await deployment.keys.updateAccount(account, { localWebhooks: false });
    expect(await deployment.deliveries.test(account, id)).toMatchObject({ failure: 'address' });
    expect(await deliver()).toMatchObject({ failure: 'address' });
    expect(receiver.all).toHaveLength(before);
  },
);
