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
    en: '461484dabbcb544522a61a606e45f6b598f55258f512dcfbcc0f9413f291f6d4',
    es: '780e780e65f8d2db6093e2b88a4ec8c292d5184f0f734e061de033a2ff245698',
    fr: 'fb31ecb697027031ff03832bcc0884ee265043e403b6aea4a9530d2ca1e5e645',
    de: '166e08b0a50c70f641e2db4072109118be831fad365d7ad93431266c28a31df1',
    pt: '4fe63563c5eaeaf9ab9eca9fbefdef3eea54f7d7eb54380dab1dc56e1c1e9113',
    ar: '8675171d172c08ba0758f5d0237b1558d13c715b9770131bbe7b59abcc1fbff1',
    hi: '95ac4037dbe62d0ba5f18ff7b490a68cc6ab72c4ae8de4813b74ea38b56b15ea',
    ja: '874bad5c2031d9be1d2f02031908bf2acc9364416a48884c6feaea39ac47dd9b',
    'zh-Hans': '5faad301d7bebb3af2ebfd8a5ee534fd5c0000eef91974db8bdc51381c5c2f51',
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
