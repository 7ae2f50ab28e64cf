/**
 * Runs a task periodically: each run starts a fixed time after the previous one ended, so runs never overlap.
 * @returns a function that stops the schedule and resolves once a run in progress has ended.
 */
export function every(
  ms: number,
  task: () => Promise<void>,
  onError: (error: Error) => void,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let stopped = false;
  let running = Promise.resolve();
  const wait = () => {
    timer = setTimeout(() => {
      running = task()
        .catch(onError)
        .then(() => {
          if (!stopped) wait();
        });
    }, ms);
    timer.unref();
  };
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
