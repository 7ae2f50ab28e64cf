/**
 * Reads request bodies (JSON, forms and bare images) into the same kind of JSON-like value. Unlike the usual libraries,
 * it does not read a body that is too large before it rejects it.
 */
import limits from '@presenza/contract/limits.json';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../errors';
import { imageTooLarge } from '../../services/images/images';
import { grow } from '../admit';
import { declaredBytes } from '../declared-bytes';
import { queryOf, refuseUnused } from '../query';
import { formBody } from './fields';
import { parseJson } from './json';
import { type Accepted, checkEncoding, type Form, formOf } from './media-type';
import { readForm } from './multipart';
import { receive } from './receive';

/** The name of the field for a bare image. */
const imageField = 'image';

export interface BodyOptions {
  readonly maxBytes: number;
  readonly forms: Accepted;
  /** Whether fields of the body are images, which alone can make it too large. */
  readonly images?: boolean;
  readonly optional?: boolean;
}

/**
 * Leaves the body in `req.body`: an object of JSON values. An image field of the contract may be a Buffer with the
 * bytes of the image, or a string; `decodeImage` takes both.
 *
 * A bare image becomes the field `image`, with options from the query string. Operations that accept bare images reject
 * any query parameter with JSON and forms.
 * @param options.maxBytes largest body that is read.
 * @param options.forms `json`; `forms`: JSON and forms; `images`: JSON, forms and bare images; `image`: only bare images.
 * @param options.images see `BodyOptions`; such a body is IMAGE_TOO_LARGE above its maximum, any other PAYLOAD_TOO_LARGE.
 * @param options.optional whether a missing body counts as an empty object.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, IMAGE_TOO_LARGE or INVALID_PARAMETERS
 */
export function readBody({ maxBytes, forms, images = false, optional = false }: BodyOptions): RequestHandler {
  return async (req, res, next) => {
    const hasBody = declaredBytes(req, maxBytes) > 0;
    if (optional && !hasBody) {
      req.body = {};
      return next();
    }
    const form = hasBody ? formOf(req.headers['content-type'], forms) : undefined;
    if (!form) throw noBody(req);
    checkEncoding(req.headers);
    if (forms === 'images' && form !== 'image') refuseUnused(req);
    const bare = form === 'image' && limits.image.maxBytes < maxBytes;
    const largest = bare ? limits.image.maxBytes : maxBytes;
    const tooLarge = () => (bare ? imageTooLarge(imageField) : bodyTooLarge(images));
    const length = declaredBytes(req, largest);
    if (length > largest) throw tooLarge();
    if (awaitsContinue(req)) res.writeContinue();
    const bytes = await receive(req, length, (arrived) => grow(res, arrived), tooLarge);
    res.locals.bodyBytes = bytes.length;
    if (bytes.length === 0) throw noBody(req);
    req.body = parsers[form](bytes, req);
    next();
  };
}

/** RFC 9110, 10.1.1: other expectations may be ignored, and those of HTTP/1.0 must be. */
const awaitsContinue = ({ headers, httpVersion }: Request) =>
  httpVersion === '1.1' && headers.expect !== undefined && /\b100-continue\b/i.test(headers.expect);

const parsers: Record<Form, (bytes: Buffer, req: Request) => unknown> = {
  json: parseJson,
  multipart: (bytes, req) => formBody(readForm(bytes, req.headers['content-type'] as string)),
  image: (bytes, req) => formBody([[imageField, bytes], ...queryOf(req)]),
};

const bodyTooLarge = (images: boolean) =>
  images ? new ApiError('IMAGE_TOO_LARGE', { reason: 'body' }) : new ApiError('PAYLOAD_TOO_LARGE');

/** An empty bare image is an invalid image; for any other media type, the body is missing. */
const noBody = ({ headers }: Request) =>
  headers['content-type']?.startsWith('image/')
    ? new ApiError('INVALID_IMAGE', { reason: 'empty', values: { field: imageField } })
    : new ApiError('INVALID_PARAMETERS', { reason: 'body' });
