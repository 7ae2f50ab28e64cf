import { runCommandLine } from './run-command-line';

// The reader of the output may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void runCommandLine(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
