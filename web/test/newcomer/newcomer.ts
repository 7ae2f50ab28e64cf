/**
 * A newcomer without the repository, in any browser: from the home page to an account, a key, and a first call by the
 * client library that the site itself offers. Every command and program is read off the pages.
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_PHOTO } from '../../../gateway/harness/cli/paths.mjs';
import {
  mailedLink,
  password,
  removeFolder,
  runToEnd,
  type Service,
  temporaryFolder,
  waitUntil,
} from '../../../gateway/harness/index.mjs';
import type { Engine } from '../../../gateway/test/browsers/engine';
import consentTexts from '../../content/consent.json';
import homeTexts from '../../content/console/home.json';
import peopleTexts from '../../content/console/people.json';
import navigation from '../../content/navigation.json';

const { texts: home } = homeTexts;
const { texts: people } = peopleTexts;

/** Functions that run in the page. Each returns nothing until the page has what it looks for. */
const CLICK = `({ selector, text }) => {
  const element = [...document.querySelectorAll(selector)].find(
    (candidate) => candidate.getClientRects().length > 0 && candidate.textContent.trim() === text,
  );
  if (!element || element.disabled) return null;
  element.click();
  return true;
}`;
const FILL = `({ label, value }) => {
  const input = [...document.querySelectorAll('label')].find((each) => each.textContent.trim().startsWith(label))?.control;
  if (!input) return null;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}`;
const ADDRESS = `(text) => [...document.links].find((link) => link.textContent.trim() === text)?.href ?? null`;
const MATCH = `(pattern) => new RegExp(pattern).exec(document.body.innerText)?.[0] ?? null`;
const CODE = `(pattern) =>
  [...document.querySelectorAll('pre')].map((block) => block.textContent).find((code) => new RegExp(pattern).test(code)) ?? null`;

export interface FirstCall {
  /** The output of the documentation's program. */
  readonly printed: string;
  /** From the home page to the response. */
  readonly seconds: number;
}

/** @throws Error with the output if a command fails */
export async function makeFirstCall(engine: Engine, service: Service, email: string): Promise<FirstCall> {
  const start = performance.now();
  const see = async (what: string, source: string, argument: unknown): Promise<string> =>
    String(await waitUntil(`the page has ${what}`, () => engine.run(source, argument), { intervalMs: 50 }));
  const click = (text: string) => see(`the button ${text}`, CLICK, { selector: 'button', text });
  const type = (label: string, value: string) => see(`the field ${label}`, FILL, { label, value });

  await engine.open(service.siteUrl);
  await click(consentTexts.necessaryOnly);
  await engine.open(await see('a link to sign up', ADDRESS, navigation.signUp.label));
  await type(people.email, email);
  await click(people.signUp.action);
  await engine.open(await mailedLink(service, email));
  await type(people.newPassword.label, password);
  await click(people.confirm.action);
  await click(home.key.action);
  const apiKey = await see('a key', MATCH, String.raw`\bpresenza_test_\w{36}\b`);
  const apiUrl = await see('the address of the API', MATCH, String.raw`http\S+(?=/detect)`);

  await engine.open(`${service.siteUrl}/docs/get-started`);
  const install = await see(
    'the command that installs the library',
    CODE,
    '^npm install .*/downloads/presenza-',
  );
  const program = await see('the program', CODE, "from 'presenza'");
  const folder = temporaryFolder();
  try {
    copyFileSync(SAMPLE_PHOTO, join(folder, 'photo.jpg'));
    writeFileSync(join(folder, 'detect.mjs'), program);
    // The site was built for another address than the one that serves it here.
    const command = install.replace(/http\S+(?=\/downloads\/)/, service.siteUrl);
    const env = { API_URL: apiUrl, API_KEY: apiKey, npm_config_audit: 'false', npm_config_fund: 'false' };
    const { code, stdout, stderr } = await runToEnd(
      'bash',
      ['-ec', `${command.trim()} >&2\nnode detect.mjs`],
      {
        cwd: folder,
        env,
      },
    );
    if (code !== 0) throw new Error(`The commands end with ${code}: ${stdout}${stderr}`);
    return { printed: stdout, seconds: (performance.now() - start) / 1000 };
  } finally {
    removeFolder(folder);
  }
}
