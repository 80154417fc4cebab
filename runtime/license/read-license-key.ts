import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

/** Shown to people who pass a key as an argument of a command. */
export const keyAmongArguments =
  'Others on this machine can read arguments; give the key when asked, or on stdin.';

/** The prefix, and fewer letters than a key has. */
const isBegun = (typed: string): boolean => {
  const bare = typed.replace(/[^0-9a-z]/gi, '');
  return /^c[s5]t[l1i]/i.test(bare) && bare.length < 20;
};

/** Prompts for the key, or reads it from stdin when that is not a terminal. */
export const readLicenseKey = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    let typed = '';
    // A mail may have broken the key into lines. An empty line ends it.
    for (const question of ['License key: ', 'The rest of it: ', 'The rest of it: ']) {
      const line = (await lines.question(question)).trim();
      typed += `${line}\n`;
      if (line === '' || !isBegun(typed)) break;
    }
    return typed.trim();
  } finally {
    lines.close();
  }
};
