/** Every code block of the site and of the READMEs that show the API, and how it is replayed. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeBlock, codeBlocksOf } from '../../../gateway/test/code-blocks';

export const ROOT = join(__dirname, '../../..');
const CONTENT = 'web/content';
const CLIENTS = 'gateway/contract/clients';

export interface Sample extends CodeBlock {
  /** Path in the repository. */
  readonly file: string;
}

const files = [
  'README.md',
  'deploy/kubernetes/README.md',
  'gateway/contract/client/README.md',
  ...readdirSync(join(ROOT, CLIENTS)).map((name) => `${CLIENTS}/${name}/README.md`),
  ...readdirSync(join(ROOT, CONTENT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mdx'))
    .map((name) => `${CONTENT}/${name}`),
].filter((file) => existsSync(join(ROOT, file)));

export const samples: readonly Sample[] = files.flatMap((file) =>
  codeBlocksOf(join(ROOT, file)).map((block) => ({ ...block, file })),
);

const SHELL = new Set(['bash', 'sh']);
/** Languages without requests. */
const MARKUP = new Set(['csv', 'html', 'xml', 'yaml']);

/** A shell sample that installs a file of the site. `{siteUrl}` and `{version}` are filled by the build. */
export const isDownload = ({ language, code }: CodeBlock) =>
  SHELL.has(language) && code.includes('{siteUrl}/downloads/');

/** A shell sample sends requests with curl. Other commands are those of operators. */
export const isShellRequest = (sample: Sample) =>
  SHELL.has(sample.language) && sample.code.includes('curl') && !isDownload(sample);

/** A response stands below the request that it belongs to. */
export const isShellResponse = ({ language, code }: Sample) =>
  language === 'json' && code.includes('"success"');

/** The body of a request to the reader's endpoint. */
export const isWebhook = ({ language, code }: Sample) => language === 'json' && code.includes('"eventType"');

export const isWithoutRequest = (sample: Sample) =>
  MARKUP.has(sample.language) ||
  (SHELL.has(sample.language) && !sample.code.includes('curl') && !isDownload(sample));
