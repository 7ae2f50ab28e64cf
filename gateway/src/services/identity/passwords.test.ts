import * as common from '@zxcvbn-ts/language-common';
import { breachedIn, Passwords, passwordLength } from './passwords';

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

test.each([
  ['64 characters', 'four wholly unrelated words and then some more of them to fill 64'],
  ['characters outside of ASCII', '苹果 香蕉 樱桃 葡萄 사과 バナナ'],
  ['one kind of character', 'otterhandlebarviolinpear'],
  ['symbols of two units each', '🦊🐙🌵🎻🧭🪁🍋🦉🪵🧶🛶🪐'],
])('a password of %s is allowed', (_kind, password) => {
  expect(() => passwords.check(password, 'ana@example.com')).not.toThrow();
});

test('all common and breached passwords of the list are refused, and words of the service and the person', () => {
  const { 'passwords-common': list = [] } = common.dictionary as unknown as Record<string, string[]>;
  const long = list.filter((password) => password.length >= passwordLength.least);
  expect(list.length).toBeGreaterThan(10_000);
  expect(long.length).toBeGreaterThan(100);
  for (const password of [...long, 'presenza-presenza', 'ana.example.com']) {
    expect(() => passwords.check(password, 'ana@example.com')).toThrow('too easy');
  }
  const checked = new Passwords(breachedIn(['Otter Handlebar Violin', 'short']));
  expect(() => checked.check('otter handlebar violin', '')).toThrow('too easy');
});

test('more than 16 at once are refused as overload', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.hash('x')));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
});

test('an unknown user takes as long as a wrong password', async () => {
  const hashed = await passwords.hash('correct horse battery');
  // Processor time of all threads, which other programs on the machine do not change.
  const time = async (hashed: string | undefined) => {
    const begin = process.cpuUsage();
    await passwords.matches('a guess', hashed);
    return process.cpuUsage(begin).user;
  };
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < 15; i++) {
    times.known.push(await time(hashed));
    times.unknown.push(await time(undefined));
  }
  expect(median(times.unknown) / median(times.known)).toBeGreaterThan(0.5);
  expect(median(times.unknown) / median(times.known)).toBeLessThan(2);
});
