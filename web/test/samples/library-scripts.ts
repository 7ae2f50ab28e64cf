/** The samples of the TypeScript client, each with what it takes from the reader's own program. */
import * as library from '@presenza/contract/client/index.ts';
import { runScript } from '../../../gateway/test/script';
import type { Script } from './page-scripts';

export const libraryScripts: readonly Script[] = [
  {
    file: 'clients/typescript/README.md',
    excerpt: 'createLivenessSession',
    async replay(code, reader) {
      const console = { log: jest.fn() };
      const names = { console, process: reader.process };
      await runScript(code, { names, modules: { presenza: library } });
      expect(console.log).toHaveBeenCalledWith('Send the user to', expect.stringContaining('ses_'));
    },
  },
  {
    file: 'client/README.md',
    excerpt: 'client.detect(',
    async replay(code, reader) {
      const console = { log: jest.fn() };
      const names = { console, process: reader.process };
      const modules = { 'node:fs': { readFileSync: () => reader.photo } };
      await runScript(code.replace('http://127.0.0.1:8080', reader.apiUrl), { names, modules });
      expect(console.log).toHaveBeenCalledWith(expect.stringMatching(/^req_/), expect.any(Number));
    },
  },
  {
    file: 'client/README.md',
    excerpt: 'client.batchStream(',
    async replay(code, reader) {
      const console = { log: jest.fn() };
      const operations = [{ id: 'a', operation: 'detect', body: { image: reader.photo } }];
      const idempotencyKey = 'a-batch';
      await runScript(code, { names: { console, client: reader.client, operations, idempotencyKey } });
      expect(console.log).toHaveBeenCalledWith('a', expect.any(Number));
    },
  },
  {
    file: 'client/README.md',
    excerpt: 'client.allEvents(',
    async replay(code, { client }) {
      const handle = jest.fn();
      const lastHandledAt = new Date(Date.now() - 3_600_000).toISOString();
      await runScript(code, { names: { client, handle, lastHandledAt, isHandled: async () => false } });
      expect(handle).toHaveBeenCalledWith(expect.objectContaining({ eventType: 'session.completed' }));
    },
  },
  {
    file: 'client/README.md',
    excerpt: 'verifyWebhook({',
    async replay(code, { webhook: { secret, headers, body: rawBody } }) {
      const letIn = jest.fn();
      const findCheck = async () => ({ withReference: false });
      await runScript(code, { names: { secret, request: { headers }, rawBody, findCheck, letIn } });
      expect(letIn).toHaveBeenCalledWith(JSON.parse(rawBody).metadata);
    },
  },
];
