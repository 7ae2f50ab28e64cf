/**
 * The code of all pages and READMEs, run as pasted against the real service. The samples of the reference's operations
 * are in ../reference/samples.slow.test.ts, and the contract's examples in gateway/test/examples.test.ts.
 *
 * Slow: it runs every command of the documentation against a real service.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectCommand } from '../../../deploy/local/start/summary.mjs';
import {
  isDownload,
  isShellRequest,
  isShellResponse,
  isWebhook,
  isWithoutRequest,
  ROOT,
  type Sample,
  samples,
} from './blocks';
import { elsewhere, isOf, ownBackend } from './elsewhere';
import { libraryScripts } from './library-scripts';
import { pageScripts } from './page-scripts';
import { type Reader, startReader } from './reader';
import type { Body } from './shell';

const scripts = [...pageScripts, ...libraryScripts];
let reader: Reader;
beforeAll(async () => {
  reader = await startReader();
});
afterAll(() => reader.stop());

/** Flags and counts are equal, other values have the type of the sample. A list may have more entries than it shows. */
function formOf(shown: Body): Body {
  if (typeof shown === 'boolean' || Number.isInteger(shown)) return shown;
  if (Array.isArray(shown)) return expect.arrayContaining(shown.map(formOf));
  if (typeof shown !== 'object' || shown === null) return expect.any(Object(shown).constructor);
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, formOf(value)]));
}

const pages = [...new Set(samples.filter(isShellRequest).map(({ file }) => file))];
test.each(pages)('the commands of %s succeed and print the responses that it shows', async (file) => {
  const shown = samples.filter(
    (sample) => sample.file === file && (isShellRequest(sample) || isShellResponse(sample)),
  );
  const responses = await reader.run(shown.filter(isShellRequest).map(({ code }) => code));
  expect(responses.flat()).not.toEqual([]);
  for (const response of responses.flat()) expect(response).toMatchObject({ success: true });
  let request = -1;
  for (const sample of shown) {
    if (isShellRequest(sample)) request++;
    else expect(responses[request]).toEqual([formOf(JSON.parse(sample.code))]);
  }
});

test('the request that `npm start` prints works', async () => {
  const command = detectCommand({ gatewayUrl: reader.apiUrl, key: reader.apiKey });
  expect(await reader.run([command])).toEqual([[expect.objectContaining({ success: true })]]);
});

test('the quick start shows the webhook that its session leads to', () => {
  const shown = samples.filter(isWebhook).map(({ code }) => formOf(JSON.parse(code)));
  expect([JSON.parse(reader.webhook.body)]).toEqual(shown);
});

test.each(scripts)('$file: the code with "$excerpt" works', async ({ replay, ...script }) => {
  const [sample, ...others] = samples.filter((candidate) => isOf(candidate, script));
  expect(others).toEqual([]);
  await replay(sample?.code ?? '', reader);
});

test('every sample is replayed, or listed with a reason', () => {
  const kinds = [isDownload, isShellRequest, isShellResponse, isWebhook, isWithoutRequest];
  const waysOf = (sample: Sample) => [
    ...kinds.filter((isOfKind) => isOfKind(sample)),
    ...[...scripts, ...elsewhere].filter((entry) => isOf(sample, entry)),
  ];
  expect(samples.filter((sample) => waysOf(sample).length !== 1)).toEqual([]);
  for (const entry of elsewhere) expect(samples.filter((sample) => isOf(sample, entry))).not.toEqual([]);
});

test('no sample of an app sends the API key', () => {
  const entries = elsewhere.filter(({ reason }) => reason === ownBackend);
  for (const { code } of samples.filter((sample) => entries.some((entry) => isOf(sample, entry))))
    expect(code).not.toMatch(/API_KEY|Authorization|Bearer/);
});

test('texts in JSON contain no samples of their own', () => {
  const content = join(ROOT, 'web/content');
  const files = readdirSync(content, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.json') && !file.startsWith('samples/'),
  );
  const withSamples = files.filter((file) =>
    /\bcurl |Bearer |\\"success\\"|fetch\(/.test(readFileSync(join(content, file), 'utf8')),
  );
  expect(withSamples).toEqual([]);
});
