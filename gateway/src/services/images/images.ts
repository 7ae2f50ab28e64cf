/** Decodes the images of requests, and checks their size and format. */
import limits from '@presenza/contract/limits.json';
import { ApiError } from '../../errors';
import { decodeBase64, withoutLineBreaks } from './base64';

const { maxBytes, maxBase64Length } = limits.image;
/** Any media type, or none: the bytes define the format. */
const dataUri = /^data:[^,]*;base64,/i;
const signatures = limits.image.formats.map(({ signature }) => new RegExp(signature));
/**
 * Bytes up to the comma. No media type with its parameters needs a longer prefix, and the pattern must not scan the megabytes
 * after it.
 */
export const longestPrefix = 256;

/** An image field of a request body: a data URI, or the bytes of the image if the body parser has decoded them. */
export type ImageValue = string | Buffer;

/** A request body of the contract, with parsed images. */
export type WithImages<Body, Field extends keyof Body> = Omit<Body, Field> & Record<Field, ImageValue>;

/**
 * @param field name of the request field, for the error message.
 * @returns the decoded bytes, at most 5 MB, which begin like a file of a supported format.
 * @throws ApiError INVALID_IMAGE or IMAGE_TOO_LARGE
 */
export function decodeImage(value: ImageValue, field: string): Buffer {
  const bytes = typeof value === 'string' ? decodeDataUri(Buffer.from(value)) : value;
  if (bytes === 'size' || bytes.length > maxBytes) throw imageTooLarge(field);
  if (typeof bytes === 'string') throw invalidImage(bytes, field);
  checkImageBytes(bytes, field);
  return bytes;
}

/** @returns the bytes of a data URI, unchecked, or the reason why it is invalid. */
export function decodeDataUri(uri: Buffer): Buffer | 'dataUri' | 'base64' | 'size' | 'empty' {
  if (uri.length === 0) return 'empty';
  const [prefix] = dataUri.exec(uri.toString('latin1', 0, longestPrefix)) ?? [];
  if (prefix === undefined) return 'dataUri';
  const text = withoutLineBreaks(uri.subarray(prefix.length));
  return text.length > maxBase64Length ? 'size' : (decodeBase64(text) ?? 'base64');
}

/** @throws ApiError if the bytes are empty or have no magic number of a supported format */
function checkImageBytes(bytes: Buffer, field: string): void {
  if (bytes.length === 0) throw invalidImage('empty', field);
  const start = bytes.toString('latin1', 0, 12);
  if (!signatures.some((signature) => signature.test(start))) throw invalidImage('format', field);
}

export const imageTooLarge = (field: string) =>
  new ApiError('IMAGE_TOO_LARGE', { reason: 'field', values: { field } });

const invalidImage = (reason: string, field: string) =>
  new ApiError('INVALID_IMAGE', { reason, values: { field } });
