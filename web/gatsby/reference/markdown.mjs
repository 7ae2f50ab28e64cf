/** Renders the API reference as Markdown, from the same data and text as the page. */
import { readFacts } from '../facts.mjs';
import { fillFigures } from '../figures.mjs';
import { fillCodeText } from '../fill-code.mjs';
import { fill } from './fill.mjs';
import { readReference } from './read-reference.mjs';

/**
 * @typedef {import('./read-reference.mjs').Reference} Reference
 * @typedef {Reference['operations'][number]} Operation
 * @typedef {import('./pages.mjs').Page} Page
 * @typedef {import('./fields.mjs').Field} Field
 * @typedef {import('./examples.mjs').Example} Example
 */

const TAG = /^<(\w+)((?: \w+="[^"]*")*) \/>$/gm;
const FENCE_OR_HEADING = /^```[\s\S]*?^```$|^#+ /gm;
/** Info strings of fenced blocks that differ from the names of the languages here. */
const FENCES = /** @type {Record<string, string>} */ ({ curl: 'sh', node: 'js' });

/**
 * @param {string} content folder of the site's texts
 * @param {string} siteUrl that links start with
 * @returns {Promise<Record<string, string>>} by path of the page
 */
export async function readReferenceMarkdown(content, siteUrl) {
  const [reference, facts] = await Promise.all([readReference({ content }), readFacts()]);
  const { entry, resources, full } = reference.pages;
  const write = (/** @type {Page} */ page) =>
    titled(page, partText(page, reference, facts, siteUrl)).replaceAll('](/', `](${siteUrl}/`);
  const parts = resources.map((page) => write(page).replace(FENCE_OR_HEADING, deeper));
  return {
    ...Object.fromEntries([entry, ...resources].map((page) => [page.path, write(page)])),
    [full.path]: titled(full, parts.join('\n')),
  };
}

/** @param {Page} page @param {string} text */
const titled = ({ title, description }, text) => `# ${title}\n\n${description}\n\n${text.trim()}\n`;

/** Moves headings one level down, but not lines of code, where # starts a comment. @param {string} match */
const deeper = (match) => (match.startsWith('#') ? `#${match}` : match);

/**
 * @param {Page} page @param {Reference} reference @param {Record<string, string>} facts @param {string} siteUrl
 * @throws Error if the page uses an unknown component or operation
 */
const partText = ({ body }, reference, facts, siteUrl) =>
  // Fills figures before the samples are inserted, since samples contain braces of their own.
  fillFigures(fillCodeText(body, siteUrl), facts)
    .replace(TAG, (_, name, attributes) => {
      const write = PARTS[name];
      if (!write) throw new Error(`The reference uses <${name} />, which has no Markdown form.`);
      return write(reference, /="([^"]*)"/.exec(attributes)?.[1] ?? '');
    })
    .replace(/<code>(.*?)<\/code>/g, (_, code) => `\`${code.replaceAll('\\', '')}\``);

/**
 * The Markdown of each component, by name.
 * @type {Record<string, (reference: Reference, argument: string) => string>}
 */
