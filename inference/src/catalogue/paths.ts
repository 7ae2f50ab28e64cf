import { join, resolve } from 'node:path';

/** Folder of this workspace, the same seen from `src` and from `dist`. */
export const packageRoot = join(__dirname, '..', '..');

/** Default home of compiled models. */
export const defaultModelCache = join(packageRoot, '.cache', 'models');

/** The folder that MODELS_FOLDER names; a relative path begins at the repository, wherever the process was started. */
export const ownModelsFolder = (setting: string) => resolve(packageRoot, '..', setting);
