/** Every type that content and contract may hold. Nothing is inferred: a field not named here does not exist. */
import { consent } from './consent.mjs';
import { contract } from './contract.mjs';
import { demos } from './demos.mjs';
import { filled } from './filled.mjs';
import { marketing } from './marketing.mjs';
import { pages } from './pages.mjs';
import { products } from './products.mjs';
import { site } from './site.mjs';
import { verify } from './verify.mjs';

/** @param {import('gatsby').CreateSchemaCustomizationArgs} api */
export function createSchemaCustomization({ actions }) {
  actions.createFieldExtension(filled);
  actions.createTypes([contract, marketing, site, pages, products, verify, consent, demos]);
}
