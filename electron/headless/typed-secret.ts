import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Typed on the terminal without being shown. */
export const askUnseen = async (question: string): Promise<string> => {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};

/** For scripts: what is on stdin when that is no terminal. */
export const firstLineOfStdin = async (): Promise<string> =>
  (await text(process.stdin)).split(/\r?\n/)[0] ?? '';
