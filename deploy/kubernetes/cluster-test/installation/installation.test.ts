import type { Kubectl } from '../../../../gateway/harness/kubectl.mjs';
import { Installation } from './installation.mjs';
import { readOptions } from './options.mjs';

interface Namespace {
  metadata: { name: string; labels: Record<string, string> };
}

/** Stands in for kubectl: notes the namespaces that it creates and the command that deletes them. */
function startRecorder(create: (name: string) => number) {
  const created: Namespace[] = [];
  const deletions: string[][] = [];
  const kubectl = {
    attempt: async (_: readonly string[], { input }: { input: string }) => {
      const namespace = JSON.parse(input) as Namespace;
      const code = create(namespace.metadata.name);
      if (code === 0) created.push(namespace);
      return { code, stdout: '', stderr: 'AlreadyExists' };
    },
    run: async (args: string[]) => deletions.push(args),
    get uninterrupted() {
      return kubectl;
    },
  };
  /** The namespaces that the command selects. */
  const deleted = () => {
    const [args = []] = deletions;
    expect(args.slice(0, 3)).toEqual(['delete', 'namespace', '--selector']);
    const [label = '', value] = args[3]!.split('=');
    return created
      .filter(({ metadata }) => metadata.labels[label] === value)
      .map(({ metadata }) => metadata.name);
  };
  return { deleted, kubectl: kubectl as unknown as Kubectl };
}

const options = readOptions(['--namespace', 'test-1']);
const all = ['test-1', 'test-1-ingress', 'test-1-monitoring', 'test-1-neighbor'];

test('a run deletes the namespaces that it created, and none of another run', async () => {
  const { deleted, kubectl } = startRecorder(() => 0);
  const installation = new Installation(kubectl, options);
  await installation.createNamespaces();
  await new Installation(kubectl, readOptions(['--namespace', 'test-2'])).createNamespaces();
  await installation.delete();
  expect(deleted()).toEqual(all);
});

test('if a namespace exists, the run stops, and deletes only those that it created before', async () => {
  const { deleted, kubectl } = startRecorder((name) => (name === 'test-1-monitoring' ? 1 : 0));
  const installation = new Installation(kubectl, options);
  await expect(installation.createNamespaces()).rejects.toThrow(
    'test-1-monitoring cannot be created: AlreadyExists',
  );
  await installation.delete();
  expect(deleted()).toEqual(['test-1', 'test-1-ingress']);
});

test('a namespace is deleted even if the run was interrupted during its creation', async () => {
  const { deleted, kubectl } = startRecorder(() => 0);
  const { attempt } = kubectl;
  kubectl.attempt = async (...args) => {
    await attempt(...args);
    throw new Error('Stopped by SIGINT.');
  };
  const installation = new Installation(kubectl, options);
  await expect(installation.createNamespaces()).rejects.toThrow('Stopped by SIGINT.');
  await installation.delete();
  expect(deleted()).toEqual(['test-1']);
});

test('a deleted pod is replaced once every pod of its tier is a different one, and ready', async () => {
  const pod = (uid: string, ready = 'True') => ({
    metadata: { name: uid, uid },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  });
  const seen = [
    [pod('a'), pod('old')], // as before the deletion
    [pod('a')],
    [pod('a'), pod('new', 'False')],
    [pod('a'), pod('new')],
  ];
  let looks = 0;
  const commands: string[] = [];
  const kubectl = {
    json: async (args: string[]) =>
      args.includes('pods') ? { items: seen[looks++] } : { spec: { replicas: 2 } },
    run: async (args: string[]) => commands.push(args.slice(2, 4).join(' ')),
  };
  await new Installation(kubectl as unknown as Kubectl, options).replaced('inference', 'old');
  expect([looks, commands]).toEqual([seen.length, ['rollout status']]);
});
