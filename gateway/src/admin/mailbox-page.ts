/** The page at which operators read the console's mails. It has no content of its own: its script asks for the token. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import type { RequestHandler } from 'express';

/** The same folder from `src` and from `dist`. */
const folder = join(__dirname, '..', '..', 'pages', 'mailbox');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export function mailboxPage(): RequestHandler {
  const [style, script] = [read('style.css'), read('script.js')];
  const html = read('page.html')
    .replaceAll('{brand}', brand.name)
    .replace('<link rel="stylesheet" href="style.css">', () => `<style>${style}</style>`)
    .replace('<script src="script.js"></script>', () => `<script>${script}</script>`);
  const policy = [
    ["default-src 'none'", `script-src ${sourceOf(script)}`, `style-src ${sourceOf(style)}`],
    ["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ];
  return (_req, res) => {
    res.set('Content-Security-Policy', policy.flat().join(';'));
    res.set('Cache-Control', 'no-store');
    res.type('html').send(html);
  };
}
