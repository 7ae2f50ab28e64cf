/**
 * Finds the numbers on a page that are claims, and checks their evidence.
 *
 * A number is a claim if it states a quality, speed, frequency, amount, count or duration. Its evidence:
 * it is filled in from the contract, a measurement or a package (`{maxFaces}` in content), rendered from such data
 * (`data-source` on the element), labeled as a target, or listed in content/constants.json with its source. Numbers
 * that are no claims match NO_CLAIMS. All other numbers are reported with their sentences.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import claims from '../content/claims.json';
import { constants } from '../content/constants.json';
import { callInNode } from './call-in-node';

const CONTENT = join(__dirname, '..', 'content');
/** Replaces a number with evidence, or code. */
const KNOWN = '◆';

const MONTH = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';

/** Numbers that are names or ordinals. Each pattern is as narrow as possible. */
const NO_CLAIMS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a heading or step in its order', /^\d{1,2}\. /g],
  ['a drawing in its order', /^Fig\. \d(?=\p{Lu})/gu],
  ['a reference to one of these', /\b(?:sections?|steps?) \d+(?:(?:, | and )\d+)*/gi],
  ['an article of a law', /\b(?:Art\.|Sec\.) \d+(?:\(\w\))?(?: (?:and|to) \d+)?|\b740 ILCS 14\b/g],
  [
    'a date',
    new RegExp(
      `\\d{1,2} ${MONTH} \\d{4}|${MONTH} (?:\\d{1,2}, )?\\d{4}|\\d{1,2}/\\d{1,2}/\\d{4}|\\d{4}-\\d{2}-\\d{2}`,
      'g',
    ),
  ],
  ['a year or the first of a month', /© \d{4}(?:–(?:\d{4}|\{year\}))?|end of \d{4}|\bthe 1st\b/g],
  [
    'a standard',
    /\b(?:ISO(?:\/IEC)? \d+(?:-\d+)?|CEN\/TS \d+|RFC \d+|WCAG \d[\d., ]*\d|OpenAPI 3\.\d|SOC 2|OWASP ASVS \d\.\d\.\d|NIST SP 800-63B)\b/g,
  ],
  ['an address for documentation', /\b192\.0\.2\.\d+(?:\/\d+)?/g],
  ['the portrait of a demo', /\b(?:ada|ben)-\d\b|, portrait \d\b/g],
  ['the name of a set', /\bAgeDB-30\b/g],
  ['a list of threats', /\bOWASP API Security Top 10, 2023\b/g],
  ['an algorithm or protocol', /\b(?:SHA|AES|UTF)-\d+|\bHTTP\/1\.1\b/g],
  ['statuses of HTTP', /\b[1-5]xx\b|\bstatus from 200 to 299\b/g],
  [
    'a status of HTTP',
    /\b(?:status|[Aa]nswer(?:s|ed)?|with|get|got|or) (?:200|40[0-9]|41[0135]|4[23][29]|431|50[0134])(?=[.,?;)]|$| ◆| \(| (?:or|with|until|and the|for) )/g,
  ],
  ['the title of a test, which is evidence itself', /^◆: “[^”]*”/g],
  ['an error code of a GPU', /\bXid \d+(?:, \d+)*/g],
  ['a port', /\b[Pp]orts? (?:other than )?\d{3,5}(?:(?:, | and | or |, such as )\d{3,5})*\b/g],
  ['a port of our own', /\b(?:9100|9180|9181)\b/g],
  [
    'a percentile, or a level of confidence',
    /\b95th percentiles?\b|\b95 ?% (?:(?:interval|upper bound|lower bound)\b|of its)/g,
  ],
  ['a spare', /\(N\+1\)/g],
  ['when to call for help', /^Escalate (?:when|after|with) [^.:]*/g],
];

/** Digits that are not part of a name such as p95, and number words before a unit. */
const NUMBER =
  /(?<![\p{L}\d])\d(?:[\d.,]*\d)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand)[- ](?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|times)\b|\b(?:hundred|thousand) (?:images?|requests?|faces)\b|\bhalf (?:a|an) (?:second|minute|hour|day)\b|\bzero (?:false|errors?|downtime)\b|\b(?:three|four|five) nines\b/giu;

