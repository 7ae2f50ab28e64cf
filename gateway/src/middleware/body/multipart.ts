/**
 * Parses forms (multipart/form-data, RFC 7578) that are completely in memory, without copying files.
 * `multipart.bench.mjs` (2 MB image, 2 busy cores): 2.4 ms, against 11.0 ms with busboy, a streaming parser.
 */
import { MIMEType } from 'node:util';
import { bounds } from '../../bounds';
import { ApiError } from '../../errors';
import type { FormField } from './fields';

/** More than any operation has fields, including repeated ones for lists. */
const maxParts = bounds.formParts;
/** Header lines of one part. */
const maxHeadBytes = 8 * 1024;
/** RFC 2046, 5.1.1. */
const boundaryForm = /^[\x20-\x7e]{1,70}$/;

const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');

const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im;
const parameter = /;[ \t]*(name|filename\*?)[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;"]+))/gi;
const binary = /^content-type:[ \t]*(?:image\/|application\/octet-stream)/im;

/**
 * @returns the parts in their order: files as views of the body, other fields as text.
 * @throws ApiError INVALID_PARAMETERS if the form is malformed or has too many parts
 */
export function readForm(body: Buffer, contentType: string): FormField[] {
  const boundary = new MIMEType(contentType).params.get('boundary') ?? '';
  if (!boundaryForm.test(boundary)) throw broken();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const fields: FormField[] = [];
  // The body may begin with the first delimiter. Any text before it is not a part.
  const atStart = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  let end = atStart ? -2 : body.indexOf(delimiter);
  for (;;) {
    if (end === -1) throw broken();
    const line = end + delimiter.length;
    if (body.toString('latin1', line, line + 2) === '--') return fields;
    if (fields.length === maxParts) {
      throw new ApiError('INVALID_PARAMETERS', { reason: 'parts', values: { limit: maxParts } });
    }
    const head = body.indexOf(lineEnd, line);
    const content = endOfHead(body, head);
    end = body.indexOf(delimiter, content);
    if (end === -1 || !isBlank(body, line, head)) throw broken();
    const [name, isFile] = describe(body.subarray(head, content));
    const bytes = body.subarray(content, end);
    fields.push([name, isFile ? bytes : textOf(bytes)]);
  }
}

/** @returns where the content begins. */
function endOfHead(body: Buffer, head: number): number {
  const end = head < 0 ? -1 : body.subarray(head, head + maxHeadBytes).indexOf(headEnd);
  if (end < 0) throw broken();
  return head + end + headEnd.length;
}

/** Spaces and tabs may follow a delimiter on its line. */
const isBlank = (body: Buffer, from: number, to: number) => {
  for (let at = from; at < to; at++) if (body[at] !== 0x20 && body[at] !== 0x09) return false;
  return true;
};

function describe(head: Buffer): [name: string, isFile: boolean] {
  const lines = textOf(head);
  const [, parameters = ''] = disposition.exec(lines) ?? [];
  const given = new Map(
    [...parameters.matchAll(parameter)].map(([, key = '', quoted, bare = '']) => [
      key.toLowerCase(),
      quoted ?? bare,
    ]),
  );
  const name = given.get('name');
  if (name === undefined) throw broken();
  return [name, given.has('filename') || given.has('filename*') || binary.test(lines)];
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw broken();
  }
}

const broken = () => new ApiError('INVALID_PARAMETERS', { reason: 'form' });
