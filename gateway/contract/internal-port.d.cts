import type { IncomingMessage, ServerOptions } from 'node:http';

/** Names with commas between them, in lower case. */
export function hostNames(text: string): ReadonlySet<string>;

/**
 * @param names in lower case, besides localhost
 * @returns a sentence that says why the request may come from a foreign web page; undefined if it may not
 */
export function foreignRequest(
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  names: ReadonlySet<string>,
): string | undefined;

/** When a server disconnects clients that are slow or idle: 10 s for the headers, 60 s for a request, 65 s between two. */
export const serverTimeouts: Readonly<
  Required<
    Pick<
      ServerOptions,
      'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'connectionsCheckingInterval'
    >
  >
>;
