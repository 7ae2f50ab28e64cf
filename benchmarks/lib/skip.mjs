/** A measurement cannot be taken on this machine: neither a result nor a failure. The message says why. */
export class Skip extends Error {
  /** @override */
  name = 'Skip';
}
