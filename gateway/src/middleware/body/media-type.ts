/** The media type of a request body. */
import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { ApiError } from '../../errors';

/** The format of a body. */
export type Form = 'json' | 'multipart' | 'image';

/** Media types that an operation accepts: JSON; JSON and forms; these and bare images; or only bare images. */
export type Accepted = 'json' | 'forms' | 'images' | 'image';

const forms: Record<Accepted, readonly Form[]> = {
  json: ['json'],
  forms: ['json', 'multipart'],
  images: ['json', 'multipart', 'image'],
  image: ['image'],
};

const expected: Record<Accepted, string> = {
  json: 'application/json',
  forms: 'application/json or multipart/form-data',
  images: 'application/json, multipart/form-data or the type of an image, such as image/jpeg',
  image: 'the type of an image, such as image/jpeg',
};

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE */
export function formOf(contentType: string | undefined, accepted: Accepted): Form {
  const form = parse(contentType ?? '');
  if (form !== undefined && forms[accepted].includes(form)) return form;
  const values = { field: 'Content-Type', expected: expected[accepted] };
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { reason: 'contentType', values });
}

/** Any image type passes, and so do bytes without one, because some generated clients send no other type. */
function parse(contentType: string): Form | undefined {
  // The fast path for nearly all requests.
  if (contentType === 'application/json') return 'json';
  try {
    const { type, essence, params } = new MIMEType(contentType);
    if (type === 'image' || essence === 'application/octet-stream') return 'image';
    if (essence === 'multipart/form-data') return 'multipart';
    const utf8 = /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
    return essence === 'application/json' && utf8 ? 'json' : undefined;
  } catch {
    return undefined;
  }
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE for compressed bodies, because a small one could expand to any size */
export function checkEncoding(headers: IncomingHttpHeaders): void {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  // Node accepts `gzip, chunked` but decodes only the chunks.
  if (content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked') {
    const values = { field: 'Content-Encoding' };
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { reason: 'contentEncoding', values });
  }
}
