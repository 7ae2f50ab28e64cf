import { Passwords } from './passwords';

const passwords = new Passwords();
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

test('a hash is argon2id at the cost that OWASP names, and matches only its password', async () => {
  const hashed = await passwords.hash('correct horse battery');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.matches('correct horse battery', hashed)).toBe(true);
  expect(await passwords.matches('correct horse batter', hashed)).toBe(false);
  expect(await passwords.matches('', undefined)).toBe(false);
});

test('the same characters in another form of Unicode match', async () => {
  const hashed = await passwords.hash('caf\u00e9 au lait noir');
  expect(await passwords.matches('cafe\u0301 au lait noir', hashed)).toBe(true);
});

test('more than 16 at once are refused as overload', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.hash('x')));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
});

test('an unknown user takes as long as a wrong password', async () => {
  const hashed = await passwords.hash('correct horse battery');
  const time = async (of: string | undefined) => {
    const begin = performance.now();
    await passwords.matches('a guess', of);
    return performance.now() - begin;
  };
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < 15; i++) {
    times.known.push(await time(hashed));
    times.unknown.push(await time(undefined));
  }
  expect(median(times.unknown) / median(times.known)).toBeGreaterThan(0.5);
  expect(median(times.unknown) / median(times.known)).toBeLessThan(2);
});
