/** Seals and opens the parts of an attempt with its session's key. Each part opens only in its own place. */
import type { Session } from '../session/session';
import type { CaptureState } from './capture-store';
import type { CameraReport } from './evidence';

export class SealedAttempt {
  constructor(
    private readonly session: Pick<Session, 'id' | 'key'>,
    private readonly attemptId: string,
  ) {}

  sealState = (state: CaptureState): string => this.session.key.sealValue(state, this.place('state'));
  openState = (sealed: string) => this.session.key.openValue(sealed, this.place('state')) as CaptureState;

  sealCamera = (camera: CameraReport): string => this.session.key.sealValue(camera, this.place('camera'));
  openCamera = (sealed: string) => this.session.key.openValue(sealed, this.place('camera')) as CameraReport;

  sealFrame = (number: number, image: Buffer): Buffer =>
    this.session.key.seal(image, this.place(`frame/${number}`));
  openFrame = (number: number, sealed: Buffer): Buffer =>
    this.session.key.open(sealed, this.place(`frame/${number}`));

  private place(part: string): string {
    return `${this.session.id}/${this.attemptId}/${part}`;
  }
}
