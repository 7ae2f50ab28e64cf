/** The contract's schemas, for checking responses. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const folder = join(dirname(require.resolve('@presenza/contract/brand.json')), 'schemas');
export const schemas = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats(schemas);
for (const file of readdirSync(folder))
  schemas.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')), file);
