/** The JavaScript samples of pages, each with what it takes from the reader's own program. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as library from '@presenza/contract/client/index.ts';
import { dataUri } from '@presenza/contract/client/index.ts';
import { runScript } from '../../../gateway/test/script';
import { ROOT } from './blocks';
import type { Reader } from './reader';

export interface Script {
  /** The end of the file's path. */
  readonly file: string;
  /** Part of the sample. */
  readonly excerpt: string;
  readonly replay: (code: string, reader: Reader) => Promise<void>;
}

/** Packages of Firebase, which run only in its cloud. */
function firebase(settings: Record<string, string>) {
  const stored: Record<string, object> = {};
  const store = {
    doc: (path: string) => ({
      set: async (document: object) => {
        stored[path] = document;
      },
    }),
  };
  const parameter = (name: string) => ({ value: () => settings[name] });
  const handler = (...given: unknown[]) => given.at(-1);
  const modules = {
    'firebase-admin/app': { initializeApp: () => {} },
    'firebase-admin/firestore': { getFirestore: () => store },
    'firebase-functions/params': { defineSecret: parameter, defineString: parameter },
    'firebase-functions/v2/https': { HttpsError: Error, onCall: handler, onRequest: handler },
  };
  return { modules, stored };
}

export const pageScripts: readonly Script[] = [
  {
    file: 'docs/get-started.mdx',
    excerpt: "from 'standardwebhooks'",
    async replay(code, reader) {
      const { isVerified } = await runScript(code, { names: { process: reader.process } });
      const { body, headers } = reader.webhook;
      expect(isVerified(body, headers, false)).toBe(true);
      expect(() => isVerified(`${body} `, headers, false)).toThrow();
    },
  },
  {
    file: 'docs/get-started.mdx',
    excerpt: "from 'presenza'",
    async replay(code, reader) {
      const console = { log: jest.fn() };
      const modules = { presenza: library, 'node:fs': { readFileSync: () => reader.photo } };
      await runScript(code, { names: { console, process: reader.process }, modules });
      expect(console.log).toHaveBeenCalledWith(expect.stringContaining('"faceCount": 3'));
    },
  },
  {
    file: 'docs/migration.mdx',
    excerpt: "form.set('sourceImage'",
    async replay(code, reader) {
      const { isSamePerson } = await runScript(code, { names: { process: reader.process } });
      expect(await isSamePerson(reader.photo, reader.photo)).toBe(true);
      await expect(isSamePerson(reader.photo, Buffer.from('none'))).rejects.toThrow(/^INVALID_IMAGE: /);
    },
  },
  {
    file: 'docs/api-reference/conventions.mdx',
    excerpt: 'client.allEvents',
    async replay(code, { client }) {
      const handle = jest.fn();
      await runScript(code, { names: { client, handle } });
      expect(handle).toHaveBeenCalledWith(expect.objectContaining({ eventType: 'session.completed' }));
    },
  },
  {
    file: 'docs/api-reference/webhooks.mdx',
    excerpt: 'function isGenuine',
    async replay(code, { webhook: { body, headers, secret } }) {
      const { isGenuine } = await runScript(code);
      const header = headers['x-presenza-signature'];
      expect([isGenuine(body, header, secret), isGenuine(`${body} `, header, secret)]).toEqual([true, false]);
      // A replay: the signature is valid, and the event is old or its time is not one.
      const day = 86_400_000;
      const times = [3.9, 4.1, 400, -1].map((days) => new Date(Date.now() - days * day).toISOString());
      const replays = [...times, undefined].map((timestamp) => JSON.stringify({ timestamp }));
      const signed = (text: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
      expect(replays.map((text) => isGenuine(text, signed(text), secret))).toEqual([
        true,
        false,
        false,
        false,
        false,
      ]);
    },
  },
  {
    file: 'docs/web/api-integration.mdx',
    excerpt: 'export async function detect(',
    async replay(code, reader) {
      const whole = readFileSync(join(ROOT, 'gateway/contract/apps/web/node/detect.mjs'), 'utf8');
      expect(whole).toContain(code.trim());
      const { detect, handleDetect } = await runScript(whole, { names: { process: reader.process } });
      expect(await detect(reader.photo, 'image/jpeg')).not.toEqual([]);
      await expect(detect(Buffer.from('none'), 'image/jpeg')).rejects.toThrow(
        /^INVALID_IMAGE: .* \(req_\w+\)$/,
      );
      const server = createServer(handleDetect).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(reader.photo),
      });
      server.close();
      expect(await response.json()).toEqual({ faces: expect.arrayContaining([expect.any(Object)]) });
    },
  },
  {
    file: 'blog/usage-and-limits-best-practice.mdx',
    excerpt: '/usage`',
    async replay(code, { apiUrl: API_URL, apiKey: API_KEY }) {
      const warn = jest.fn();
      // Any usage is above a negative share of the quota.
      await runScript(code.replace('0.75', '-1'), { names: { API_URL, API_KEY, warn } });
      expect(warn).toHaveBeenCalledWith(
        expect.stringMatching(/^imageAnalysis: \d+ of \d+, overage \$[\d.]+$/),
      );
    },
  },
  {
    file: 'blog/usage-and-limits-best-practice.mdx',
    excerpt: 'RateLimit-Policy',
    async replay(code, { apiUrl, apiKey, photo }) {
      const { headers } = await fetch(`${apiUrl}/detect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'image/jpeg' },
        body: new Uint8Array(photo),
      });
      const formOf = (text: string | null) => text?.replace(/\d+/g, '0');
      for (const line of code.trim().split('\n')) {
        const [name = '', value = ''] = line.split(': ');
        expect([name, formOf(headers.get(name))]).toEqual([name, formOf(value)]);
      }
    },
  },
  {
    file: 'blog/usage-and-limits-best-practice.mdx',
    excerpt: 'async function call(',
    async replay(code, reader) {
      const names = { API_URL: reader.apiUrl, API_KEY: reader.apiKey };
      const { call } = await runScript(code, { names, also: ['call'] });
      const image = dataUri(reader.photo);
      expect(await call('/detect', { image })).toMatchObject({ hasFace: true });
      await expect(call('/detect', {})).rejects.toThrow(/^INVALID_PARAMETERS: .* \(req_\w+\)$/);
    },
  },
  {
    file: 'blog/flutterflow-integration.mdx',
    excerpt: 'export const startLiveness',
    async replay(code, { apiUrl, apiKey }) {
      const RETURN_URL = 'https://example.com/back';
      const { modules, stored } = firebase({ API_URL: apiUrl, API_KEY: apiKey, RETURN_URL });
      const { startLiveness } = await runScript(code, { modules });
      const session = await startLiveness({ auth: { uid: 'user-4711' } });
      expect(session).toEqual({
        sessionId: expect.stringMatching(/^ses_/),
        verificationUrl: expect.stringContaining(session.sessionId),
      });
      expect(stored).toMatchObject({
        [`checks/${session.sessionId}`]: { userId: 'user-4711', isVerified: false },
      });
    },
  },
  {
    file: 'blog/flutterflow-integration.mdx',
    excerpt: 'export const backToApp',
    async replay(code, { webhook }) {
      const { backToApp } = await runScript(code, firebase({}));
      const { sessionId } = JSON.parse(webhook.body);
      const send = jest.fn();
      backToApp({ query: { sessionId, status: 'completed' } }, { send });
      expect(send).toHaveBeenCalledWith(expect.stringContaining(`/result?sessionId=${sessionId}"`));
    },
  },
];
