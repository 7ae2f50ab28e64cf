// The root file system of the final images, collected from this machine where it has Debian's package manager.

import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { collectRuntime } from './runtime.mjs';

const onDebian = existsSync('/var/lib/dpkg/status') ? test : test.skip;

onDebian('contains Node, its libraries and a user, and no other program', async () => {
  await withFolder((folder) => {
    const to = join(folder, 'root');
    const packages = collectRuntime(to);
    expect(packages).toEqual(expect.arrayContaining(['libc6', 'libgcc-s1', 'libstdc++6']));

    const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    );
    const paths = files.map((entry) => join(entry.parentPath, entry.name));
    const libraries = paths.filter((path) => /\.so(\.\d+)*$/.test(path));
    const programs = paths.filter(
      (path) => !libraries.includes(path) && lstatSync(path).isFile() && lstatSync(path).mode & 0o111,
    );
    expect(programs).toEqual([join(to, process.execPath)]);
    // Equal times make equal layers.
    expect(new Set(paths.map((path) => lstatSync(path).mtimeMs))).toEqual(new Set([0]));

    expect(readFileSync(join(to, 'etc/passwd'), 'utf8')).toContain('presenza:x:10001:10001:');
    expect(statSync(join(to, 'tmp')).mode & 0o7777).toBe(0o1777);
    for (const name of packages) {
      expect(readFileSync(join(to, 'var/lib/dpkg/status.d', name), 'utf8')).toMatch(/^Version: \S/m);
      expect(existsSync(join(to, 'usr/share/doc', name, 'copyright'))).toBe(true);
    }

    // Started by the collected loader, with the folder of the collected libraries.
    const loader = paths.find((path) => /linux-gnu\/ld-linux[^/]*$/.test(path)) ?? '';
    const path = join(loader, '..');
    const code = 'console.log(JSON.stringify(process.report.getReport().sharedObjects))';
    const loaded: string[] = JSON.parse(
      execFileSync(loader, ['--library-path', path, join(to, process.execPath), '-e', code], {
        encoding: 'utf8',
      }),
    );
    const outside = loaded.filter((name) => name.startsWith('/') && !name.startsWith(to));
    expect(outside).toEqual([]);
  });
});
