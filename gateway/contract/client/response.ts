/** Parses a response into its value or its error. */
import { PresenzaError } from './errors.ts';
import { parseRetryAfter } from './retry.ts';
import type { TransportResponse } from './transport.ts';
import type { ErrorResponse } from './types.d.ts';

/** The whole body as text. */
export async function readText(response: TransportResponse): Promise<string> {
  const pieces: string[] = [];
  for (let piece = await response.read(); piece !== undefined; piece = await response.read())
    pieces.push(piece);
  return pieces.join('');
}

/** The value of a successful response. @throws {PresenzaError} UNEXPECTED_RESPONSE if it is not the API's envelope */
export function parseSuccess<T>(response: TransportResponse, text: string): T {
  const body = parseJson(text) as { success?: unknown } | undefined;
  if (body?.success !== true) throw unexpectedResponse(response);
  return body as T;
}

/** The error of a response with a status other than 2xx. */
export function errorOf(response: TransportResponse, text: string, nowMs: number): PresenzaError {
  const body = parseJson(text);
  return isErrorResponse(body) ? envelopeError(body, response, nowMs) : unexpectedResponse(response, nowMs);
}

export function envelopeError(
  body: ErrorResponse,
  response: TransportResponse,
  nowMs: number,
): PresenzaError {
  const { code, message, reason, param, docUrl, requestLogUrl, resetsAt } = body.error;
  const { requestId } = body;
  const details = { code, message, reason, param, docUrl, requestLogUrl, resetsAt, requestId };
  return new PresenzaError({ ...details, ...ofResponse(response, nowMs) });
}

export function isErrorResponse(body: unknown): body is ErrorResponse {
  const { success, error } = (body ?? {}) as Partial<ErrorResponse>;
  return success === false && typeof error?.code === 'string' && typeof error.message === 'string';
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error omits the response text, because its content is unknown. */
export function unexpectedResponse(response: TransportResponse, nowMs = 0): PresenzaError {
  return new PresenzaError({
    code: 'UNEXPECTED_RESPONSE',
    message: `The response with status ${response.status} is not from this API.`,
    requestId: response.header('x-request-id'),
    ...ofResponse(response, nowMs),
  });
}

const ofResponse = (response: TransportResponse, nowMs: number) => ({
  status: response.status,
  retryAfterSeconds: parseRetryAfter(response.header('retry-after'), nowMs),
});
