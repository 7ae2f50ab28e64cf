/** Reads the reference of a contract in its own process, since Jest cannot import the build's modules. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const WEB = join(__dirname, '../..');
const SCRIPT = `
  const [content, contract] = process.argv.slice(1);
  const { readReference } = await import('./gatsby/reference/read-reference.mjs');
  const { readReferenceMarkdown } = await import('./gatsby/reference/markdown.mjs');
  const reference = await readReference({ content, ...(contract && { contract }) });
  console.log(JSON.stringify({ reference, markdown: contract ? {} : await readReferenceMarkdown(content, '') }));
`;

export interface FieldData {
  path: string;
  name: string;
  depth: number;
  type: string;
  required: boolean;
  description: string;
  bounds: string[];
}

export interface SampleData {
  language: string;
  label: string;
  code: string;
}

export interface OperationData {
  operationId: string;
  method: string;
  path: string;
  response: { fields: FieldData[] }[];
  request: { type: string; fields: FieldData[] }[];
  samples: SampleData[];
}

export interface ReferenceData {
  operations: OperationData[];
  receivers: SampleData[];
  errors: { code: string; message: string }[];
  webhooks: { eventType: string; when: string }[];
}

/** @param contract a modified copy of the contract @throws Error with the message of the build */
export function readReference(contract = ''): {
  reference: ReferenceData;
  /** The Markdown of each page, by path. */
  markdown: Record<string, string>;
} {
  const args = ['--input-type=module', '-e', SCRIPT, join(WEB, 'content'), contract];
  const options = { cwd: WEB, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' } as const;
  return JSON.parse(execFileSync(process.execPath, args, options));
}
