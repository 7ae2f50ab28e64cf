/** `categories create | list | delete`: the custom categories of an account. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError, envelope } from '../errors';
import type { CategoryService } from '../services/categories';
import { ExamplesRefused } from '../services/inference-client';

/** Reading and judging 64 pictures takes seconds on a small machine. */
const createMs = 120_000;

export async function createCategory(
  categories: CategoryService,
  { account, name, files }: { account: string; name: string; files: readonly string[] },
): Promise<{ name: string; examples: number; doubtful: string[] }> {
  const images = await Promise.all(files.map((file) => readFile(file)));
  const end = Date.now() + createMs;
  const deadline = { signal: AbortSignal.timeout(createMs), leftMs: () => end - Date.now() };
  const call = { requestId: 'admin', field: 'examples', deadline };
  const { category, outliers } = await categories
    .create(account, name, images, call)
    .catch((error) => explain(error, files));
  return {
    name: category.name,
    examples: category.examples,
    doubtful: outliers.map((place) => basename(files[place] as string)),
  };
}

export async function listCategories(categories: CategoryService, account: string) {
  const all = await categories.list(account);
  return all.map(({ name, examples, createdAt }) => ({
    name,
    examples,
    createdAt: new Date(createdAt).toISOString(),
  }));
}

/** Turns a refusal of the inference tier into a sentence that names the file. */
function explain(error: unknown, files: readonly string[]): never {
  if (error instanceof AppError) throw new Error(envelope(error, '').error.message, { cause: error });
  if (!(error instanceof ExamplesRefused)) throw error;
  const { code, reason, values = {} } = error.fault;
  if (reason === 'contradictory') {
    throw new Error(
      `The examples have too little in common to make one category: ${values.outliers} of ${values.examples} fit the others badly. Use pictures of one kind, or several categories.`,
    );
  }
  const file = files[values.image ?? -1] ?? 'An example';
  const problem = new AppError(code as 'INVALID_IMAGE', {
    ...(reason && { reason }),
    values: { ...values, field: 'examples' },
  });
  throw new Error(`${basename(file)}: ${problem.body.message}`);
}
