/** Consent records contain a version: a changed consent text needs a new version, which must be added here. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type english from '../../content/verify/en.json';

const FOLDER = join(__dirname, '../../content/verify');

/** SHA-256 of the text of each version, so that records of any age can be verified. */
const versions: Readonly<Record<string, string>> = {
  'hosted-2026-11-21': 'b307e6e336ce79e36986daa932c3e69f8aec11e19ecfc17e13989127b1c137f0',
  'hosted-2026-11-22': '75ec11b9fc65ec439e740e7cbf84f92d45b6615f97e50920731bbb6285585f6c',
  'hosted-2026-11-23': '2ba7adc7bc60151d8f4c742c054ce61182cc206d082e1a9182c29787554d35d7',
};

describe.each(readdirSync(FOLDER))('the consent text of %s', (file) => {
  const words: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  const { askedBy, askedBySomebody, sender, consent } = words;
  const { notice, missing: _missing, action: _action, ...said } = consent;

  test('matches its version', () => {
    const text = JSON.stringify({ askedBy, askedBySomebody, sender, ...said });
    expect(versions[notice]).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('has a version that is valid for consent records', () => {
    expect(notice).toMatch(/^[\w.:-]{1,64}$/);
  });
});
