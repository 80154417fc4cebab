import { Command } from 'commander';
import type { RunCommand } from './run-command.ts';

export const keyCommand = (run: RunCommand): Command => {
  const command = new Command('key').description('Signing keys');
  command
    .command('show')
    .description("Print the active public key, a build's LICENSE_SERVER_PUBLIC_KEY")
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(options, async ({ keyRing }) => {
        const { kid, publicKey } = keyRing.active;
        return { text: `${publicKey}\n`, json: { kid, publicKey } };
      }),
    );
  return command;
};
