import { Command, Option } from 'commander';
import { webhookOutcomes } from '#contracts/portal/purchases.ts';
import type { WebhookEventView } from '../purchases/webhook-event-view.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { parseCount } from './option-values.ts';
import { CommandError, exitCodes, formatFields } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

const eventArgument = ['<id>', 'event id as `purchase list` shows it'] as const;

/** Events from the gateways, and what the vendor still has to do about them. */
export const purchaseCommand = (run: RunCommand): Command => {
  const command = new Command('purchase').description('Events of the payment gateways');

  command
    .command('list')
    .description('List events, the newest first')
    .addOption(new Option('--outcome <name>', 'only those').choices(webhookOutcomes))
    .option('--limit <count>', 'the most to list', parseCount, 50)
    .option('--json', 'print JSON')
    .action(
      ({
        outcome,
        limit,
        json,
      }: {
        readonly outcome?: WebhookEventView['outcome'];
        readonly limit: number;
        readonly json?: boolean;
      }) =>
        run({ json }, async ({ purchases }) => {
          const events = await purchases.list({ limit, ...(outcome ? { outcome } : {}) });
          return {
            text: events.length === 0 ? 'There are no such events.\n' : events.map(formatEvent).join('\n'),
            json: events,
          };
        }),
    );

  command
    .command('retry')
    .description('Process the order of an event again, after you fixed what it lacked')
    .argument(...eventArgument)
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      run(options, async ({ purchases, vendorArea }) => {
        const outcome = await purchases.retry(id);
        if (outcome === 'not-found') throw notFound();
        if (outcome === 'processed')
          await vendorArea.record({ kind: 'purchase_retried', by: commandLine, subject: id });
        return { text: `The event is ${outcome}.\n`, json: { id, outcome } };
      }),
    );

  command
    .command('dismiss')
    .description('Set an event aside that waits for you')
    .argument(...eventArgument)
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      run(options, async ({ purchases, vendorArea }) => {
        if (!(await purchases.dismiss(id))) throw notFound();
        await vendorArea.record({ kind: 'purchase_dismissed', by: commandLine, subject: id });
        return { text: 'The event is ignored.\n', json: { id, outcome: 'ignored' } };
      }),
    );
  return command;
};

const notFound = (): CommandError =>
  new CommandError('There is no such event, or it does not wait for anything.', exitCodes.usage);

const formatEvent = (event: WebhookEventView): string =>
  formatFields({
    Event: event.id,
    From: `${event.gateway}, ${event.type}, ${event.eventId}`,
    Received: event.receivedAt,
    Order: event.purchaseId ?? event.references.join(', '),
    ...(event.email === null ? {} : { Buyer: event.email }),
    ...(event.plan === null ? {} : { Plan: event.plan }),
    Outcome: event.reason === null ? event.outcome : `${event.outcome}: ${event.reason}`,
  });
