import openapi from '@presenza/contract/openapi.json';
import type { Request, RequestHandler } from 'express';
import { openapiPath } from '../services/contract/operations';
import { faultIn } from './validate';

interface Described {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: { readonly $ref: string } } };
}
type Responses = Readonly<Record<string, Described>>;

const paths = openapi.paths as Readonly<Record<string, Record<string, { responses?: Responses }>>>;
const shared = openapi.components.responses as Responses;

/**
 * Turns a response that the contract does not describe into INTERNAL_ERROR. For development and tests: in production, a
 * response that is slightly wrong still serves its client better than an error.
 */
export function checkResponses(): RequestHandler {
  return (req, res, next) => {
    const send = res.json.bind(res);
    res.json = (body) => {
      const fault = faultOf(req, res.statusCode, body);
      if (fault) throw new Error(`the response violates the contract: ${fault}`);
      return send(body);
    };
    next();
  };
}

function faultOf({ route, method }: Request, status: number, body: unknown): string | undefined {
  const described = paths[openapiPath(route?.path ?? '')]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  // Any other path or method can only be an error.
  if (!described) return faultIn('error-response.json', body);
  const response = described.responses?.[status];
  const { content } = (response?.$ref ? shared[response.$ref.split('/').at(-1) as string] : response) ?? {};
  const schema = content?.['application/json']?.schema.$ref;
  return schema ? faultIn(schema.replace('schemas/', ''), body) : `it has no status ${status}`;
}
