import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { accountMarkVariable } from './accounts.setup.ts';
import { eventually } from './eventually.ts';

export interface TestAccount extends AsyncDisposable {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** The groups that it is in besides its own. */
  readonly groups: readonly number[];
}

const run = promisify(execFile);
/** How long to wait for another test that changes accounts at the same moment. */
const lockMs = 30_000;
const change = (program: string, ...args: string[]) =>
  eventually(async () => {
    await run(program, args).catch((error: { stderr?: string }) => {
      throw new Error(`${program}: ${error.stderr?.trim()}`);
    });
  }, lockMs);

/** A real account on this machine, with its own group and others; deleted when disposed. Needs root on Linux. */
export const testAccount = async (otherGroups = 2): Promise<TestAccount> => {
  const mark = process.env[accountMarkVariable] ?? '';
  const name = `castellan-${mark}${randomBytes(5).toString('hex')}`;
  const others = Array.from({ length: otherGroups }, (_, index) => `${name}-${index}`);
  for (const group of others) await change('groupadd', group);
  await change('useradd', '--user-group', '--no-create-home', '--groups', others.join(), name);
  const number = async (...args: string[]) => Number((await run('id', [...args, name])).stdout);
  const [uid, gid] = [await number('-u'), await number('-g')];
  const { stdout } = await run('id', ['-G', name]);
  const groups = stdout
    .trim()
    .split(' ')
    .map(Number)
    .filter((one) => one !== gid);
  return {
    name,
    uid,
    gid,
    groups,
    async [Symbol.asyncDispose]() {
      await change('userdel', name);
      for (const group of others) await change('groupdel', group);
    },
  };
};
