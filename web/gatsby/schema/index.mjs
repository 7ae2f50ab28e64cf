/** The types of content and contract. Nothing is inferred: undeclared fields do not exist. */
import { console } from './console.mjs';
import { contract } from './contract.mjs';
import { filled } from './filled.mjs';
import { marketing } from './marketing.mjs';
import { models } from './models.mjs';
import { products } from './products.mjs';
import { site } from './site.mjs';
import { texts } from './texts.mjs';
import { verify } from './verify.mjs';

/** @param {import('gatsby').CreateSchemaCustomizationArgs} api */
export function createSchemaCustomization({ actions }) {
  actions.createFieldExtension(filled);
  actions.createTypes([console, contract, marketing, models, products, site, texts, verify]);
}
