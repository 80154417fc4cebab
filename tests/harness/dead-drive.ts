import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A network drive whose server is gone: every access to it blocks until it is disposed. */
export interface DeadDrive extends Disposable {
  readonly path: string;
}

/**
 * A file system in user space (fuse(4)) that completes the handshake with Linux and answers nothing afterwards. It needs root on
 * Linux, as the tag `mount` says.
 */
export const deadDrive = (): DeadDrive => {
  const path = mkdtempSync(join(tmpdir(), 'castellan-dead-'));
  const served = openSync('/dev/fuse', 'r+');
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  execFileSync('mount', ['--internal-only', '-t', 'fuse', '-o', options, 'dead', path], {
    stdio: ['ignore', 'ignore', 'inherit', served],
  });
  greet(served);
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', path]);
      // Blocked processes get an error now.
      closeSync(served);
      rmdirSync(path);
    },
  };
};

const greetingBytes = 80;
/** FUSE_PARALLEL_DIROPS: a blocked process does not prevent others from being killed. */
const parallel = 1 << 18;

/** Answers FUSE_INIT with a `fuse_init_out` after a `fuse_out_header` (linux/fuse.h). */
const greet = (served: number): void => {
  const asked = Buffer.alloc(256 * 1024);
  readSync(served, asked);
  const answer = Buffer.alloc(greetingBytes);
  answer.writeUInt32LE(greetingBytes, 0);
  // The request's number.
  asked.copy(answer, 8, 8, 16);
  answer.writeUInt32LE(7, 16);
  answer.writeUInt32LE(31, 20);
  answer.writeUInt32LE(parallel, 28);
  writeSync(served, answer);
};