const PARTS = {
  Contents: ({ pages }, slug) => {
    const page = pages.resources.find((candidate) => candidate.slug === slug);
    if (!page) throw new Error(`The reference uses a page that it lacks: ${slug}.`);
    const { path, title, description, contents } = page;
    const entries = contents.map(
      ({ anchor, title: text, endpoint }) =>
        `- [${text}](${path}#${anchor})${endpoint ? `: \`${endpoint}\`` : ''}`,
    );
    return `[${title}](${path}): ${description}\n\n${lines(entries)}`;
  },
  Operation: (reference, id) => operationText(operationOf(reference, id), reference),
  Example: (reference, id) => {
    const { method, path, samples, response } = operationOf(reference, id);
    const [example] = response.flatMap(({ examples }) => examples);
    return [`\`${method} ${path}\``, samplesText(samples), example && examplesText([example])]
      .filter(Boolean)
      .join('\n\n');
  },
  SessionCalls: (reference) =>
    reference.operations
      .filter(({ isSessionCall }) => isSessionCall)
      .map((operation) => operationText(operation, reference))
      .join('\n\n'),
  Fields: ({ schemas, texts }, name) =>
    fieldsText(schemas.find((schema) => schema.name === name)?.members ?? [], texts),
  Headers: ({ headers, texts }) => fieldsText(headers, texts),
  WebhookHeaders: ({ webhookHeaders, texts }) => fieldsText(webhookHeaders, texts),
  RateLimits: ({ plans, texts }) =>
    lines([
      `| ${texts.plans.plan} | ${texts.plans.burst} | ${texts.plans.concurrency} |`,
      '|---|---|---|',
      ...plans.map(
        ({ displayName, limits }) =>
          `| ${displayName} | ${fill(texts.plans.burstValue, limits.burst)} | ${limits.concurrency} |`,
      ),
    ]),
  Events: ({ webhooks, texts }) =>
    lines(
      webhooks.map(
        ({ eventType, when, finalStatus }) =>
          `- \`${eventType}\`: ${when} ${texts.events.finalStatus}: ${finalStatus ?? texts.events.none}.`,
      ),
    ),
  EventExamples: ({ webhooks }) =>
    examplesText(
      webhooks.flatMap(({ eventType, examples }) =>
        examples.map((example) => ({ ...example, label: eventType })),
      ),
    ),
  EventExample: ({ webhooks }) =>
    examplesText((webhooks.find(({ carriesResult }) => carriesResult)?.examples ?? []).slice(0, 1)),
  WebhookStatuses: ({ webhooks }) => statusesText(webhooks[0]?.statuses ?? []),
  FirstProgram: ({ programs }, client) => {
    const program = programs.find((candidate) => candidate.client === client);
    if (!program) throw new Error(`The reference uses an unknown client: ${client}.`);
    return `\`\`\`${program.language}\n${program.code}\`\`\``;
  },
  Receivers: ({ receivers }) => samplesText(receivers),
  Errors: ({ errors, texts }) =>
    errors
      .map(
        ({ code, status, message, advice, retryable, reasons }) =>
          `## ${code}\n\n${status}. ${message} ${advice} ${retryable ? texts.retryable : texts.notRetryable}.${
            reasons.length > 0
              ? `\n\n${lines(reasons.map((/** @type {{ name: string, message: string }} */ reason) => `- \`${reason.name}\`: ${reason.message.replace(/\{(\w+)\}/g, '*$1*')}`))}`
              : ''
          }`,
      )
      .join('\n\n'),
};

/** @param {Reference} reference @param {string} id */
function operationOf({ operations }, id) {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`The reference uses an operation that the contract lacks: ${id}.`);
  return operation;
}

/** @param {Operation} operation @param {Reference} reference */
function operationText(operation, { texts }) {
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
  const { headings } = texts;
  const parts = [
    `## ${summary}`,
    `\`${method} ${path}\`${extension ? ` (${texts.extension})` : ''}`,
    description,
    [`${texts.auth.label}: ${auth.join(' / ')}.`, maxBody && `${maxBody}.`].filter(Boolean).join(' '),
    request.length > 0 && `### ${headings.request}`,
    operation.requestDescription,
    ...request.map((body) => bodyText(body, texts)),
    parameters.length > 0 && `### ${headings.parameters}\n\n${fieldsText(parameters, texts)}`,
    `### ${headings.response}`,
    ...response.map((body) => bodyText(body, texts)),
    `### ${headings.statuses}\n\n${statusesText(statuses)}`,
    samplesText(operation.samples),
    examplesText(response.flatMap(({ examples }) => examples)),
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** @param {Operation['request'][number]} body @param {Reference['texts']} texts */
const bodyText = ({ type, description, fields }, texts) =>
  [`\`${type}\``, description ?? fieldsText(fields, texts)].filter(Boolean).join('\n\n');

/** @param {(Field & { place?: string })[]} fields @param {Reference['texts']} texts */
const fieldsText = (fields, texts) =>
  lines(
    fields.map(({ path, depth, place, type, bounds, required, extension, description, values }) => {
      const marks = [place, type, ...bounds, !required && texts.optional, extension && texts.extension];
      const listed =
        values.length > 0
          ? ` ${values.length > 1 ? texts.values : texts.constant} ${values.join(', ')}.`
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
