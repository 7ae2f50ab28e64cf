/** Operator's command line: `npm run admin -- accounts create --name NAME --plan PLAN [--json]`, and more to come. */
import { parseArgs } from 'node:util';
import { readConfig } from '../config';
import { KeyService, planTiers } from '../services/keys';
import { connectRedis } from '../stores/redis';
import { RedisKeyStore } from '../stores/redis-key-store';

const usage = `Usage:
  npm run admin -- accounts create --name NAME --plan ${planTiers.join('|')} [--json]
  npm run admin -- keys create --account ID [--mode live|test] [--json]`;

/** A mistake of the caller, answered with a sentence and the usage. */
class UsageError extends Error {}

type Options = { name?: string; plan?: string; account?: string; mode?: string; json?: boolean };
type Command = (keys: KeyService, options: Options) => Promise<Record<string, string>>;

const createAccount: Command = async (keys, { name, plan }) => {
  if (!name) throw new UsageError('--name is required');
  if (!plan || !planTiers.includes(plan))
    throw new UsageError(`--plan must be one of ${planTiers.join(', ')}`);
  return { accountId: (await keys.createAccount(name, plan)).id };
};

const createKey: Command = async (keys, { account, mode = 'live' }) => {
  if (!account) throw new UsageError('--account is required');
  if (mode !== 'live' && mode !== 'test') throw new UsageError('--mode must be live or test');
  return { apiKey: (await keys.createKey(account, mode)).apiKey };
};

const commands: ReadonlyMap<string, Command> = new Map([
  ['accounts create', createAccount],
  ['keys create', createKey],
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

async function main(args: string[]): Promise<void> {
  const { positionals, values } = parse(args);
  const command = commands.get(positionals.join(' '));
  if (!command) throw new UsageError(`There is no command "${positionals.join(' ')}"`);
  const { REDIS_URL, KEY_SECRET } = readConfig(process.env);
  const redis = await connectRedis(REDIS_URL, () => {});
  try {
    const result = await command(new KeyService(new RedisKeyStore(redis), KEY_SECRET), values);
    const lines = Object.entries(result).map(([name, value]) => `${name}: ${value}`);
    console.log(values.json ? JSON.stringify(result) : lines.join('\n'));
  } finally {
    redis.disconnect();
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 1;
});
