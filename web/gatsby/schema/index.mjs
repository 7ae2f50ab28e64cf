/** Every type that content and contract may hold. Nothing is inferred: a field not named here does not exist. */
import { contract } from './contract.mjs';
import { demos } from './demos.mjs';
import { pages } from './pages.mjs';
import { site } from './site.mjs';
import { verify } from './verify.mjs';

/** @param {import('gatsby').CreateSchemaCustomizationArgs} api */
export function createSchemaCustomization({ actions }) {
  actions.createTypes([contract, site, pages, verify, demos]);
}
