/** The types of content and contract. Nothing is inferred: undeclared fields do not exist. */
import { claims } from './claims.mjs';
import { code } from './code.mjs';
import { configuration } from './configuration.mjs';
import { consent } from './consent.mjs';
import { contract } from './contract.mjs';
import { demos } from './demos.mjs';
import { docs } from './docs.mjs';
import { feeds } from './feeds.mjs';
import { filled } from './filled.mjs';
import { marketing } from './marketing.mjs';
import { notFound } from './not-found.mjs';
import { pages } from './pages.mjs';
import { products } from './products.mjs';
import { reference } from './reference.mjs';
import { site } from './site.mjs';
import { verify } from './verify.mjs';
import { words } from './words.mjs';

/** @param {import('gatsby').CreateSchemaCustomizationArgs} api */
export function createSchemaCustomization({ actions }) {
  actions.createFieldExtension(filled);
  actions.createTypes([
    claims,
    code,
    configuration,
    consent,
    contract,
    demos,
    docs,
    feeds,
    marketing,
    notFound,
    pages,
    products,
    reference,
    site,
    verify,
    words,
  ]);
}
