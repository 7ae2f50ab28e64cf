/** The routes tree and the contract say the same: no route without a documented operation, none without a folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import openapi from '@presenza/contract/openapi.json';

test('every folder of routes is an operation of the contract', () => {
  const documented = new Set(Object.keys(openapi.paths).map((path) => path.split('/')[1]));
  for (const folder of readdirSync(join(__dirname, '..', 'src', 'routes')))
    expect(documented).toContain(folder);
});
