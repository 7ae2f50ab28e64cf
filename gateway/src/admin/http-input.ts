/** Reads the input of an operation from a request: path, query and body. */
import limits from '@presenza/contract/limits.json';
import type { Request } from 'express';
import { ApiError } from '../errors';
import { decodeImage } from '../services/images/images';
import { meaningOf } from './input';
import type { NamedImage, Operation } from './operation';

export const plainBodyBytes = 64 * 1024;
/** All examples of a category as base64, with room for the JSON around them. */
export const largestAdminBody =
  2 * plainBodyBytes + Math.ceil(limits.customCategories.maxExamplesBytes / 3) * 4;

type Declared = Pick<Operation, 'http' | 'input' | 'images'>;

export const maxBytesOf = ({ images }: Pick<Declared, 'images'>): number =>
  images === undefined ? plainBodyBytes : largestAdminBody;

/** @throws ApiError INVALID_PARAMETERS, INVALID_IMAGE, IMAGE_TOO_LARGE */
export function inputOf(operation: Declared, req: Request) {
  const { input: schema, images: field } = operation;
  const { params, body } = req as { params: Record<string, string>; body: Record<string, unknown> };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('INVALID_PARAMETERS', { reason: 'body' });
  }
  const inPath = Object.keys(params).find((name) => Object.hasOwn(body, name));
  if (inPath) throw new ApiError('INVALID_PARAMETERS', { reason: 'unknown', values: { field: inPath } });
  const query = operation.http[0] === 'GET' ? Object.entries(req.query as Record<string, unknown>) : [];
  const asked = query.map(([name, text]) => [
    name,
    typeof text === 'string' ? meaningOf(text, schema, name) : text,
  ]);
  if (field === undefined) return { input: { ...Object.fromEntries(asked), ...body, ...params }, images: [] };
  const { [field]: uris = [], ...others } = body;
  return { input: { ...others, ...params }, images: imagesOf(uris, field) };
}

function imagesOf(uris: unknown, field: string): NamedImage[] {
  if (!Array.isArray(uris)) {
    throw new ApiError('INVALID_PARAMETERS', { reason: 'type', values: { field, expected: 'a list' } });
  }
  const { maxExamples } = limits.customCategories;
  if (uris.length > maxExamples) {
    const values = { field, expected: `a list of at most ${maxExamples} entries` };
    throw new ApiError('INVALID_PARAMETERS', { reason: 'value', values });
  }
  return uris.map((uri, place) => {
    const label = `${field}.${place}`;
    if (typeof uri !== 'string')
      throw new ApiError('INVALID_IMAGE', { reason: 'dataUri', values: { field: label } });
    return { label, bytes: decodeImage(uri, label) };
  });
}
