import { QueryObserver } from '@tanstack/react-query';
import { CallError } from './api';
import { createQueryClient, forgetPerson, settingsQueryKey } from './query-client';

const keys = ['/accounts/{account}/keys', { path: { account: 'a' } }];

test('another person finds the settings, and no data of the person before', () => {
  const client = createQueryClient();
  client.setQueryData(settingsQueryKey, 'settings');
  client.setQueryData(keys, ['key']);
  forgetPerson(client);
  expect(client.getQueryData(settingsQueryKey)).toBe('settings');
  expect(client.getQueryData(keys)).toBeUndefined();
});

/** Shows data that the API refuses, and counts how often the console asks for them and for the settings. */
async function refused(code: string) {
  const client = createQueryClient();
  const readSettings = jest.fn(async () => 'settings');
  const readKeys = jest.fn(async () => Promise.reject(new CallError(code, 'Refused')));
  const close = new QueryObserver(client, { queryKey: settingsQueryKey, queryFn: readSettings }).subscribe(
    () => {},
  );
  await client.refetchQueries({ queryKey: settingsQueryKey });
  const before = readSettings.mock.calls.length;
  await client.fetchQuery({ queryKey: keys, queryFn: readKeys }).catch(() => {});
  close();
  return { settings: readSettings.mock.calls.length - before, keys: readKeys.mock.calls.length };
}

test('a sign-in that has ended leads to the settings, and no refusal repeats its call', async () => {
  expect(await refused('SIGNED_OUT')).toEqual({ settings: 1, keys: 1 });
  expect(await refused('UNREACHABLE')).toEqual({ settings: 0, keys: 1 });
});
