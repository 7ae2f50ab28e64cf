import type { WireVersion } from '@presenza/inference/wire';

/** This gateway's version of the wire. `inference/src/wire/version.ts` describes rolling upgrades. */
export const wireVersion: WireVersion = '1.7';

/** The version of a reply without the header, such as the error page of a proxy. */
const unversioned = '1.0';

/** @returns a sentence for the log if the two sides cannot work together, otherwise undefined */
export function incompatibility(peer: string, version = unversioned): string | undefined {
  const [major] = version.split('.');
  const [expected] = wireVersion.split('.');
  if (major === expected) return undefined;
  return `The ${peer} speaks version ${version.slice(0, 16)} of the wire and this process ${wireVersion}: upgrade one of them to the same major version`;
}