/**
 * The description and the texts of a page, one for each paragraph, cell or heading. A mark replaces content that has
 * evidence in its markup.
 */
export const textsOf = (browser: Page, html: string): Promise<string[]> =>
  browser.evaluate(
    ([source, known]) => {
      const PROVEN = 'pre, code, svg, time, [data-source], [data-target], [data-fact]';
      const INLINE = new Set('A ABBR B BR CODE EM I S SMALL SPAN STRONG SUB SUP TIME VAR'.split(' '));
      const texts: string[] = [];
      const read = (element: Element): string => {
        let run = '';
        for (const node of element.childNodes) {
          if (node.nodeType === Node.TEXT_NODE) run += node.textContent;
          if (!(node instanceof Element) || node.matches('script, style, template')) continue;
          const isInline = INLINE.has(node.tagName);
          const text = node.matches(PROVEN) ? known : read(node);
          if (isInline) run += text;
          else {
            texts.push(run, text as string);
            run = '';
          }
        }
        return run;
      };
      const page = new DOMParser().parseFromString(source as string, 'text/html');
      texts.push(page.querySelector<HTMLMetaElement>('meta[name=description]')?.content ?? '');
      texts.push(read(page.body));
      return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
    },
    [html, KNOWN],
  );

/** The numbers without evidence, each with its text. */
export const unproven = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    [...withoutKnown(text).matchAll(NUMBER)].map(([number]) => `${number} in: ${text}`),
  );

function withoutKnown(text: string): string {
  let rest = text;
  for (const template of TEMPLATES) rest = filledIn(template, text) ?? rest;
  for (const { says } of constants) rest = rest.replaceAll(says, KNOWN);
  for (const target of TARGETS)
    rest = rest.replaceAll(`target: ${target}`, KNOWN).replaceAll(`Target: ${target}`, KNOWN);
  for (const [, pattern] of NO_CLAIMS) rest = rest.replace(pattern, KNOWN);
  return rest;
}

/** Targets of the specification in the texts of claims. Pages show them with a label. */
const TARGETS = claims.groups.flatMap((group) =>
  group.claims.flatMap((claim) => ('target' in claim && claim.target ? claim.target.text : [])),
);

/** The facts for content. */
const FACTS: Readonly<Record<string, string>> = callInNode('gatsby/facts.mjs', 'readAllFacts');

/** Minimum letters of a template, since a shorter one would match nearly every text. */
const LEAST_LETTERS = 12;

/** Sentences of content with placeholders, whose values come from data. */
const TEMPLATES = contentStrings()
  .filter((text) => text.includes('{'))
  .filter((text) => (text.replace(/\{\w+\}/g, '').match(/\p{L}/gu) ?? []).length >= LEAST_LETTERS)
  .map((text) => {
    const template = text.replace(/`[^`]*`/g, KNOWN);
    const pattern = template
      .split(/(\{\w+\})/)
      .map((part) => (/^\{\w+\}$/.test(part) ? patternFor(part.slice(1, -1)) : literally(part)));
    return { masked: template.replace(/\{\w+\}/g, KNOWN), pattern: new RegExp(`^${pattern.join('')}$`) };
  });

/** @returns the text with marks in place of the template's values; undefined if it does not match */
const filledIn = ({ masked, pattern }: (typeof TEMPLATES)[number], text: string) =>
  pattern.test(text) ? masked : undefined;

/** A fact has one value. Other placeholders match any text within a sentence. */
function patternFor(name: string) {
  const fact = FACTS[name];
  return fact === undefined ? '(?:(?![.!?] ).){1,160}?' : literally(fact);
}

function literally(text: string) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The texts of content JSON except addresses, and the titles and descriptions of MDX. */
export function contentStrings(only?: string): string[] {
  const strings: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') strings.push(...(/^\/\S*$/.test(value) ? [] : [value]));
    else if (value && typeof value === 'object') Object.values(value).forEach(visit);
  };
  const files = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((candidate) => only === undefined || candidate === only)) {
    const text = /\.(?:json|mdx)$/.test(file) ? readFileSync(join(CONTENT, file), 'utf8') : '';
    if (file.endsWith('.json')) visit(JSON.parse(text));
    strings.push(...[...text.matchAll(/^(?:title|description): (.+)$/gm)].map(([, value = '']) => value));
  }
  return strings;
}
