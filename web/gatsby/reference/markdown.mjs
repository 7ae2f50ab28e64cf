/** Renders the API reference as Markdown, from the same data and text as the page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFacts } from '../facts.mjs';
import { fillFigures } from '../figures.mjs';
import { readReference } from './read-reference.mjs';
import { fill } from './words.mjs';

/**
 * @typedef {import('./read-reference.mjs').Reference} Reference
 * @typedef {Reference['operations'][number]} Operation
 * @typedef {import('./fields.mjs').Field} Field
 * @typedef {import('./examples.mjs').Example} Example
 */

const FRONTMATTER = /^---\n[\s\S]*?\n---\n/;
const TAG = /^<(\w+)((?: \w+="[^"]*")*) \/>$/gm;
/** Info strings of fenced blocks that differ from the names of the languages here. */
const FENCES = /** @type {Record<string, string>} */ ({ curl: 'sh', node: 'js' });

/** @param {string} content folder of the site's words */
export async function readReferenceMarkdown(content) {
  const [reference, facts, page] = await Promise.all([
    readReference({ content }),
    readFacts(),
    readFile(join(content, 'docs/api-reference.mdx'), 'utf8'),
  ]);
  return referenceMarkdown(reference, page, facts);
}

/**
 * @param {Reference} reference @param {string} page the MDX file @param {Record<string, string>} facts
 * @throws Error if the page uses an unknown component or operation
 */
function referenceMarkdown(reference, page, facts) {
  const title = /^title: (.*)$/m.exec(page)?.[1] ?? '';
  const description = /^description: (.*)$/m.exec(page)?.[1] ?? '';
  // Fills figures before the samples are inserted, since samples contain braces of their own.
  const text = fillFigures(page, facts)
    .replace(FRONTMATTER, '')
    .replace(TAG, (_, name, attributes) => {
      const write = PARTS[name];
      if (!write) throw new Error(`The reference uses <${name} />, which has no Markdown form.`);
      return write(reference, /="([^"]*)"/.exec(attributes)?.[1] ?? '');
    })
    .replace(/<code>(.*?)<\/code>/g, (_, code) => `\`${code.replaceAll('\\', '')}\``);
  return `# ${title}\n\n${description}\n${text}`;
}

/**
 * The Markdown of each component, by name.
 * @type {Record<string, (reference: Reference, argument: string) => string>}
 */
const PARTS = {
  Operations: ({ operations }) =>
    lines(operations.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`)),
  Operation: (reference, id) => {
    const operation = reference.operations.find(({ operationId }) => operationId === id);
    if (!operation) throw new Error(`The reference uses an operation that the contract lacks: ${id}.`);
    return operationText(operation, reference);
  },
  SessionCalls: (reference) =>
    reference.operations
      .filter(({ isSessionCall }) => isSessionCall)
      .map((operation) => operationText(operation, reference))
      .join('\n\n'),
  Fields: ({ schemas, words }, name) =>
    fieldsText(schemas.find((one) => one.name === name)?.members ?? [], words),
  Headers: ({ headers, words }) => fieldsText(headers, words),
  WebhookHeaders: ({ webhookHeaders, words }) => fieldsText(webhookHeaders, words),
  RateLimits: ({ plans, words }) =>
    lines([
      `| ${words.plans.plan} | ${words.plans.burst} | ${words.plans.concurrency} |`,
      '|---|---|---|',
      ...plans.map(
        ({ displayName, limits }) =>
          `| ${displayName} | ${fill(words.plans.burstValue, limits.burst)} | ${limits.concurrency} |`,
      ),
    ]),
  Events: ({ webhooks, words }) =>
    lines(
      webhooks.map(
        ({ eventType, when, finalStatus }) =>
          `- \`${eventType}\`: ${when} ${words.events.finalStatus}: ${finalStatus ?? words.events.none}.`,
      ),
    ),
  EventExamples: ({ webhooks }) =>
    examplesText(
      webhooks.flatMap(({ eventType, examples }) => examples.map((one) => ({ ...one, label: eventType }))),
    ),
  WebhookStatuses: ({ webhooks }) => statusesText(webhooks[0]?.statuses ?? []),
  Receivers: ({ receivers }) => samplesText(receivers),
  Errors: ({ errors, words }) =>
    errors
      .map(
        ({ code, status, message, advice, retryable, reasons }) =>
          `### ${code}\n\n${status}. ${message} ${advice} ${retryable ? words.retryable : words.notRetryable}.${
            reasons.length > 0
              ? `\n\n${lines(reasons.map((/** @type {{ name: string, message: string }} */ one) => `- \`${one.name}\`: ${one.message}`))}`
              : ''
          }`,
      )
      .join('\n\n'),
};

/** @param {Operation} operation @param {Reference} reference */
function operationText(operation, { words }) {
  const {
    summary,
    extension,
    method,
    path,
    description,
    auth,
    maxBody,
    parameters,
    request,
    response,
    statuses,
  } = operation;
  const { headings } = words;
  const parts = [
    `### ${summary}${extension ? ` (${words.extension})` : ''}`,
    `\`${method} ${path}\``,
    description,
    [`${words.auth.label}: ${auth.join(' / ')}.`, maxBody && `${maxBody}.`].filter(Boolean).join(' '),
    request.length > 0 && `#### ${headings.request}`,
    operation.requestDescription,
    ...request.map((body) => bodyText(body, words)),
    parameters.length > 0 && `#### ${headings.parameters}\n\n${fieldsText(parameters, words)}`,
    `#### ${headings.response}`,
    ...response.map((body) => bodyText(body, words)),
    `#### ${headings.statuses}\n\n${statusesText(statuses)}`,
    samplesText(operation.samples),
    examplesText(response.flatMap(({ examples }) => examples)),
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** @param {Operation['request'][number]} body @param {Reference['words']} words */
const bodyText = ({ type, description, fields }, words) =>
  [`\`${type}\``, description ?? fieldsText(fields, words)].filter(Boolean).join('\n\n');

/** @param {(Field & { place?: string })[]} fields @param {Reference['words']} words */
const fieldsText = (fields, words) =>
  lines(
    fields.map(({ path, depth, place, type, bounds, required, extension, description, values }) => {
      const marks = [place, type, ...bounds, !required && words.optional, extension && words.extension];
      const listed =
        values.length > 0
          ? ` ${values.length > 1 ? words.values : words.constant} ${values.join(', ')}.`
          : '';
      return `${'  '.repeat(depth)}- \`${path}\` (${marks.filter(Boolean).join(', ')}): ${description}${listed}`;
    }),
  );

/** @param {Operation['statuses']} statuses */
const statusesText = (statuses) =>
  lines(
    statuses.map(
      ({ status, description, codes }) =>
        `- \`${status}\`: ${description}${codes.length > 0 ? ` (${codes.map((code) => `\`${code}\``).join(', ')})` : ''}`,
    ),
  );

/** @param {Operation['samples']} samples */
const samplesText = (samples) =>
  samples.map(({ language, label, code }) => fenced(label, FENCES[language] ?? language, code)).join('\n\n');

/** @param {Example[]} examples */
const examplesText = (examples) =>
  examples.map(({ label, code }) => fenced(label, 'json', code)).join('\n\n');

/** @param {string} label @param {string} language @param {string} code */
const fenced = (label, language, code) => `${label}:\n\n\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/** @param {string[]} texts */
const lines = (texts) => texts.join('\n');
