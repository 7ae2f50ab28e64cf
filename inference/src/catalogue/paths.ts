import { join, resolve } from 'node:path';

/** Folder of this workspace, from `src` as well as from `dist`. */
export const packageRoot = join(__dirname, '..', '..');

/** Default folder of compiled models. */
export const defaultModelCache = join(packageRoot, '.cache', 'models');

/** A folder in a setting; a relative path starts at the repository, wherever the process was started. */
export const fromRepository = (setting: string) => resolve(packageRoot, '..', setting);
