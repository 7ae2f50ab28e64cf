/**
 * The browser of a sign-in in words that its owner recognizes. Only names from these lists are stored, never the header:
 * it is text of the sender, and it identifies a device more closely than a list of sign-ins needs.
 */
import { networkOf } from '../../formats/addresses';

/** The first match wins, because most browsers also name those that they descend from. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOPT\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (list: typeof browsers, text: string) => list.find(([, pattern]) => pattern.test(text))?.[0];

/** Longer headers are no browser's, and matching takes time. */
const longest = 512;

/** A browser and its network. */
export interface KnownBrowser {
  readonly browser?: string;
  readonly system?: string;
  /** An IPv4 network of 256 addresses, or an IPv6 network of one site. */
  readonly network: string;
}

export function browserOf(address: string, userAgent = ''): KnownBrowser {
  const text = userAgent.slice(0, longest);
  const [browser, system] = [nameIn(browsers, text), nameIn(systems, text)];
  return {
    ...(browser !== undefined && { browser }),
    ...(system !== undefined && { system }),
    network: placeOf(address),
  };
}

function placeOf(address: string): string {
  const network = networkOf(address, 48);
  return /^\d+(?:\.\d+){3}$/.test(network) ? network.replace(/\d+$/, '0/24') : network;
}
