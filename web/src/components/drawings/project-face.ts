/** The face mesh of the verification element, which the drawings of the site share. */
export { ANCHORS } from '../../../component/src/drawing/face-geometry';
export * from '../../../component/src/drawing/project-face';
