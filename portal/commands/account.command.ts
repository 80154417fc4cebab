import { Command } from 'commander';
import type { AccountView } from '../vendor/accounts/account-view.ts';
import { type Invitation, initialPasswordDays } from '../vendor/accounts/accounts.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { CommandError, exitCodes, formatFields, type Said } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

interface JsonOption {
  readonly json?: boolean;
}

const reference = ['<name-or-id>', 'name of the account, or its id'] as const;

/** Accounts of the people who use the admin pages. */
export const accountCommand = (run: RunCommand): Command => {
  const command = new Command('account').description('Accounts for the admin pages');

  command
    .command('create')
    .description('Make an account and print its first password, which is shown this one time only')
    .argument('<name>', 'as the event log will name it')
    .option('--json', 'print JSON')
    .action((name: string, options: JsonOption) =>
      run(options, async ({ vendorArea: { accounts } }) =>
        saidOfInvitation(await accounts.create(name, commandLine)),
      ),
    );

  command
    .command('list')
    .description('List all accounts')
    .option('--json', 'print JSON')
    .action((options: JsonOption) =>
      run(options, async ({ vendorArea: { accounts } }) => {
        const list = await accounts.list();
        return { text: list.map(formatAccount).join('\n') || 'There is no account yet.\n', json: list };
      }),
    );

  const changes = {
    disable: 'Disable an account and end its sessions',
    enable: 'Let a disabled account in again',
  } as const;
  for (const [name, description] of Object.entries(changes) as [keyof typeof changes, string][]) {
    command
      .command(name)
      .description(description)
      .argument(...reference)
      .option('--json', 'print JSON')
      .action((account: string, options: JsonOption) =>
        run(options, async ({ vendorArea: { accounts } }) => {
          const change = await accounts[name](account, commandLine);
          if (change.outcome === 'refused') throw new CommandError(change.reason, exitCodes.failed);
          return { text: formatAccount(change.account), json: change.account };
        }),
      );
  }

  command
    .command('reset')
    .description(
      'Give an account a new first password, when password, authenticator and recovery codes are lost',
    )
    .argument(...reference)
    .option('--json', 'print JSON')
    .action((account: string, options: JsonOption) =>
      run(options, async ({ vendorArea: { accounts } }) =>
        saidOfInvitation(await accounts.reset(account, commandLine)),
      ),
    );
  return command;
};

const saidOfInvitation = (invited: Invitation | { outcome: 'refused'; reason: string }): Said => {
  if (invited.outcome === 'refused') throw new CommandError(invited.reason, exitCodes.failed);
  const { account, initialPassword } = invited;
  return {
    text:
      `This is the first password of ${account.name}, good for ${initialPasswordDays} days. ` +
      `It is shown this one time only:\n\n  ${initialPassword}\n\n${formatAccount(account)}`,
    json: { ...account, initialPassword },
  };
};

const formatAccount = (account: AccountView): string =>
  formatFields({
    Account: account.id,
    Name: account.name,
    State: account.state,
    Made: account.createdAt,
    'Last signed in': account.lastSignedInAt ?? 'never',
  });
