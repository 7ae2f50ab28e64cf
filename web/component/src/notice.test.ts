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
    en: 'f65f96996d2a9824a87e65a6fc9210fab86e243182ebd99893efbd4880b61e35',
    es: '3c0abeb6812f8d2f73240f4339859401f44d6811e2fbae698d1d355699b109b6',
    fr: '0b8d789c1baff95f864e28d31efb2f4becfb8c9acec6a98647e0afd18af67718',
    de: '9c149eb58e6629275c38454a5ec24ed97a54ffe042ee6717d41328a8b8921a8b',
    pt: '46324e99e979bf7bb95f90ed4eabcfd4e8cde6ee6c086308601a7f51f082c630',
    ar: '12a7e37b9d0e2dc932825bcb7effbb77db557019d2c2487984cd7293d12238c9',
    hi: '161e87b884463b96efe67ba62975c3e0dcb7b4116e2b8b7bd1630a1ca6e9608e',
    ja: '9cdb328904a8d76077eb735db2fda9e4848877b529a1c560fc9f44d4f260ec46',
    'zh-Hans': '38c7689248f00fa76e9ba945a6409ab897fe00e2be703fc7199b670ecf054057',
  },
};

describe.each(readdirSync(FOLDER))('the consent text of %s', (file) => {
  const words: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  const { askedBy, askedBySomebody, sender, consent, alternative } = words;
  const { notice, missing: _missing, action: _action, ...said } = consent;

  test('matches its version', () => {
    const text = JSON.stringify({ askedBy, askedBySomebody, sender, ...said, alternative });
    expect(versions[notice]?.[words.locale]).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('has a version that is valid for consent records', () => {
    expect(notice).toMatch(/^[\w.:-]{1,64}$/);
  });
});
