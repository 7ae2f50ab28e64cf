/** Questions of integrators and operators in plain words, and the pages that respond to them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFind } from '../src/features/search/find';
import questions from './search-questions.json';

const SHOWN_FIRST = 3;
/** Some questions need more than words. */
const LEAST_FOUND = 59;

const find = createFind(JSON.parse(readFileSync(join(__dirname, '../public/search-index.json'), 'utf8')));
const firstFor = (question: string) =>
  find(question)
    .slice(0, SHOWN_FIRST)
    .map(({ url }) => url);
const pageOf = (url: string) => url.split('#')[0] ?? '';

test('the right page is among the first three results for 59 of 64 questions', () => {
  const missed = questions
    .map(({ question, pages }) => ({ question, pages, results: firstFor(question) }))
    .filter(
      ({ pages, results }) => !results.some((url) => pages.includes(url) || pages.includes(pageOf(url))),
    );
  expect(questions).toHaveLength(64);
  expect(missed.length > questions.length - LEAST_FOUND ? missed : []).toEqual([]);
});

test.each([
  ['RATE_LIMIT_EXCEEDED', /#rate-limit-exceeded$/],
  ['GATEWAY_ADMIN_PORT', /^\/docs\/operations\/configuration#gateway-gateway-admin-port$/],
  ['PresenzaGatewayAbsent', /^\/docs\/operations\/runbooks#presenzagatewayabsent$/],
  ['pricing', /^\/pricing$/],
  ['liveness pol', /^\/docs\/liveness-policies$/],
  ['iframe', /^\/docs\/web\/api-integration#embed-the-check$/],
  ['react native', /^\/support\/faq#platforms$/],
])('%s leads to its own section or page', (query, url) => {
  expect(firstFor(query)[0]).toMatch(url);
});

test('excerpts have no links back, dates of changes or other helps of a page', () => {
  const chrome = /Back to (?:Documentation|Products|Blog)|All documentation|Last updated|\d min read/;
  const results = questions.flatMap(({ question }) => find(question));
  expect(results.filter(({ text }) => chrome.test(text)).map(({ url }) => url)).toEqual([]);
});

test('a query without a word finds nothing', () => {
  expect(find(' ?! ')).toEqual([]);
});
