/** The source file of each page and its last change, from git or else from the file's date. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['web/content', 'CHANGELOG.md'];
/** Bytes of `git log`. With a longer history the files' own dates apply. */
const MAX_LOG = 64 * 1024 * 1024;

/** @param {import('gatsby').CreateResolversArgs} api */
export function sourceResolvers({ createResolvers, getNode }) {
  const history = readHistory();
  createResolvers({
    Mdx: {
      source: {
        type: 'PageSource!',
        /** @param {{ parent: string, frontmatter: { lastUpdated?: string, sourceFile?: string } }} mdx */
        async resolve({ parent, frontmatter }) {
          const { sourceFile } = frontmatter;
          const file = sourceFile ? join(ROOT, sourceFile) : String(getNode(parent)?.absolutePath);
          const path = relative(ROOT, file).split(sep).join('/');
          const lastUpdated = frontmatter.lastUpdated ?? (await history).get(path);
          return { path, lastUpdated: lastUpdated ?? (await stat(file)).mtime.toISOString() };
        },
      },
    },
  });
}

/** The date of each file's newest commit, by path; empty without git or history. */
async function readHistory() {
  /** @type {Map<string, string>} */
  const dates = new Map();
  try {
    const args = ['log', '--format=date:%cI', '--name-only', '--', ...SOURCES];
    const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: MAX_LOG });
    let date = '';
    for (const line of stdout.split('\n')) {
      if (line.startsWith('date:')) date = line.slice('date:'.length);
      else if (line && !dates.has(line)) dates.set(line, date);
    }
  } catch {
    // Without git or history, the files' own dates apply.
  }
  return dates;
}
