/** Samples that replay.slow.test.ts does not run, with the test that does or the reason why none can. */
import type { Sample } from './blocks';

const guides = 'gateway/test/webhooks/guides.slow.test.ts runs it against a real gateway';
const webGuide = 'followed-guides.slow.test.ts runs it in a browser';
/** No toolchain for phones is needed: these samples make no calls to the API. */
export const ownBackend =
  'It calls only the backend of the web guide, whose routes guides.slow.test.ts calls';
const library = '`npm run test:clients` runs it in a clean folder against a real service, every night';

interface Elsewhere {
  /** The end of the file's path. */
  readonly file: string;
  /** Part of the sample. Without it, all of the language. */
  readonly excerpt?: string;
  readonly language?: string;
  readonly reason: string;
}

export const elsewhere: readonly Elsewhere[] = [
  ...['createCheck(userId) {', 'isGenuine(body, headers)', 'function isVerified('].map((excerpt) => ({
    file: 'web/api-integration.mdx',
    language: 'javascript',
    excerpt: excerpt,
    reason: guides,
  })),
  ...['python', 'go', 'php'].map((language) => ({
    file: 'web/api-integration.mdx',
    language,
    reason: guides,
  })),
  ...['sessionStorage.setItem', 'function waitForOutcome'].map((excerpt) => ({
    file: 'web/api-integration.mdx',
    excerpt: excerpt,
    reason: webGuide,
  })),
  {
    file: 'web/api-integration.mdx',
    excerpt: 'presenza-end',
    reason: 'web/test/verify/embedded.slow.test.ts runs it on its page',
  },
  { file: 'flutter/api-integration.mdx', language: 'dart', reason: ownBackend },
  { file: 'android/api-integration.mdx', language: 'kotlin', reason: ownBackend },
  { file: 'android/api-integration.mdx', language: 'java', reason: ownBackend },
  { file: 'ios/api-integration.mdx', language: 'swift', reason: ownBackend },
  {
    file: 'docs/migration.mdx',
    excerpt: 'CompareFacesCommand',
    reason: 'It calls Amazon Rekognition, as before the migration',
  },
  {
    file: 'blog/flutterflow-integration.mdx',
    excerpt: 'function isGenuine',
    reason: 'web/test/articles.test.ts runs it with every outcome',
  },
  { file: 'blog/flutterflow-integration.mdx', excerpt: 'match /checks', reason: 'It is a rule of Firestore' },
  {
    file: 'blog/flutterflow-integration.mdx',
    language: 'dart',
    reason: 'It calls only the function startLiveness, which replay.slow.test.ts runs',
  },
  {
    file: 'client/README.md',
    excerpt: 'k6Transport',
    reason: 'Only k6 runs it. k6-transport.test.ts makes calls through the transport',
  },
  { file: 'clients/go/README.md', language: 'go', reason: library },
  { file: 'clients/java/README.md', language: 'java', reason: library },
  { file: 'clients/python/README.md', language: 'python', reason: library },
];

export const isOf = ({ file, code, language }: Sample, entry: Omit<Elsewhere, 'reason'>): boolean =>
  file.endsWith(`/${entry.file}`) &&
  code.includes(entry.excerpt ?? '') &&
  language === (entry.language ?? language);
