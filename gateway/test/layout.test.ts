/** The routes tree, what the app serves and the contract agree. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import openapi from '@presenza/contract/openapi.json';
import { mountedRoutes } from './mounted';

const routes = mountedRoutes();
/** Documents for tools: the API's description, and the feed with the data of an operation. */
const documents = ['get /openapi.json', 'get /health/incidents.atom'];
const folderOf = (path: string) => path.split(/[/.]/)[1] as string;
const operationsOf = (paths: Record<string, object>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
const mounted = new Set(
  operationsOf(Object.fromEntries(routes.map(({ path, methods }) => [path, methods]))).filter(
    (name) => !name.startsWith('_all '),
  ),
);

test('every folder of routes is mounted, and every mounted route has its folder', () => {
  const folders = readdirSync(join(__dirname, '..', 'src', 'routes'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(new Set(routes.map(({ path }) => folderOf(path)))).toEqual(new Set(folders));
});

test('every mounted route is an operation of the contract', () => {
  const documented = operationsOf(openapi.paths).map((name) => name.replace(/\{(\w+)\}/g, ':$1'));
  expect(mounted.size).toBeGreaterThan(0);
  expect([...documents, ...documented]).toEqual(expect.arrayContaining([...mounted]));
});

test('every route is served with and without /v1', () => {
  const counts = new Map<string, number>();
  for (const { path } of routes) counts.set(path, (counts.get(path) ?? 0) + 1);
  expect([...counts.values()].every((count) => count === 2)).toBe(true);
});
