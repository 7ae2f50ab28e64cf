/**
 * Contradictions between what a client claims to be and the headers of its calls. Browsers set these headers themselves,
 * and no page can change them; a program that pretends to be a browser must imitate all of them. An app that names no
 * browser and sends no origin has no faults.
 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * `origin`: neither the hosted page's nor an allowed one, or none from a browser. `fetchMetadata`: absent or not that of a
 * call by a page, from a browser that sends it. `browser`: the user agent names none although the call has an origin, or
 * not that of the client hints.
 */
export const clientFaultNames = ['origin', 'fetchMetadata', 'browser'] as const;
export type ClientFault = (typeof clientFaultNames)[number];

export interface ClientCall {
  readonly headers: IncomingHttpHeaders;
  /** Whether the call has an origin whose pages may make it. */
  readonly isFromAllowedPage: boolean;
}

/** The faults of a POST. */
export function clientFaultsOf({ headers, isFromAllowedPage }: ClientCall): readonly ClientFault[] {
  const { origin, 'user-agent': userAgent = '' } = headers;
  const engine = engineOf(userAgent);
  const faults: Readonly<Record<ClientFault, boolean>> = {
    // Browsers send the origin with every POST of a page (Fetch Standard, 3.2).
    origin: !isFromAllowedPage && (origin !== undefined || engine !== undefined),
    // Browsers send fetch metadata only to secure addresses. A page with TLS calls no others.
    fetchMetadata: Boolean(engine?.sendsMetadata && origin?.startsWith('https:') && !isCallOfPage(headers)),
    browser: engine ? !agrees(headers['sec-ch-ua'], engine) : origin !== undefined,
  };
  return clientFaultNames.filter((name) => faults[name]);
}

/** Adds the faults of one more call. @param known absent in an attempt that an older gateway began */
export const withFaults = (
  known: readonly ClientFault[] | undefined = [],
  more: readonly ClientFault[],
): readonly ClientFault[] => clientFaultNames.filter((name) => known.includes(name) || more.includes(name));

interface Engine {
  /** Major version of Chromium; undefined for other engines. */
  readonly chromium?: number;
  readonly sendsMetadata: boolean;
}

/** The engine of a browser, or a web view, by its user agent; undefined for a program that names none. */
function engineOf(userAgent: string): Engine | undefined {
  if (!userAgent.startsWith('Mozilla/5.0')) return undefined;
  const version = (pattern: RegExp) => {
    const [, major, minor = '0'] = pattern.exec(userAgent) ?? [];
    return major === undefined ? undefined : Number(major) + Number(minor) / 100;
  };
  // The first versions with fetch metadata: Chromium 76, Firefox 90, and WebKit of Safari 16.4.
  const chromium = version(/Chrome\/(\d+)/);
  if (chromium !== undefined) return { chromium, sendsMetadata: chromium >= 76 };
  const firefox = version(/ Gecko\/.* Firefox\/(\d+)/);
  if (firefox !== undefined) return { sendsMetadata: firefox >= 90 };
  // Browsers on iPhones differ in name only. Web views have no version but that of the system.
  const webkit = version(/(?:iPhone OS|CPU OS) (\d+)_(\d+)/) ?? version(/Version\/(\d+)\.(\d+).* Safari\//);
  return { sendsMetadata: webkit !== undefined && webkit >= 16.04 };
}

/** Whether a page made the call with `fetch` (Fetch Metadata Request Headers, 2). */
function isCallOfPage({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
}: IncomingHttpHeaders): boolean {
  const isFromPage = site === 'same-origin' || site === 'same-site' || site === 'cross-site';
  return isFromPage && mode === 'cors' && dest === 'empty';
}

/** Only Chromium sends client hints, and web views of Android do not. @param hints `Sec-CH-UA` */
function agrees(hints: string | string[] | undefined, { chromium }: Engine): boolean {
  if (hints === undefined) return true;
  const [, version] = /"Chromium";\s*v="(\d+)"/.exec(String(hints)) ?? [];
  return chromium !== undefined && Number(version) === chromium;
}
