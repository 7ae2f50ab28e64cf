/**
 * The texts of the console: content/console/{area}.json. Only the code that reads them knows the fields of each area
 * (src/features/console/state/texts.ts), so GraphQL hands them over whole.
 */
export const console = `
  type ContentConsole implements Node @dontInfer { area: String!, texts: JSON! }
`;
