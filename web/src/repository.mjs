/** Links into the repository, and the command that clones it. The build's Markdown twins have them too. */

/**
 * The address at which readers edit a file, in the form that GitHub has.
 * @param {string} repository its address without a trailing slash
 * @param {string} path of the file
 */
export const editAddress = (repository, path) => `${repository.replace(/\.git$/, '')}/edit/main/${path}`;

/** @param {string} repository its address without a trailing slash */
export function cloneCommand(repository) {
  const folder = repository.replace(/^.*\//, '').replace(/\.git$/, '');
  return `git clone ${repository}\ncd ${folder}`;
}
