/** Consent records contain a version: a changed consent text needs a new version, which must be added here. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type english from '../../content/verify/en.json';

const FOLDER = join(__dirname, '../../content/verify');

/** SHA-256 of the text of each version by language, so that records of any age can be verified. */
const versions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'hosted-2026-11-21': { en: 'b307e6e336ce79e36986daa932c3e69f8aec11e19ecfc17e13989127b1c137f0' },
  'hosted-2026-11-22': { en: '75ec11b9fc65ec439e740e7cbf84f92d45b6615f97e50920731bbb6285585f6c' },
  'hosted-2026-11-23': {
    en: '5ffcde76c1caf4cc316c5ec9de40a817336e92defab178bf1d4538568729f6b3',
    es: '35241b164c9fc856c062b319768b5cb0dbf8cf00f4b1eb07b0dc514d4f1e0ed9',
    fr: '34a01714df5944974b5351d35fb905308140fcbbb00d84bda743d6adf54bfd76',
    de: '3bc51e7fd06b009efc60121507b4ef3304a6902eee4e661eb9a26d11c2058061',
    pt: 'a017961ca49bd6bb0f2846fe7858fed63eeb63ffdab389c795a61082d238a1e5',
    ar: 'f4319b7debe00242ac9eb6d04d0137f90f82a3a46d324b1ab83247431ec98100',
    hi: '26e2749f27ec9106d7499a1ca896c2f4e44ce9c5b2d770f01d2d7c5850bac91f',
    ja: '58ab89477904c2d591394bb55c6f425d4aede66f08473d258b9f690162ed8eeb',
    'zh-Hans': 'd36ca53087dcbdd97f744b1c79c79e3a185a13af614338f49212f6c63884ec94',
  },
};

describe.each(readdirSync(FOLDER))('the consent text of %s', (file) => {
  const words: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  const { askedBy, askedBySomebody, sender, consent, light, alternative } = words;
  const { notice, missing: _missing, action: _action, ...said } = consent;

  test('matches its version', () => {
    const text = JSON.stringify({ askedBy, askedBySomebody, sender, ...said, light, alternative });
    expect(versions[notice]?.[words.locale]).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('has a version that is valid for consent records', () => {
    expect(notice).toMatch(/^[\w.:-]{1,64}$/);
  });
});
