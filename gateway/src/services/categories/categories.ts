/**
 * Custom categories of moderation, which an account defines by example images. The store keeps only a prototype of the
 * examples, the mean of their features, and never the images.
 */
import limits from '@presenza/contract/limits.json';
import type { BuiltInCategory } from '@presenza/inference/wire';
import { OperatorError } from '../../errors';
import type { HttpInferenceClient, InferenceCall } from '../inference/inference-client';
import { noAccount } from '../keys/accounts';
import type { KeyStore } from '../keys/keys';

export interface Category {
  readonly name: string;
  /** The prototype from the inference tier, base64. */
  readonly prototype: string;
  /** Number of examples. */
  readonly examples: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The store that the service needs. */
export interface CategoryStore {
  /** Atomic, so that concurrent calls cannot exceed the limit or take the same name. */
  addCategory(accountId: string, category: Category, most: number): Promise<'added' | 'exists' | 'full'>;
  /** The categories of this account, oldest first. */
  listCategories(accountId: string): Promise<Category[]>;
  /** @returns whether the category existed. */
  removeCategory(accountId: string, name: string): Promise<boolean>;
}

export const builtInCategories: readonly BuiltInCategory[] = ['Explicit', 'Suggestive', 'Violence'];

const { maxPerAccount, minExamples, maxExamples, maxExamplesBytes, maxNameLength } = limits.customCategories;

/** Names that differ only by case would be confusing, so they count as one. */
export const nameKey = (name: string) => name.toLowerCase();

export interface CategoryServices {
  readonly store: CategoryStore;
  readonly accounts: Pick<KeyStore, 'findAccount'>;
  readonly inference: Pick<HttpInferenceClient, 'prototype'>;
  readonly now?: () => number;
}

export class CategoryService {
  constructor(private readonly services: CategoryServices) {}

  /**
   * @param images encoded, in a format that the API accepts.
   * @returns the category, and the positions of examples that differ from the others.
   * @throws OperatorError; ExamplesRefused or ApiError from the inference tier.
   */
  async create(
    accountId: string,
    name: string,
    images: readonly Buffer[],
    call: InferenceCall,
  ): Promise<{ category: Category; outliers: readonly number[] }> {
    const { store, inference, now = Date.now } = this.services;
    checkName(name);
    checkImages(images);
    await this.requireAccount(accountId);
    const { prototype, outliers } = await inference.prototype(images, { ...call, accountId });
    const category: Category = { name, prototype, examples: images.length, createdAt: now() };
    const outcome = await store.addCategory(accountId, category, maxPerAccount);
    if (outcome === 'exists') {
      throw new OperatorError(`The account already has a category "${name}"; delete it first`);
    }
    if (outcome === 'full') {
      throw new OperatorError(`The account already has ${maxPerAccount} categories, the most there can be`);
    }
    return { category, outliers };
  }

  async list(accountId: string): Promise<Category[]> {
    await this.requireAccount(accountId);
    return this.services.store.listCategories(accountId);
  }

  /** @throws OperatorError if the account has no category of this name */
  async remove(accountId: string, name: string): Promise<void> {
    await this.requireAccount(accountId);
    if (await this.services.store.removeCategory(accountId, name)) return;
    throw new OperatorError(`The account has no category "${name}"`, 'NOT_FOUND');
  }

  private async requireAccount(id: string): Promise<void> {
    if (await this.services.accounts.findAccount(id)) return;
    throw noAccount(id);
  }
}

/** Letters and digits of any script, and separators between words. */
const validName = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} &_./()-]*[\p{L}\p{M}\p{N})])?$/u;

function checkName(name: string): void {
  if (name.length > maxNameLength || !validName.test(name) || name !== name.normalize('NFC')) {
    throw new OperatorError(
      `A name has 1 to ${maxNameLength} letters, digits, spaces and & _ . / ( ) -, and begins with a letter or digit`,
    );
  }
  if (builtInCategories.some((builtIn) => nameKey(builtIn) === nameKey(name))) {
    throw new OperatorError(`"${name}" is built in`);
  }
}

function checkImages(images: readonly Buffer[]): void {
  if (images.length < minExamples || images.length > maxExamples) {
    throw new OperatorError(
      `A category takes ${minExamples} to ${maxExamples} examples, not ${images.length}`,
    );
  }
  const tooLarge = images.findIndex(({ length }) => length > limits.image.maxBytes);
  if (tooLarge >= 0) throw new OperatorError(`Example ${tooLarge + 1} is larger than 5 MB`);
  const total = images.reduce((sum, { length }) => sum + length, 0);
  if (total > maxExamplesBytes) {
    throw new OperatorError(
      `The examples have ${mebibytes(total)} MB together, and ${mebibytes(maxExamplesBytes)} MB is the most they may have`,
    );
  }
}

const mebibytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
