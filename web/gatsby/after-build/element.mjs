/** Copies the verification element with its texts and styles, which the hosted page loads without Gatsby. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../component/dist', import.meta.url));
const SHARED = ['words', 'liveness.css', 'licenses.txt'];

/** @param {string} publicDir */
export async function writeElement(publicDir) {
  const folder = join(publicDir, 'liveness');
  await cp(join(PACKAGE, 'hosted'), folder, { recursive: true });
  for (const name of SHARED) await cp(join(PACKAGE, name), join(folder, name), { recursive: true });
}
