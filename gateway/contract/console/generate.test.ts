import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string) => readFileSync(join(__dirname, file), 'utf8');

test.each(['types.d.ts', 'values.ts'])(
  '%s is made from the description: if it fails, run `npm run console-api`',
  (file) => {
    const hash = createHash('sha256').update(read('openapi.json')).digest('hex');
    expect(read(file).split('\n')[0]).toContain(`(sha256 ${hash})`);
  },
);
