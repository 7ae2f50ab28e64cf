/** Copies the package of the verification element, which the hosted page loads without Gatsby. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../component/dist', import.meta.url));
const SERVED = /\.(?:js|css|txt)$|\/(?:dist|words)$/;

/** @param {string} publicDir */
export const writeElement = (publicDir) =>
  cp(PACKAGE, join(publicDir, 'liveness'), { recursive: true, filter: (path) => SERVED.test(path) });
