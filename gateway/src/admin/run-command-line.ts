/** Runs the operators' command line. Results go to stdout, everything else to stderr. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { readConfig, webhookAddresses } from '../config';
import { ApiError } from '../errors';
import { explain } from '../errors/explain';
import { HttpInferenceClient } from '../services/inference/inference-client';
import { SessionKeyServer } from '../stores/liveness/session-key-server';
import { connectRedis } from '../stores/redis';
import { ask } from './ask';
import { type Command, MissingOptions, parseCommand, UsageError } from './command-line';
import { helpText } from './help';
import { listen, listenHelp, parseListen } from './listen';
import type { NamedImage } from './operation';
import { perform } from './perform';
import { registry } from './registry';
import { adminServices } from './services';
import { textOf } from './text';
import { isTextStream, writeLines } from './text-stream';

/** `failed`: the operation failed or was rejected. `usage`: the command line is invalid. */
const exitCodes = { done: 0, failed: 1, usage: 2 };

/** The part of a process that the command line uses. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** Default: none, so that the command line asks nothing. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** @returns the exit code */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<number> {
  try {
    if (args[0] === 'webhooks' && args[1] === 'listen') return await runListen(args.slice(2), terminal);
    const command = await parseOrAsk(args, terminal);
    if (!('help' in command)) return await run(command, terminal);
    print(terminal.stdout, helpText(command.help, registry));
    return exitCodes.done;
  } catch (error) {
    print(terminal.stderr, explain(error as Error));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

const print = (to: Writable, text: string) => to.write(`${text}\n`);

async function runListen(args: string[], { stdout, stderr }: Terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    print(stdout, listenHelp);
    return exitCodes.done;
  }
  const server = listen(parseListen(args), (text) => print(stdout, text));
  server.once('listening', () => {
    const { port } = server.address() as AddressInfo;
    print(stderr, `listening on http://127.0.0.1:${port}`);
  });
  await once(server, 'close');
  return exitCodes.done;
}

function parse(args: string[]): Command {
  try {
    return parseCommand(args, registry);
  } catch (error) {
    // A value that does not match the schema is a usage error too.
    throw error instanceof ApiError ? new UsageError(error.body.message) : error;
  }
}

/** A person at a terminal is asked for missing options, where few values are possible. A script gets the error. */
async function parseOrAsk(args: string[], { stdin, stderr }: Terminal): Promise<Command> {
  try {
    return parse(args);
  } catch (error) {
    if (!(error instanceof MissingOptions) || !stdin?.isTTY || !stderr.isTTY) throw error;
    const questions = error.options.flatMap(({ name, choices }) => (choices ? [{ name, choices }] : []));
    if (questions.length < error.options.length) throw error;
    const chosen = await ask(questions, { input: stdin, output: stderr });
    if (!chosen) throw error;
    return parse([...args, ...[...chosen].map(([name, value]) => `--${name}=${value}`)]);
  }
}

async function run(
  { operation, input, files, json }: Exclude<Command, { help: unknown }>,
  { env, stdout }: Terminal,
): Promise<number> {
  const config = readConfig(env);
  const { REDIS_URL, REDIS_CLUSTER, REDIS_SESSION_KEYS_URL, KEY_SECRET, INFERENCE_URL } = config;
  const images = await Promise.all(files.map(readImage));
  const redis = await connectRedis({ url: REDIS_URL, cluster: REDIS_CLUSTER }, () => {});
  const inference = new HttpInferenceClient(INFERENCE_URL);
  // Connects for the operations that need keys; the others must work without that Redis.
  const sessionKeys = REDIS_SESSION_KEYS_URL
    ? new SessionKeyServer(REDIS_SESSION_KEYS_URL, () => {})
    : undefined;
  try {
    const rules = webhookAddresses(config);
    const services = adminServices(redis, inference, KEY_SECRET, rules, sessionKeys?.keys);
    const asked = { requestId: 'admin', actor: actor(), party: 'operator' as const, images };
    const result = await perform(operation, services, input, asked);
    if (isTextStream(result)) await writeLines(result, stdout);
    else print(stdout, json ? JSON.stringify(result) : textOf(result));
    return operation.isAlarm?.(result) ? exitCodes.failed : exitCodes.done;
  } finally {
    inference.close();
    redis.disconnect();
    sessionKeys?.redis.disconnect();
  }
}

/** Containers often run as a user without a name. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.()}`;
  }
}

const readImage = async (file: string): Promise<NamedImage> => ({
  label: basename(file),
  bytes: await readFile(file),
});
