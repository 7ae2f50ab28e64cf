import addStandardFormats from 'ajv-formats';

/**
 * Parses a URL from a client or operator that a browser or a webhook will use later. `new URL` alone would repair invalid
 * URLs: it accepts `https:///a.example`, `https:a.example` and URLs with line breaks or backslashes.
 * @returns undefined for anything but an http or https URL with a host, a port from 1 to 65535 if any, and no password
 */
export function parseWebUrl(text: string): URL | undefined {
  if (!absolute.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { hostname, port, username, password } = url;
  return port === '0' || emptyLabel.test(hostname) || username !== '' || password !== '' ? undefined : url;
}

/** A scheme and the first character of a host, and nothing that the parser would drop or replace. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
const absolute = /^https?:\/\/[^/?#\\\s\x00-\x1f][^\\\s\x00-\x1f]*$/i;

/** No DNS name has an empty label, except the root at its end. */
const emptyLabel = /^\.|\.\./;

/** Whether a text is a URI in the grammar of RFC 3986. */
export const isUri = addStandardFormats.get('uri') as (text: string) => boolean;

/** Whether a text is a web URL with a host, which the grammar of RFC 3986 does not require. */
export const isWebUri = (text: string): boolean => isUri(text) && parseWebUrl(text) !== undefined;
