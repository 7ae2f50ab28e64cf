import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from '../packages/build.mjs';

/** Packs the package as npm would publish it, and installs it in an empty folder. @param {string} folder */
export async function installPackage(folder) {
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  writeFileSync(join(folder, 'package.json'), '{}');
  const archive = npm('pack', await buildLibrary('typescript'), '--silent').trim();
  npm('install', `./${archive}`, '--offline', '--no-audit', '--no-fund', '--silent');
}
