import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Secret } from '#runtime/secret.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';

/** Typed without being shown, twice; or the first line of stdin when that is no terminal. Never an argument. */
export const readNewPassword = async (): Promise<Secret> => {
  if (!process.stdin.isTTY) return demandText((await text(process.stdin)).split(/\r?\n/)[0] ?? '');
  const first = await askUnseen('Password: ');
  if ((await askUnseen('Enter it again: ')) !== first)
    throw new CommandFailure('The two entries differ. Run the command again.', exitCodes.usage);
  return demandText(first);
};

const demandText = (password: string): Secret => {
  if (password === '')
    throw new CommandFailure('Enter the password when asked, or send it on stdin.', exitCodes.usage);
  return new Secret(password);
};

const askUnseen = async (question: string): Promise<string> => {
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
