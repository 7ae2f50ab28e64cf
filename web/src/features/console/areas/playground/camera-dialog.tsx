import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Dialog } from '../../parts/dialog';
import { useConsole } from '../../state/context';
import * as styles from './camera-dialog.module.css';
import { type ChosenImage, photoOf } from './images';

const wanted = { video: { facingMode: 'user', width: { ideal: 1280 } } };

interface CameraDialogProps {
  onTaken(image: ChosenImage): void;
  onClose(): void;
}

/** The camera's view. It is on only while the dialog is open. */
export function CameraDialog({ onTaken, onClose }: CameraDialogProps) {
  const { title, view, action, denied } = useConsole().texts.playground.camera;
  const video = useRef<HTMLVideoElement>(null);
  const [status, setStatus] = useState<'starting' | 'ready' | 'denied'>('starting');
  useEffect(() => {
    let stream: MediaStream | undefined;
    let isOpen = true;
    const stop = () => stream?.getTracks().forEach((track) => void track.stop());
    const start = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia(wanted);
        if (!isOpen || !video.current) return stop();
        video.current.srcObject = stream;
      } catch {
        if (isOpen) setStatus('denied');
      }
    };
    void start();
    return () => {
      isOpen = false;
      stop();
    };
  }, []);
  const take = async () => {
    if (!video.current) return;
    try {
      onTaken(await photoOf(video.current, 'camera.jpg'));
    } catch {
      setStatus('denied');
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <video
        ref={video}
        className={styles.view}
        aria-label={view}
        autoPlay
        muted
        playsInline
        hidden={status === 'denied'}
        onPlaying={() => setStatus('ready')}
      />
      <p role="alert" hidden={status !== 'denied'}>
        {denied}
      </p>
      {status !== 'denied' && (
        <div>
          <Button onClick={() => void take()} disabled={status !== 'ready'}>
            {action}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
