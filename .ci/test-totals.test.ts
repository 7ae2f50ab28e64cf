import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../gateway/harness/folders.mjs';
import { describeTotals, readTotals } from './test-totals.mjs';

it('counts a test file that could not be loaded as a failure', async () => {
  await withFolder((folder) => {
    const report = join(folder, 'jest.json');
    const counts = {
      numPassedTests: 5,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      numPendingTests: 2,
      numTodoTests: 1,
    };
    writeFileSync(report, JSON.stringify(counts));
    expect(readTotals(`${report}.absent`)).toBeUndefined();
    const totals = readTotals(report);
    expect(totals && describeTotals(totals)).toBe('5 passed, 2 failed, 3 skipped');
    expect(describeTotals({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  });
});
