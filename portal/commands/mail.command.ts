import { Command, Option } from 'commander';
import { type MailView, mailStates, type Retried } from '../mail/outbox.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { parseCount } from './option-values.ts';
import { CommandError, exitCodes, formatFields } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

const refusals: Readonly<Record<Exclude<Retried, 'retried'>, string>> = {
  'not-found': 'There is no such mail.',
  'not-given-up': 'This mail was not given up: it was sent, or will be.',
  'text-gone': 'The text of this mail is no longer kept, because it is out of date.',
};

export const mailCommand = (run: RunCommand): Command => {
  const command = new Command('mail').description('Mails that the portal sends');

  command
    .command('list')
    .description('List mails, the newest first')
    .addOption(new Option('--state <name>', 'only those').choices(mailStates))
    .option('--limit <count>', 'the most to list', parseCount, 50)
    .option('--json', 'print JSON')
    .action(
      ({
        state,
        limit,
        json,
      }: {
        readonly state?: MailView['state'];
        readonly limit: number;
        readonly json?: boolean;
      }) =>
        run({ json }, async ({ outbox }) => {
          const mails = await outbox.list({ limit, ...(state ? { state } : {}) });
          return {
            text: mails.length === 0 ? 'There are no such mails.\n' : mails.map(formatMail).join('\n'),
            json: mails,
          };
        }),
    );

  command
    .command('retry')
    .description('Retry a mail that was given up')
    .argument('<id>', 'mail id as `mail list` shows it')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      run(options, async ({ outbox, vendorArea }) => {
        const retried = await outbox.retry(id);
        if (retried !== 'retried')
          throw new CommandError(
            refusals[retried],
            retried === 'not-found' ? exitCodes.usage : exitCodes.failed,
          );
        await vendorArea.record({ kind: 'mail_retried', by: commandLine, subject: id });
        return { text: 'The mail is due; a running portal sends it within seconds.\n', json: { id } };
      }),
    );
  return command;
};

const formatMail = (mail: MailView): string =>
  formatFields({
    Mail: mail.id,
    To: mail.recipient,
    Subject: mail.subject,
    State: `${mail.state}, ${mail.attempts} attempts`,
    Written: mail.createdAt,
    ...(mail.nextAttemptAt === null ? {} : { Next: mail.nextAttemptAt }),
    ...(mail.lastFault === null ? {} : { Fault: mail.lastFault }),
  });
