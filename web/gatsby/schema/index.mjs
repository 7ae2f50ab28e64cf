/** Every type that content and contract may hold. Nothing is inferred: a field not named here does not exist. */
import { code } from './code.mjs';
import { contract } from './contract.mjs';
import { docs } from './docs.mjs';
import { pages } from './pages.mjs';
import { reference } from './reference.mjs';
import { site } from './site.mjs';
import { verify } from './verify.mjs';

/** @param {import('gatsby').CreateSchemaCustomizationArgs} api */
export function createSchemaCustomization({ actions }) {
  actions.createTypes([code, contract, docs, pages, reference, site, verify]);
}
