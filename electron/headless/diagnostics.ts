import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stackControl } from '#contracts/operations/stack.ts';
import { printable } from '#runtime/printable.ts';
import { callSupervisor } from '../control/control-client.ts';
import { createAddressTests } from '../diagnostics/address-tests.ts';
import { describeTest } from '../diagnostics/address-words.ts';
import { bundleFileName } from '../diagnostics/bundle-words.ts';
import { makeBundle } from '../diagnostics/make-bundle.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure } from './exit-codes.ts';

/** `castellan diagnostics`: one .zip for people who help, without secrets; also of a stopped stack. */
export const diagnostics = async (
  { home, programsFolder, terminal }: CommandContext,
  {
    out = '.',
  }: {
    readonly out?: string;
  },
): Promise<void> => {
  if (!existsSync(home))
    throw new CommandFailure(`There is no folder ${home}. Choose the data folder with --home.`);
  const named = resolve(out);
  const isFolder = await stat(named).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(named, bundleFileName(new Date())) : named;
  if (existsSync(file))
    throw new CommandFailure(`${file} already exists and was not changed. Choose another file with --out.`);
  terminal.say('Testing the addresses that Castellan uses on the internet:');
  const { testAll } = createAddressTests(home, programsFolder);
  const { path, bytes, missing } = await makeBundle({
    out: file,
    home,
    program: { madeBy: 'the command line' },
    stack: () => callSupervisor(home, stackControl.status),
    crashFolder: null,
    addresses: () => testAll((test) => terminal.say(`  ${printable(describeTest(test))}`)),
  });
  terminal.say(`Written: ${path} (${bytes} bytes). Passwords, keys and tokens are removed. Names of players, admins, game servers and
folders (such as your own user name), Discord IDs and IP addresses can be in it. Look through it before you send it.`);
  for (const { name, why } of missing) terminal.say(`  not in it: ${printable(`${name}: ${why}`)}`);
};
