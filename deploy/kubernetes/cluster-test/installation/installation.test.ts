import { Installation } from './installation.mjs';
import type { Kubectl } from './kubectl.mjs';
import { readOptions } from './options.mjs';

/** Stands in for kubectl: notes commands, and refuses to create one namespace. */
function startRecorder(existing = '') {
  const commands: string[] = [];
  const note = (args: readonly string[]) => {
    commands.push(args.join(' '));
    return { code: args.includes(existing) ? 1 : 0, stdout: '', stderr: 'AlreadyExists' };
  };
  const kubectl = {
    attempt: async (args: readonly string[]) => note(args),
    run: async (args: readonly string[]) => note(args).stdout,
    get uninterrupted() {
      return kubectl;
    },
  };
  return { commands, kubectl: kubectl as unknown as Kubectl };
}

const options = readOptions(['--namespace', 'test-1']);

test('a run deletes the namespaces that it created', async () => {
  const { commands, kubectl } = startRecorder();
  const installation = new Installation(kubectl, options);
  await installation.createNamespaces();
  await installation.delete();
  expect(commands.at(-1)).toMatch(
    /^delete namespace test-1 test-1-ingress test-1-monitoring test-1-neighbor --ignore-not-found/,
  );
});

test('a namespace that exists is refused, and never deleted', async () => {
  const { commands, kubectl } = startRecorder('test-1');
  const installation = new Installation(kubectl, options);
  await expect(installation.createNamespaces()).rejects.toThrow('test-1 cannot be created: AlreadyExists');
  await installation.delete();
  expect(commands).toEqual(['create namespace test-1']);
});

test('if a later namespace exists, only the earlier ones are deleted', async () => {
  const { commands, kubectl } = startRecorder('test-1-monitoring');
  const installation = new Installation(kubectl, options);
  await expect(installation.createNamespaces()).rejects.toThrow('test-1-monitoring');
  await installation.delete();
  expect(commands.at(-1)).toMatch(/^delete namespace test-1 test-1-ingress --ignore/);
});
