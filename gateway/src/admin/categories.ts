import limits from '@presenza/contract/limits.json';
import { ApiError, OperatorError } from '../errors';
import { ExamplesRefused } from '../services/inference/inference-client';
import { isoTime } from '../services/timing/iso-time';
import { account, type NamedImage, type Operation, operation, type Property } from './operation';

/** Analyzing 64 images takes seconds on a small machine. */
const createMs = 120_000;

const name: Property = {
  type: 'string',
  maxLength: limits.customCategories.maxNameLength,
  description: 'Its name in responses',
};

interface Named {
  readonly account: string;
  readonly name: string;
}

export const categoryOperations: readonly Operation[] = [
  operation<Named>({
    id: 'categories create',
    summary: 'Teaches moderation a category from 5 to 64 example images, of which it keeps only the mean',
    http: ['POST', '/accounts/:account/categories'],
    properties: { account, name },
    required: ['account', 'name'],
    images: 'examples',
    changes: true,
    run: async ({ categories }, { account, name }, { requestId, images }) => {
      const end = Date.now() + createMs;
      const deadline = { signal: AbortSignal.timeout(createMs), leftMs: () => end - Date.now() };
      const { category, outliers } = await categories
        .create(
          account,
          name,
          images.map(({ bytes }) => bytes),
          { requestId, field: 'examples', deadline },
        )
        .catch((error) => explain(error, images));
      return {
        name: category.name,
        examples: category.examples,
        doubtful: outliers.map((place) => images[place]?.label),
      };
    },
  }),
  operation<{ account: string }>({
    id: 'categories list',
    summary: 'Lists the categories of an account',
    http: ['GET', '/accounts/:account/categories'],
    properties: { account },
    required: ['account'],
    changes: false,
    run: async ({ categories }, { account }) =>
      (await categories.list(account)).map(({ name, examples, createdAt }) => ({
        name,
        examples,
        createdAt: isoTime(createdAt),
      })),
  }),
  operation<Named>({
    id: 'categories delete',
    summary: 'Removes a category',
    http: ['DELETE', '/accounts/:account/categories/:name'],
    properties: { account, name },
    required: ['account', 'name'],
    changes: true,
    run: async ({ categories }, { account, name }) => {
      await categories.remove(account, name);
      return { deleted: name };
    },
  }),
];

/** Turns an error of the inference tier into a sentence that names the image. */
function explain(error: unknown, images: readonly NamedImage[]): never {
  if (!(error instanceof ExamplesRefused)) throw error;
  const { code, reason, values = {} } = error.fault;
  if (reason === 'contradictory') {
    throw new OperatorError(
      `The examples have too little in common to make one category: ${values.outliers} of ${values.examples} fit the others badly. Use images of one kind, or several categories.`,
    );
  }
  const problem = new ApiError(code as 'INVALID_IMAGE', {
    ...(reason && { reason }),
    values: { ...values, field: 'examples' },
  });
  const label = images[values.image ?? -1]?.label ?? 'An example';
  throw new OperatorError(`${label}: ${problem.body.message}`);
}
