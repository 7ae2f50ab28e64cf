/** The files of each library, ready to publish. `build.mjs` writes them into a folder, and the site into archives. */
export { goPackage } from './go/package.mjs';
export { javaPackage } from './java/package.mjs';
export { pythonPackage, pythonWheel } from './python/package.mjs';
export { typescriptPackage } from './typescript/package.mjs';
