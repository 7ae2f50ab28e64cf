/** The contract's schemas, for checking responses, and its test images. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const contract = dirname(require.resolve('@presenza/contract/brand.json'));
const folder = join(contract, 'schemas');
export const schemas = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats(schemas);
for (const file of readdirSync(folder))
  schemas.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')), file);

/** @param name of an image in `test-images.json`. */
export const testImageBytes = (name: string): Buffer =>
  readFileSync(join(contract, 'test-images', `${name}.png`));
