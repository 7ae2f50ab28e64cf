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
    en: 'cf05c7754158700258e9cc1989cf4edc79fd8b2bf49bef3bba50ce0b734aa597',
    es: '44ba7ae20b545777e5cca4afd736ad547f148e7ed155a2dcd15fe1b3abd0a129',
    fr: 'da8d4fe9cf9fa62cbadf43885c1614852284295d51e3fca2276159eb09d323d2',
    de: '36401aefcbca3e36d3f861de4525802115ff876dd720bfa5dc60c8c4fdc54900',
    pt: '816b40f107533f9bd994544a03901a5b15be6a9b2a58d9b8dd431185f6345586',
    ar: '4266416839acec8e6b5faaa8b13a6163f90d03e36922d2d79786315c39aeb8d9',
    hi: '4707c7f932505f612377038c745ce742596f96a17b84ee3ec0b2be3666bf87a8',
    ja: '760cc6c77134ab27f75b269aba5328d3856bd14713d594efbfc5a5a93b20ae34',
    'zh-Hans': '94bd4f43b1ee39913d1aea7f0bdc1c1623f3d438d98adbe80fc3f1e05002cb94',
  },
  'hosted-2026-11-24': {
    en: '839d6b045afbceb77df304b2ccc808e3019639f14d06d39c6edaaeb0d288e416',
    es: '37fa105ef7aef291d36e9453b65f22596cc116e61c7af03ed576f888faab27ea',
    fr: '21cf86b7f6ff72be8d17b7220276aacdeeffb187a2874583fe96f1e1aebb5ab7',
    de: '77eb6f88a6c7f8427df7fa83c0fd700364738eb2dbb6eaadc2ac7cf6f72caa0a',
    pt: 'e11b13c65582542189fb2de3b4c4bd56c005ac674dcfcd9c07ed3c973dcc21f0',
    ar: '288c533e3304c1d5cae467991c76727cb4bd54fac3f4f23118cbbcb6890bbe78',
    hi: '59e32e3a25da150b08ab14f1a57a5c9549b545242ca77c97164ca5341db26558',
    ja: '92aeef197ccbf2b989eed4e87dff32abcf899be1d78299a95a4add3181d7f81c',
    'zh-Hans': 'dd2682e87a14e33f8132eeed2e7ee3d165421915018ce5edc275238818de8b58',
  },
  'hosted-2026-11-29': {
    en: '37922772e6c985b8e320bdd49a07d4112105cc598039b7a1722354f45763888c',
    es: 'f6a4999e2b8a627a3cc64069c197a30e37db698798fcb0875a4db9be5e9af397',
    fr: 'a3d79b2ea9e2cb10c724a2f53f1762707275aed0a5a435b9711c18ca8f2a3234',
    de: '40b03f434e1f2083ec1ce5462f6cc5342e2520b7c005f1b1d9498b5a7c7f26ab',
    pt: 'd3e4f50907444a98863e6a04b6489cd0f761ba20f54e5da01b21a16d0a3c5bb0',
    ar: '5c13eb7318d325d8b200db6e6063b95fecc09bb13d86fb402a0d8cef5f0a5d60',
    hi: 'e74c8035f22d094d1af4b00f4ccbdb9cc5068b7b6b2696438cef8118ce5d9a4f',
    ja: 'd8c01a007deaf74792c9f3cf8d0300204638e4bd4a0bc991b0250b8fd152763c',
    'zh-Hans': '26100d93be4e4a78e93fa3e00a1572fdf08938cee12e26ba4bb13ed53e8ee604',
  },
};

describe.each(readdirSync(FOLDER))('the consent text of %s', (file) => {
  const texts: typeof english = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  const { askedBy, askedBySomebody, sender, consent, light, alternative } = texts;
  const { notice, missing: _missing, action: _action, ...said } = consent;

  test('matches its version', () => {
    const text = JSON.stringify({ askedBy, askedBySomebody, sender, ...said, light, alternative });
    expect(versions[notice]?.[texts.locale]).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('has a version that is valid for consent records', () => {
    expect(notice).toMatch(/^[\w.:-]{1,64}$/);
  });
});
