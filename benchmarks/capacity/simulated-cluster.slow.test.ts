// Slow: Kustomize, which `npm run test:slow` compiles if the machine has none, builds the manifests.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { kustomize } from '../../deploy/kubernetes/build.mjs';
import { withFolder } from '../../deploy/local/harness/folders.mjs';
import { Skip } from '../lib/skip.mjs';
import { withSimulatedCluster } from './simulated-cluster.mjs';

/** Calls `use` while kubectl points at an API server with these responses. */
async function withCluster(
  responses: Readonly<Record<string, [status: number, body: object]>>,
  use: () => Promise<void>,
) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    calls.push(call);
    const [status, body] = responses[call] ?? [500, { message: `${call} was not expected` }];
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { PATH } = process.env;
  try {
    await withFolder(async (folder) => {
      const proxy = `#!/bin/sh\necho "Starting to serve on 127.0.0.1:${port}"\nexec sleep 60\n`;
      writeFileSync(join(folder, 'kubectl'), proxy, { mode: 0o755 });
      process.env.PATH = `${folder}:${PATH}`;
      await use();
    });
  } finally {
    process.env.PATH = PATH;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return calls;
}

const unused = () => Promise.reject(new Error('the cluster is not for this measurement'));

(kustomize ? test : test.skip)('a namespace that exists is neither used nor deleted', async () => {
  const nodes = 'GET /api/v1/nodes';
  const create = 'POST /api/v1/namespaces';
  const message = 'namespaces "presenza" already exists';
  const calls = await withCluster(
    { [nodes]: [200, { items: [] }], [create]: [409, { message }] },
    async () => {
      const measured = withSimulatedCluster({ nodes: 1, zones: 1 }, unused);
      await expect(measured).rejects.toThrow(message);
      await expect(measured).rejects.toBeInstanceOf(Skip);
    },
  );
  expect(calls).toEqual([nodes, create]);
});

(kustomize ? test : test.skip)('a cluster with nodes is left as it is', async () => {
  const nodes = 'GET /api/v1/nodes';
  const calls = await withCluster({ [nodes]: [200, { items: [{}] }] }, async () => {
    await expect(withSimulatedCluster({ nodes: 1, zones: 1 }, unused)).rejects.toBeInstanceOf(Skip);
  });
  expect(calls).toEqual([nodes]);
});
