import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

export interface PseudoTerminal extends AsyncDisposable {
  /** All output so far, as the terminal received it. */
  readonly shown: () => string;
  /** Waits until `question` appears after the output seen so far, then types the answer and Enter. */
  answer(question: string, typed: string): Promise<void>;
  /** Types without Enter, such as `\x03` for Ctrl-C. */
  type(keys: string): void;
  readonly exited: Promise<number>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A program in its own terminal, through `script` of util-linux; ended when disposed. */
export const openPseudoTerminal = (
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): PseudoTerminal => {
  // A shell in between would end with a Ctrl-C that the program survives.
  const line = `exec ${command.map(quoted).join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...environment, TERM: 'xterm', SHELL: '/bin/sh' },
  });
  let text = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const exited = once(child, 'close').then(([code]) => code as number);
  return {
    shown: () => text,
    async answer(question, typed) {
      await eventually(() => expect(text.slice(seen)).toContain(question), 30_000);
      seen = text.indexOf(question, seen) + question.length;
      child.stdin.write(`${typed}\r`);
    },
    type: (keys) => void child.stdin.write(keys),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
