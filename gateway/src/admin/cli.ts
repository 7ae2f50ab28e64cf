/** Operator's command line: `npm run admin -- accounts create --name NAME --plan PLAN [--json]`, and more to come. */
import { parseArgs } from 'node:util';
import { readConfig } from '../config';
import { CategoryService } from '../services/categories';
import { HttpInferenceClient } from '../services/inference-client';
import { KeyService } from '../services/keys';
import { planTiers } from '../services/terms';
import { connectRedis } from '../stores/redis';
import { RedisCategoryStore } from '../stores/redis-category-store';
import { RedisKeyStore } from '../stores/redis-key-store';
import { createCategory, listCategories } from './categories';

const usage = `Usage:
  npm run admin -- accounts create --name NAME --plan ${planTiers.join('|')} [--json]
  npm run admin -- keys create --account ID [--mode live|test] [--json]
  npm run admin -- categories create --account ID --name NAME FILE FILE ... [--json]
  npm run admin -- categories list --account ID [--json]
  npm run admin -- categories delete --account ID --name NAME [--json]

A category of moderation is learnt from 5 to 64 example pictures, of which only the mean of their features is kept.`;

/** A mistake of the caller, answered with a sentence and the usage. */
class UsageError extends Error {}

type Options = { name?: string; plan?: string; account?: string; mode?: string; json?: boolean };
type Services = { readonly keys: KeyService; readonly categories: CategoryService };
/** Answers what is printed: fields, or a list of things with fields. */
type Fields = Readonly<Record<string, unknown>>;
type Command = (
  services: Services,
  options: Options,
  operands: readonly string[],
) => Promise<Fields | readonly Fields[]>;

const createAccount: Command = async ({ keys }, { name, plan }) => {
  if (!name) throw new UsageError('--name is required');
  if (!plan || !planTiers.includes(plan))
    throw new UsageError(`--plan must be one of ${planTiers.join(', ')}`);
  return { accountId: (await keys.createAccount(name, plan)).id };
};

const createKey: Command = async ({ keys }, { account, mode = 'live' }) => {
  if (!account) throw new UsageError('--account is required');
  if (mode !== 'live' && mode !== 'test') throw new UsageError('--mode must be live or test');
  return { apiKey: (await keys.createKey(account, mode)).apiKey };
};

function required({ account, name }: Options): { account: string; name: string } {
  if (!account) throw new UsageError('--account is required');
  if (!name) throw new UsageError('--name is required');
  return { account, name };
}

const addCategory: Command = ({ categories }, options, files) =>
  createCategory(categories, { ...required(options), files });

const showCategories: Command = ({ categories }, { account }) => {
  if (!account) throw new UsageError('--account is required');
  return listCategories(categories, account);
};

const deleteCategory: Command = async ({ categories }, options) => {
  const { account, name } = required(options);
  await categories.remove(account, name);
  return { deleted: name };
};

const commands: ReadonlyMap<string, Command> = new Map([
  ['accounts create', createAccount],
  ['keys create', createKey],
  ['categories create', addCategory],
  ['categories list', showCategories],
  ['categories delete', deleteCategory],
]);

function parse(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args,
      allowPositionals: true,
      options: { name: text, plan: text, account: text, mode: text, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The command that the words begin with, and the words after it. Only a command that takes operands may have some. */
function choose(words: readonly string[]): { command: Command; operands: readonly string[] } {
  const name = words.slice(0, 2).join(' ');
  const operands = words.slice(2);
  const command = commands.get(name);
  if (!command || (operands.length > 0 && command !== addCategory)) {
    throw new UsageError(`There is no command "${words.join(' ')}"`);
  }
  return { command, operands };
}

function textOf(result: Fields | readonly Fields[]): string {
  if (Array.isArray(result)) return result.map(textOf).join('\n\n');
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : value}`)
    .join('\n');
}

async function main(args: string[]): Promise<void> {
  const { positionals, values } = parse(args);
  const { command, operands } = choose(positionals);
  const { REDIS_URL, REDIS_CLUSTER, KEY_SECRET, INFERENCE_URL } = readConfig(process.env);
  const redis = await connectRedis({ url: REDIS_URL, cluster: REDIS_CLUSTER }, () => {});
  const inference = new HttpInferenceClient(INFERENCE_URL);
  try {
    const accounts = new RedisKeyStore(redis);
    const services = {
      keys: new KeyService(accounts, KEY_SECRET),
      categories: new CategoryService({ store: new RedisCategoryStore(redis), accounts, inference }),
    };
    const result = await command(services, values, operands);
    console.log(values.json ? JSON.stringify(result) : textOf(result));
  } finally {
    inference.close();
    redis.disconnect();
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 1;
});
