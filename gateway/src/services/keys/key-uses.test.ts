import { type KeyUseStore, KeyUses } from './key-uses';
import type { Principal } from './keys';

const keyOf = (keyId: string) => ({ accountId: 'acc_1', keyId }) as Principal;
let now = 1_000_000;

function usesWith(store: KeyUseStore): KeyUses {
  const keys = { authenticate: async (key: string) => (key === '' ? undefined : keyOf(key)) };
  return new KeyUses(keys, store, () => now);
}

test('the use of a key is noted once a minute, and that of no key never', async () => {
  const notes: [string, number][] = [];
  const uses = usesWith({ noteUse: async ({ keyId }, at) => void notes.push([keyId, at]) });
  const begin = now;
  for (const [key, laterMs] of [
    ['one', 0],
    ['one', 59_999],
    ['', 0],
    ['two', 0],
    ['one', 1],
  ] as const) {
    now += laterMs;
    await uses.authenticate(key, '192.0.2.1');
  }
  expect(notes).toEqual([
    ['one', begin],
    ['two', begin + 59_999],
    ['one', begin + 60_000],
  ]);
});

test('requests succeed while the store fails or does not respond, and few notes wait for it', async () => {
  const noteUse = jest.fn(() => new Promise<never>(() => {}));
  noteUse.mockReturnValueOnce(Promise.reject(new Error('unavailable')));
  const uses = usesWith({ noteUse });
  for (let i = 0; i < 200; i++) expect(await uses.authenticate(`key ${i}`, '192.0.2.1')).toBeDefined();
  expect(noteUse).toHaveBeenCalledTimes(101);
});
