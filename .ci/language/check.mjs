// `npm run check:prose [-- PATH ...]`: checks the language of the repository. cspell checks spelling and single words,
// phrases.yaml phrases and sentences. `--count` prints the number of faults in each folder. `--root FOLDER` checks another
// Git repository. Any fault makes the exit code 1.

import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { CHECKOUT_STATE, ROOT } from '../../gateway/harness/cli/paths.mjs';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { runToEnd } from '../../gateway/harness/process.mjs';
import { readMarkdown } from './markdown.mjs';
import { judge } from './rules.mjs';
import { EXTENSIONS, readTexts } from './texts.mjs';

const MARKDOWN = ['.md', '.mdx'];

// The command, because the function that the package exports cannot take a list of files.
const CSPELL = join(ROOT, 'node_modules/cspell/bin.mjs');
const CONFIG = join(ROOT, 'cspell.config.yaml');
const WORDS_CACHE = join(CHECKOUT_STATE, 'cspell-cache');
const { ignorePaths } = parse(readFileSync(CONFIG, 'utf8'));

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'boolean', default: false }, root: { type: 'string', default: ROOT } },
});
const { root } = values;

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ codes?: number[] }} [options] codes: exit codes that are no failure
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
async function run(program, args, { codes = [0], ...options } = {}) {
  const { code, stdout, stderr } = await runToEnd(program, args, { cwd: root, ...options });
  if (!codes.includes(Number(code))) throw new Error(`${program} ${args[0]} ended with ${code}:\n${stderr}`);
  return { stdout, stderr };
}

/** @param {string[]} args of git @returns {Promise<string[]>} paths */
async function gitPaths(...args) {
  const { stdout } = await run('git', ['ls-files', '-z', ...args]);
  return stdout.split('\0').filter((path) => path !== '');
}

/** @param {string[]} paths @returns {Promise<string[]>} files that Git tracks or would track */
async function listFiles(paths) {
  const ignored = ignorePaths.map((/** @type {string} */ path) =>
    path.includes('/') ? `:(exclude,glob)${path}` : `:(exclude)${path}`,
  );
  // Git 2.39 lists nothing for a single folder together with excluded paths, so this chooses the folders.
  const list = await gitPaths('-co', '--exclude-standard', '--', '.', ...ignored);
  const deleted = new Set(await gitPaths('-d'));
  const chosen = paths.map((path) => relative(root, resolve(root, path)));
  const isChosen = (/** @type {string} */ file) =>
    chosen.some((path) => path === '' || file === path || file.startsWith(`${path}/`));
  return [...new Set(list)].filter((file) => isChosen(file) && !deleted.has(file) && isEnglish(file));
}

/** Texts in other languages begin with their locale. @param {string} file */
const isEnglish = (file) =>
  extname(file) !== '.json' || !/^\{\s*"locale": "(?!en\b)/.test(readFileSync(join(root, file), 'utf8'));

/** @param {string[]} files @returns {Promise<string[]>} faults, as `file:line:column message` */
async function checkWords(files) {
  const options = ['--config', CONFIG, '--root', root, '--no-progress', '--no-color'];
  // The cache names files relative to the root, so another repository must not share it.
  const cache =
    root === ROOT ? ['--cache', '--cache-strategy', 'content', '--cache-location', WORDS_CACHE] : [];
  const { stdout, stderr } = await withFolder((folder) => {
    // With a cache, cspell 9.8 does not wait for a list on its standard input: it ends and has checked nothing.
    const list = join(folder, 'files');
    writeFileSync(list, files.map((file) => `${join(root, file)}\n`).join(''));
    const args = [CSPELL, 'lint', ...options, ...cache, '--file-list', list];
    return run(process.execPath, args, { codes: [0, 1] });
  });
  if (!/^CSpell: Files checked: [1-9]/m.test(stderr)) throw new Error(`cspell checked no file\n${stderr}`);
  return stdout.split('\n').filter((line) => line.includes(' - '));
}

/** @param {string} path @returns {string[]} faults, as `file:line:column message` */
function checkSentences(path) {
  const extension = extname(path);
  if (![...EXTENSIONS, ...MARKDOWN].includes(extension)) return [];
  const file = readFileSync(join(root, path), 'utf8');
  const texts = MARKDOWN.includes(extension) ? readMarkdown(file) : readTexts(file, extension);
  return texts.flatMap(({ start, value, kind }) =>
    judge(value, kind).map(({ start: offset, message }) => {
      const before = file.slice(0, start + offset).split('\n');
      return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1} - ${message}`;
    }),
  );
}

/** @param {string[]} faults @returns {string[]} a line for each folder, the most faults first */
function countByFolder(faults) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const fault of faults) {
    const file = fault.slice(0, fault.indexOf(':'));
    const folder = file.split('/').slice(0, -1).slice(0, 3).join('/') || '.';
    counts[folder] = (counts[folder] ?? 0) + 1;
  }
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([folder, count]) => `${String(count).padStart(6)} ${folder}`);
}

const files = await listFiles(paths.length > 0 ? paths : ['.']);
if (files.length === 0) throw new Error('No file to check');
const faults = [...(await checkWords(files)), ...files.flatMap(checkSentences)];
for (const line of values.count ? countByFolder(faults) : faults) console.log(line);
if (faults.length > 0) console.log(`${faults.length} faults of language in ${files.length} files`);
process.exitCode = faults.length > 0 ? 1 : 0;
