/** Parses the gateway's request: the headers into a submission, the body into images. */
import { foreignRequest } from '@presenza/contract/internal-port.cjs';
import limits from '@presenza/contract/limits.json';
import type { Request, RequestHandler, Response } from 'express';
import { transferable } from '../device/transfer';
import { attributeNames } from '../pipeline/attributes/attributes';
import type { Submission } from '../scheduling/scheduler';
import type { Priority } from '../scheduling/waiting';
import type { FaultCode } from '../wire';
import type { AttributeName } from '../wire/faces';
import { incompatibility, wireVersion } from '../wire/version';

/** The gateway sent a malformed request or another version: an error of the gateway, not of its client. */
export class BadRequestError extends Error {
  override readonly name = 'BadRequestError';
  constructor(
    readonly status: 400 | 403 | 413 | 415 | 503,
    readonly code: FaultCode,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** States the tier's version on every response, and rejects a gateway of another major version. */
export const checkWireVersion: RequestHandler = (req, res, next) => {
  res.set('x-wire-version', wireVersion);
  // Kubernetes and Prometheus probe with GET and state no version.
  const version = req.get('x-wire-version') ?? (req.method === 'GET' ? wireVersion : undefined);
  const problem = incompatibility('gateway', version);
  if (problem !== undefined) throw new BadRequestError(503, 'SERVICE_UNAVAILABLE', 'inference', problem);
  next();
};

/** The only media type of bodies. */
const mediaType = 'application/octet-stream';

/**
 * Rejects requests that a web page can make a browser send.
 * @param names that `Host` may contain, besides addresses and localhost
 */
export function gatewaysOnly(names: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    const problem = foreignRequest(req, names);
    if (problem !== undefined) {
      const message = `${problem}: see INFERENCE_HOST_NAMES`;
      throw new BadRequestError(403, 'SERVICE_UNAVAILABLE', 'inference', message);
    }
    // A page may send the types of forms, or none, to any address without a preflight (Fetch Standard, 2.2.2).
    if (req.method === 'POST' && req.headers['content-type'] !== mediaType) {
      throw new BadRequestError(415, 'INVALID_PARAMETERS', 'header', `The body must be ${mediaType}`);
    }
    next();
  };
}

const maxDeadlineMs = 600_000;
/** A set of 64 frames and its reference. */
export const maxParts = 65;
const { maxBytes } = limits.image;
const priorities: readonly string[] = ['interactive', 'batch'] satisfies Priority[];

const accountPattern = /^[\x21-\x7e]{1,128}$/;

/** Account, deadline, priority, and a signal that fires when the client disconnects before it has its response. */
export function readSubmission(req: Request, res: Response): Omit<Submission, 'weight'> {
  const deadline = req.get('x-deadline-ms');
  const priority = req.get('x-priority') ?? 'interactive';
  if (!priorities.includes(priority)) throw badHeader('x-priority', priorities.join(' or '));
  const account = req.get('x-account');
  if (account !== undefined && !accountPattern.test(account))
    throw badHeader('x-account', 'up to 128 visible ASCII characters');
  const left = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) left.abort();
  });
  return {
    priority: priority as Priority,
    signal: left.signal,
    ...(account === undefined ? {} : { account }),
    ...(deadline === undefined ? {} : { deadlineMs: readDeadline(deadline) }),
  };
}

function readDeadline(text: string): number {
  const ms = wholeNumber(text);
  if (ms === undefined || ms < 1 || ms > maxDeadlineMs) {
    throw badHeader('x-deadline-ms', `a whole number from 1 to ${maxDeadlineMs}`);
  }
  return ms;
}

/** @returns the names in `x-attributes`, each once; none without the header. @throws BadRequestError */
export function readAttributes(req: Request): readonly AttributeName[] {
  const header = req.get('x-attributes');
  if (header === undefined) return [];
  if (header === 'all') return attributeNames;
  const names = header.split(',').map((text) => text.trim());
  const chosen = attributeNames.filter((name) => names.includes(name));
  if (chosen.length !== names.length) {
    throw badHeader('x-attributes', `all, or a list of different names of ${attributeNames.join(', ')}`);
  }
  return chosen;
}

/** @returns whether the image is a frame of a capture. @throws BadRequestError */
export function readIsFrame(req: Request): boolean {
  const header = req.get('x-limits');
  if (header !== undefined && header !== 'frame') throw badHeader('x-limits', 'frame');
  return header !== undefined;
}

/** How many images a body holds. */
export interface PartCount {
  readonly min: number;
  readonly max: number;
}

/**
 * The images of a body, without copying. They share its buffer, which is transferred to a worker as a whole, so a route either
 * puts all of them into one item or copies each one into an item of its own.
 * @throws BadRequestError
 */
export function readParts(req: Request, { min, max }: PartCount): Uint8Array[] {
  // The body parser turns an empty body into an empty object.
  const body = transferable(Buffer.isBuffer(req.body) ? req.body : new Uint8Array(0));
  const header = req.get('x-part-lengths');
  const lengths =
    header === undefined ? [body.length] : header.split(',').map((text) => wholeNumber(text.trim()));
  const sum = lengths.reduce<number>((total, length) => total + (length ?? Number.NaN), 0);
  if (sum !== body.length) throw badHeader('x-part-lengths', 'lengths whose sum is that of the body');
  if (lengths.length < min || lengths.length > Math.min(max, maxParts)) {
    throw badHeader('x-part-lengths', `a list of ${min} to ${Math.min(max, maxParts)} lengths`);
  }
  let at = 0;
  return (lengths as number[]).map((length) => {
    if (length > maxBytes) throw imageTooLarge();
    at += length;
    return body.subarray(at - length, at);
  });
}

export const imageTooLarge = () =>
  new BadRequestError(413, 'IMAGE_TOO_LARGE', 'field', `An image is larger than ${maxBytes} bytes`);

/** Largest body of a request with these parts. */
export const maxBodyBytes = (parts: PartCount) => Math.min(parts.max, maxParts) * maxBytes;

export const wholeNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

export const badHeader = (name: string, expected: string) =>
  new BadRequestError(400, 'INVALID_PARAMETERS', 'header', `The header ${name} must be ${expected}`);
