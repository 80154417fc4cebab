import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { onceARun } from './once-a-run.ts';

/** The names of the machine's accounts and groups; none where there is no such file. */
const names = (): readonly string[] =>
  ['passwd', 'group'].flatMap((file) => {
    try {
      const lines = readFileSync(`/etc/${file}`, 'utf8').trimEnd().split('\n');
      return lines.map((line) => `${file} ${line.split(':', 1)[0]}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });

/** Part of the names of the accounts that tests of this run make, since other runs on this machine make some, too. */
export const accountMarkVariable = 'CASTELLAN_TEST_ACCOUNTS';

/** A run that leaves an account or a group of ours behind fails and names it. */
export const setup = async (): Promise<() => Promise<void>> => {
  const { release } = await onceARun('accounts', async () => {
    const before = new Set(names());
    const mark = randomBytes(2).toString('hex');
    process.env[accountMarkVariable] = mark;
    const isOurs = (name: string) => / castellan$/.test(name) || name.includes(` castellan-${mark}`);
    return {
      [Symbol.asyncDispose]: async () => {
        const left = names().filter((name) => !before.has(name) && isOurs(name));
        if (left.length > 0) throw new Error(`the tests leave behind ${left.join(', ')}`);
      },
    };
  });
  return release;
};
