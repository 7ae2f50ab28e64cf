import type { paths } from '@presenza/contract/console/types.d.ts';
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';

type Parameters = paths['/accounts/{account}/request-export']['get']['parameters'];

/** The address of the log as CSV, which the browser downloads with its cookie. */
export const exportAddress = (apiUrl: string, params: Required<Pick<Parameters, 'path' | 'query'>>): string =>
  createFinalURL('/accounts/{account}/request-export' satisfies keyof paths, {
    baseUrl: `${apiUrl}/console/api`,
    params,
    querySerializer: createQuerySerializer(),
    pathSerializer: defaultPathSerializer,
  });
