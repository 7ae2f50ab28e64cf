/** Writes the OpenAPI document as a download. The service serves the same document at /openapi.json. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleOpenapi } from '@presenza/contract/bundle.cjs';

/** @param {string} publicDir */
export async function writeOpenapi(publicDir) {
  await writeFile(join(publicDir, 'openapi.json'), `${JSON.stringify(bundleOpenapi(), null, 2)}\n`);
}
