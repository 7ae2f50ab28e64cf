/**
 * The words of the console: content/console/{area}.json. Only their readers know the fields of each area
 * (src/features/console/words.ts), so GraphQL hands them over whole.
 */
export const console = `
  type ContentConsole implements Node @dontInfer { area: String!, words: JSON! }
`;
