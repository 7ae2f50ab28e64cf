import { join } from 'node:path';

/** Folder of this workspace, the same seen from `src` and from `dist`. */
export const packageRoot = join(__dirname, '..');

/** Default home of compiled models. */
export const defaultModelCache = join(packageRoot, '.cache', 'models');
