import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimJournalFolder } from './journal-folder';

let folder: string;
let owner: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-claim-'));
  owner = join(folder, 'owner');
});
afterEach(() => rmSync(folder, { recursive: true }));

const claimedBy = (claim: object) => writeFileSync(owner, JSON.stringify({ started: '', ...claim }));

test('a claim creates the folder, and its release frees it', () => {
  const release = claimJournalFolder(join(folder, 'new'));
  expect(existsSync(join(folder, 'new', 'owner'))).toBe(true);
  release();
  expect(existsSync(join(folder, 'new', 'owner'))).toBe(false);
});

test('a folder of a running process is refused, and that of an ended process is not', async () => {
  const code = `
    const { claimJournalFolder } = require(${JSON.stringify(require.resolve('../../../dist/services/metering/journal-folder.js'))});
    claimJournalFolder(${JSON.stringify(folder)}); process.stdout.write('claimed'); process.stdin.resume();`;
  const other = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  expect(() => claimJournalFolder(folder)).toThrow(`process ${other.pid} on ${hostname()} uses it`);
  const ended = once(other, 'exit');
  other.kill('SIGKILL');
  await ended;
  claimJournalFolder(folder)();
});

test('a pid that was given to another process since is no owner', () => {
  claimedBy({ host: hostname(), pid: process.ppid, started: '1' });
  claimJournalFolder(folder)();
});

test('an owner on another host is gone when its file grew old', () => {
  claimedBy({ host: 'elsewhere', pid: 1 });
  expect(() => claimJournalFolder(folder)).toThrow('process 1 on elsewhere uses it');
  const before = new Date(Date.now() - 20_000);
  utimesSync(owner, before, before);
  claimJournalFolder(folder)();
});

test('a folder that cannot be written is named', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => claimJournalFolder(join(file, 'inside'))).toThrow(
    /^The folder .*inside cannot be used: ENOTDIR/,
  );
});
