/** Methods of clients are named after their operations. These have shorter names. @type {Readonly<Record<string, string>>} */
export const METHOD_NAMES = {
  getHealth: 'health',
  getHealthHistory: 'healthHistory',
  detectFaces: 'detect',
  compareFaces: 'compare',
  moderateImage: 'moderate',
  runBatch: 'batch',
  getUsage: 'usage',
};
