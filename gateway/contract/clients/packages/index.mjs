/** The files of each library, ready to publish. `build.mjs` writes them into a folder, and the site into archives. */
export { goPackage } from './go.mjs';
export { javaPackage } from './java.mjs';
export { pythonPackage, pythonWheel } from './python.mjs';
export { typescriptPackage } from './typescript.mjs';
