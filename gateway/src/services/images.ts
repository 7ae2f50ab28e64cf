/** Data URIs to image bytes: size and kind are settled before anything is decoded. */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../errors';

/** An image as a request carries it: a data URI, or the bytes themselves. */
export type ImageValue = string | Buffer;

const { maxBytes, maxBase64Length } = limits.image;
const dataUri = /^data:image\/[a-z0-9.+-]+;base64,/i;
/** No image type needs a longer prefix; the pattern never scans the megabytes behind it. */
const longestPrefix = 64;

/**
 * @param field name of the request field, for the error's text.
 * @returns the decoded bytes, which begin like a JPEG, PNG or WebP file.
 * @throws AppError INVALID_IMAGE or IMAGE_TOO_LARGE
 */
export function decodeImage(value: ImageValue, field: string): Buffer {
  if (typeof value !== 'string') {
    checkImageBytes(value, field);
    return value;
  }
  const [prefix] = dataUri.exec(value.slice(0, longestPrefix)) ?? [];
  if (prefix === undefined) throw new AppError('INVALID_IMAGE', { reason: 'dataUri', values: { field } });
  const text = value.slice(prefix.length);
  if (text.length > maxBase64Length) throw tooLarge(field);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > maxBytes) throw tooLarge(field);
  // Node skips or bends what is not base64. Encoding is many times faster than scanning for such characters.
  if (bytes.toString('base64') !== padded(text)) {
    throw new AppError('INVALID_IMAGE', { reason: 'base64', values: { field } });
  }
  checkImageBytes(bytes, field);
  return bytes;
}

/** @throws AppError when the bytes are empty or do not begin like a supported format. */
export function checkImageBytes(bytes: Buffer, field: string): void {
  if (bytes.length === 0) throw new AppError('INVALID_IMAGE', { reason: 'empty', values: { field } });
  const start = bytes.toString('latin1', 0, 12);
  if (
    !start.startsWith('\xff\xd8\xff') &&
    !start.startsWith('\x89PNG\r\n\x1a\n') &&
    !/^RIFF....WEBP/s.test(start)
  ) {
    throw new AppError('INVALID_IMAGE', { reason: 'format', values: { field } });
  }
}

const tooLarge = (field: string) => new AppError('IMAGE_TOO_LARGE', { reason: 'field', values: { field } });

/** The padding at the end may be left out. */
const padded = (text: string) => text + ['', '', '==', '='][text.length % 4];
