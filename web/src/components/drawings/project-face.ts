/** The face mesh of the verification element, which the drawings of the site share. */
export * from '../../../component/src/drawing/project-face';
