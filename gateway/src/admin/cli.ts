/** The operators' command line. Results go to stdout, everything else to stderr. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { readConfig, webhookAddresses } from '../config';
import { AppError, explain } from '../errors';
import { HttpInferenceClient } from '../services/inference/inference-client';
import { connectRedis } from '../stores/redis';
import { type Command, parseCommand, UsageError } from './command-line';
import { helpText } from './help';
import { listen, listenHelp, parseListen } from './listen';
import type { NamedImage } from './operation';
import { perform } from './perform';
import { registry } from './registry';
import { adminServices } from './services';
import { textOf } from './text';
import { isTextStream, writeLines } from './text-stream';

/** `failed`: the operation failed or was refused. `usage`: the command line is invalid. */
const exitCodes = { failed: 1, usage: 2 };

async function main(args: string[]): Promise<void> {
  if (args[0] === 'webhooks' && args[1] === 'listen') {
    if (args.includes('--help') || args.includes('-h')) return console.log(listenHelp);
    const server = listen(parseListen(args.slice(2)), (text) => console.log(text));
    server.once('listening', () => console.error('listening on', server.address()));
    await once(server, 'close');
    return;
  }
  const command = parse(args);
  if ('help' in command) {
    console.log(helpText(command.help, registry));
    return;
  }
  await run(command);
}

async function show(result: unknown, json: boolean): Promise<void> {
  if (isTextStream(result)) await writeLines(result, process.stdout);
  else console.log(json ? JSON.stringify(result) : textOf(result));
}

function parse(args: string[]): Command {
  try {
    return parseCommand(args, registry);
  } catch (error) {
    // A value that does not match the schema is a usage error too.
    throw error instanceof AppError ? new UsageError(error.body.message) : error;
  }
}

async function run({ operation, input, files, json }: Exclude<Command, { help: unknown }>): Promise<void> {
  const config = readConfig(process.env);
  const { REDIS_URL, REDIS_CLUSTER, KEY_SECRET, INFERENCE_URL } = config;
  const images = await Promise.all(files.map(readImage));
  const redis = await connectRedis({ url: REDIS_URL, cluster: REDIS_CLUSTER }, () => {});
  const inference = new HttpInferenceClient(INFERENCE_URL);
  try {
    const services = adminServices(redis, inference, KEY_SECRET, webhookAddresses(config));
    const asked = { requestId: 'admin', actor: actor(), images };
    const result = await perform(operation, services, input, asked);
    await show(result, json);
    if (operation.isAlarm?.(result)) process.exitCode = exitCodes.failed;
  } finally {
    inference.close();
    redis.disconnect();
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

// The reader of the output may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main(process.argv.slice(2)).catch((error: Error) => {
  const usage = error instanceof UsageError;
  console.error(explain(error));
  process.exitCode = usage ? exitCodes.usage : exitCodes.failed;
});
